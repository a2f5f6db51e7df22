from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from memsite.site import program

Edit = Callable[[pytest.MonkeyPatch], None]


def other_version(name: str) -> Edit:
    def edit(patch: pytest.MonkeyPatch) -> None:
        version = program._version
        patch.setattr(program, "_version", lambda asked: "another" if asked == name else version(asked))

    return edit


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    program.program_key.cache_clear()
    yield
    program.program_key.cache_clear()


@pytest.mark.parametrize(
    "edit",
    [
        *map(other_version, ("mkdocs", "rapidfuzz", "PyYAML", "tzdata", "mdurl")),
        lambda patch: patch.setattr(program, "PIECE_VERSION", 0),
        lambda patch: patch.setattr("unicodedata.unidata_version", "0.0.0"),
        lambda patch: patch.setattr("sys.version_info", (3, 99, 0)),
    ],
)
def test_another_part_of_the_program_is_another_key(edit: Edit) -> None:
    before = program.program_key()
    program.program_key.cache_clear()
    assert program.program_key() == before
    program.program_key.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        edit(patch)
        assert program.program_key() != before


def test_every_named_package_is_installed() -> None:
    assert [name for name in program.BUILDERS if not program._version(name)] == []
