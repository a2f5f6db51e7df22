"""Operations on disk come back as they were, in their order."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import PurePosixPath

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memsite.memory.changeset import Append, Change, Changeset, Write
from memsite.repo.objects import TreeEntry
from memsite.repo.spool import Moved, Spool, new_operation
from memsite.repo.workspace import Workspace

PATHS = st.sampled_from([PurePosixPath(name) for name in ("a.md", "memory/记忆.md", "memory/x\udcff.md")])
CHANGES: st.SearchStrategy[Change] = st.one_of(
    st.builds(Append, PATHS, st.binary(), st.binary()), st.builds(Write, PATHS, st.none() | st.binary(), st.binary())
)
CHANGESETS = st.lists(st.builds(Changeset, st.lists(CHANGES).map(tuple), st.text()), max_size=3)
TIMES = st.datetimes(min_value=datetime(1990, 1, 1), timezones=st.sampled_from([UTC, timezone(timedelta(hours=8))]))  # noqa: DTZ001 - hypothesis wants it naive


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(CHANGESETS, TIMES, st.dictionaries(PATHS, st.integers(min_value=-1)))
def test_an_operation_comes_back(
    ws: Workspace, changesets: list[Changeset], at: datetime, sizes: dict[PurePosixPath, int]
) -> None:
    spool = Spool(ws.require_repository(), ws.root, locked=True)
    operation = new_operation(ws.root, at, tuple(changesets))
    spool.write(operation)
    assert spool.pending() == (operation,)
    moved = {PurePosixPath("a.md"): Moved(None, TreeEntry("100644", "0" * 40))}
    begun = operation.begun(sizes, "1" * 40, moved)
    spool.write(begun)
    assert spool.pending() == (begun,)
    spool.remove(operation)
    assert spool.pending() == ()


def test_sizes_of_the_first_attempt_stay(ws: Workspace) -> None:
    path = PurePosixPath("a.md")
    first = new_operation(ws.root, datetime(2025, 3, 20, tzinfo=UTC), ()).begun({path: 5}, "", {})
    assert first.begun({path: 9}, "", {}).sizes == {path: 5}


def test_operations_keep_their_order(ws: Workspace) -> None:
    spool = Spool(ws.require_repository(), ws.root)
    operations = tuple(new_operation(ws.root, datetime(2025, 3, 20, tzinfo=UTC), ()) for _ in range(12))
    for operation in operations:
        spool.write(operation)
    assert spool.pending() == operations
    spool.remove(operations[3])
    assert spool.pending() == operations[:3] + operations[4:]


def test_what_a_killed_run_was_writing_is_removed(ws: Workspace) -> None:
    spool = Spool(ws.require_repository(), ws.root, locked=True)
    spool.write(new_operation(ws.root, datetime(2025, 3, 20, tzinfo=UTC), ()))
    folder = ws.require_repository().own_dir / "spool"
    (folder / "000000000009-x.json.new").touch()
    spool.clean()
    assert len(list(folder.iterdir())) == 1
