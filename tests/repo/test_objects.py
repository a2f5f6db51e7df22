"""Objects made here are the ones that git makes."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.errors import GitError
from memsite.repo import objects
from memsite.repo.child import Child
from memsite.repo.gitcmd import Conversation
from memsite.repo.objects import (
    GitObject,
    ObjectReader,
    TreeEntry,
    format_tree,
    object_id,
    object_reader,
    parse_tree,
    store_objects,
)
from tests.conftest import Git

NAMES = st.binary(min_size=1, max_size=20).filter(lambda name: b"/" not in name and b"\0" not in name)


@given(
    st.dictionaries(
        NAMES, st.tuples(st.sampled_from(["100644", "40000", "120000"]), st.binary(min_size=20, max_size=20))
    )
)
def test_a_tree_comes_back_as_it_was_written(entries: dict[bytes, tuple[str, bytes]]) -> None:
    tree = {name: TreeEntry(mode, digest.hex()) for name, (mode, digest) in entries.items()}
    assert parse_tree(format_tree(tree), "sha1") == tree
    assert format_tree(parse_tree(format_tree(tree), "sha1")) == format_tree(tree)


@pytest.fixture(params=["sha1", "sha256"])
def repository(request: pytest.FixtureRequest, tmp_path: Path, git: Git) -> tuple[Path, str]:
    git("init", "-q", f"--object-format={request.param}", str(tmp_path / "r"))
    return tmp_path / "r", request.param


@pytest.mark.parametrize("count", [3, 300])
def test_stored_objects_are_read_back_and_pass_fsck(repository: tuple[Path, str], git: Git, count: int) -> None:
    root, object_format = repository
    blobs = [b"", b"x" * 5000, "记忆\r\n".encode()] + [b"%d" % number for number in range(count)]
    made = [GitObject(object_id("blob", data, object_format), "blob", data) for data in blobs]
    # Folders sort as if they ended in `/`: `a.b`, `a`, `a0` is git's order.
    inner = format_tree({b"x.md": TreeEntry("100644", made[1].id)})
    folder = GitObject(object_id("tree", inner, object_format), "tree", inner)
    names = {b"a": TreeEntry("40000", folder.id), b"a.b": TreeEntry("100644", made[0].id)}
    top = format_tree(names | {b"a0": TreeEntry("100644", made[2].id)})
    tree = GitObject(object_id("tree", top, object_format), "tree", top)
    store_objects(root, root / ".git/objects", [*made, folder, tree], object_format)
    with object_reader(root) as reader:
        assert all(reader.read(one.id) == one for one in [*made, folder, tree])
        assert reader.find("HEAD") is None
        assert [reader.find(f"HEAD:{name}") for name in ("a b", "a b c", "a 12 b", "\udce9")] == [None] * 4
    assert git("fsck", "--strict", "--unreachable", "--no-progress", cwd=root)


@given(st.integers(min_value=0, max_value=2**40))
def test_pack_header_holds_type_and_size(size: int) -> None:
    header = objects._pack_header(3, size)
    assert header[0] >> 4 & 7 == 3
    value, shift = header[0] & 15, 4
    for byte in header[1:]:
        value, shift = value | (byte & 0x7F) << shift, shift + 7
    assert value == size
    assert [byte >> 7 for byte in header] == [1] * (len(header) - 1) + [0]


@pytest.mark.parametrize("sent", [b"", b"%s tree 100\n", b"%s tree 100\n" + b"x" * 60, b"%s tree 100\n" + b"x" * 100])
def test_half_an_answer_is_an_error_and_never_an_object(sent: bytes) -> None:
    """`cat-file` was killed in the middle of a tree, and the tree made from that half lacked files."""
    answer = sent.replace(b"%s", b"0" * 40)
    script = "import sys; sys.stdin.readline(); sys.stdout.write(sys.argv[1])"
    command: list[str | bytes] = [sys.executable, "-c", script, answer.decode()]
    with Child(command, env=os.environ) as child, pytest.raises(GitError, match="git stopped"):
        ObjectReader(Conversation(child, 60)).find("0" * 40)


@pytest.mark.parametrize("cut", [1, 19])
def test_a_tree_that_is_cut_off_is_an_error(cut: int) -> None:
    whole = format_tree({b"a": TreeEntry("100644", "1" * 40), b"b": TreeEntry("100644", "2" * 40)})
    with pytest.raises(GitError, match="cut off"):
        parse_tree(whole[:-cut], "sha1")
