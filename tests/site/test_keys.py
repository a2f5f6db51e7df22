from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from memsite.site import keys

Edit = Callable[[pytest.MonkeyPatch], None]


def other_version(name: str) -> Edit:
    def edit(patch: pytest.MonkeyPatch) -> None:
        version = keys._version
        patch.setattr(keys, "_version", lambda asked: "another" if asked == name else version(asked))

    return edit


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    keys.program_key.cache_clear()
    yield
    keys.program_key.cache_clear()


@pytest.mark.parametrize(
    "edit",
    [
        *map(other_version, ("mkdocs", "rapidfuzz", "PyYAML", "tzdata", "mdurl")),
        lambda patch: patch.setattr(keys, "PIECE_VERSION", 0),
        lambda patch: patch.setattr("unicodedata.unidata_version", "0.0.0"),
        lambda patch: patch.setattr("sys.version_info", (3, 99, 0)),
    ],
)
def test_another_part_of_the_program_is_another_key(edit: Edit) -> None:
    before = keys.program_key()
    keys.program_key.cache_clear()
    assert keys.program_key() == before
    keys.program_key.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        edit(patch)
        assert keys.program_key() != before


def test_every_named_package_is_installed() -> None:
    assert [name for name in keys.BUILDERS if not keys._version(name)] == []
