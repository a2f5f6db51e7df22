"""The user's word is kept outside of the workspace, and what others may have written there is not it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memsite.errors import RefusedError
from memsite.repo.executable import Executable, Runs
from memsite.repo.trusted import TrustStore

NOW = datetime(2025, 3, 20, 10, 30, tzinfo=UTC)
FOUND = Executable(site=(Runs("mkdocs.yml", 3, "hook x.py", "runs", files={"x.py": "0" * 64}),))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace beside the configuration folder."""
    (tmp_path / "workspace").mkdir()
    return tmp_path / "workspace"


def record(store: TrustStore) -> Path:
    (path,) = store.folder.iterdir()
    return path


def test_a_word_is_kept_for_one_workspace_and_can_be_taken_back(tmp_path: Path, root: Path) -> None:
    store = TrustStore(tmp_path / "config")
    assert store.read(root) is None
    store.write(root, FOUND, NOW)
    kept = store.read(root)
    assert kept is not None
    assert (kept.hash, kept.at, dict(kept.files)) == (FOUND.hash, NOW, {"x.py": "0" * 64})
    assert store.read(tmp_path) is None
    assert record(store).stat().st_mode & 0o777 == 0o600
    assert store.forget(root)
    assert not store.forget(root)
    assert store.read(root) is None


@pytest.mark.parametrize("data", [b"", b"{}", b"[" * 100_000, b'{"hash": 1, "at": "x", "files": 3}', b"\xff"])
def test_a_damaged_record_allows_nothing(tmp_path: Path, root: Path, data: bytes) -> None:
    store = TrustStore(tmp_path / "config")
    store.write(root, FOUND, NOW)
    record(store).write_bytes(data)
    assert store.read(root) is None


def test_a_record_that_others_can_write_allows_nothing(tmp_path: Path, root: Path) -> None:
    store = TrustStore(tmp_path / "config")
    store.write(root, FOUND, NOW)
    record(store).chmod(0o666)
    assert store.read(root) is None


def test_a_record_behind_a_link_allows_nothing(tmp_path: Path, root: Path) -> None:
    store = TrustStore(tmp_path / "config")
    store.write(root, FOUND, NOW)
    path = record(store)
    path.rename(root / "forged.json")
    path.symlink_to(root / "forged.json")
    assert store.read(root) is None


def test_a_configuration_folder_within_the_workspace_vouches_for_nothing(root: Path) -> None:
    store = TrustStore(root / ".config")
    with pytest.raises(RefusedError, match="set XDG_CONFIG_HOME to a folder outside"):
        store.write(root, FOUND, NOW)
    assert not (root / ".config").exists()


def test_a_configuration_folder_that_leads_into_the_workspace_vouches_for_nothing(tmp_path: Path, root: Path) -> None:
    TrustStore(tmp_path / "config").write(root, FOUND, NOW)
    (tmp_path / "config").rename(root / "config")
    (tmp_path / "config").symlink_to(root / "config")
    assert TrustStore(tmp_path / "config").read(root) is None
