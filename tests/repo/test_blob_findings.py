"""Each blob is scanned once; what is kept of it has no value in it and may vanish at any moment."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path, PurePosixPath

import pytest

from memsite.config import Allowed
from memsite.memory.snapshot import blob_id
from memsite.repo import blob_findings
from memsite.repo.blob_findings import BlobFindings
from memsite.repo.workspace import Repository, Workspace
from memsite.safety.allowing import fingerprint
from memsite.safety.secrets import redact
from tests.secret_kinds import plant

TEXTS = [f"# Note {number}\n\n{one.text}\n".encode() for number, one in enumerate(plant(21, 70))]


@pytest.fixture
def repository(ws: Workspace) -> Repository:
    return ws.require_repository()


def databases(repository: Repository) -> list[Path]:
    return sorted(repository.own_dir.glob("secrets-*.sqlite"))


def scan_all(repository: Repository) -> list[str]:
    with BlobFindings(repository) as findings:
        return [findings.redaction(blob_id(text), text).text for text in TEXTS]


def test_a_blob_is_scanned_once(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    first = scan_all(repository)
    assert first == [redact(text.decode()).text for text in TEXTS]

    def fail(*_: object) -> None:
        raise AssertionError("scanned again")

    monkeypatch.setattr(blob_findings, "find_passes", fail)
    assert scan_all(repository) == first


def test_no_value_is_kept(repository: Repository) -> None:
    scan_all(repository)
    (database,) = databases(repository)
    kept = database.read_bytes()
    for one in plant(21, 70):
        assert not any(part.encode() in kept for part in one.parts)


@pytest.mark.parametrize("damage", ["deleted", "cut off", "no database", "of other rules"])
def test_what_is_kept_may_be_lost(repository: Repository, damage: str) -> None:
    first = scan_all(repository)
    (database,) = databases(repository)
    match damage:
        case "deleted":
            database.unlink()
        case "cut off":
            database.write_bytes(database.read_bytes()[:5000])
        case "no database":
            database.write_bytes(b"nothing of the kind" * 100)
        case _:
            database.rename(database.with_name("secrets-0000000000000000.sqlite"))
    assert scan_all(repository) == first
    assert scan_all(repository) == first
    assert len(databases(repository)) == 1


def test_it_may_be_deleted_while_it_is_used(repository: Repository) -> None:
    with BlobFindings(repository) as findings:
        before = findings.redaction(blob_id(TEXTS[0]), TEXTS[0]).text
        for database in databases(repository):
            database.unlink()
        assert findings.redaction(blob_id(TEXTS[1]), TEXTS[1]).text
        assert findings.redaction(blob_id(TEXTS[0]), TEXTS[0]).text == before
    assert scan_all(repository)[0] == before


def test_two_processes_share_it(ws: Workspace, repository: Repository) -> None:
    program = (
        "import sys; from pathlib import Path; from memsite.repo.workspace import open_workspace\n"
        "from tests.repo.test_blob_findings import scan_all\n"
        "repository = open_workspace(Path(sys.argv[1])).require_repository()\n"
        "print(hash(tuple(scan_all(repository))) != 0)"
    )
    command = [sys.executable, "-c", program, str(ws.root)]
    root = Path(__file__).parents[2]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, cwd=root) for _ in range(2)]
    assert [one.communicate()[0] for one in running] == [b"True\n"] * 2
    assert len(databases(repository)) == 1


def test_a_folder_that_cannot_be_written_is_no_obstacle(repository: Repository) -> None:
    repository.own_dir.mkdir(exist_ok=True)
    (repository.own_dir / "in-the-way").write_text("x", encoding="utf-8")
    blocked = Repository(repository.root, repository.git_dir, repository.own_dir / "in-the-way", repository.prefix)
    assert scan_all(blocked) == scan_all(repository)


def test_what_is_allowed_is_no_finding(repository: Repository) -> None:
    one = next(plant(22, 1))
    text = f"{one.text} and {next(iter(plant(23, 3))).text}\n".encode()
    for entry, path, gone in (
        (Allowed("an example", value=one.value), "memory/a.md", False),
        (Allowed("an example", value=fingerprint(one.value)), "memory/a.md", False),
        (Allowed("examples", path="memory/docs"), "memory/docs/a.md", False),
        (Allowed("examples", path="memory/docs"), "memory/a.md", True),
        (Allowed("another rule", value=one.value, rule="jwt"), "memory/a.md", True),
    ):
        with BlobFindings(repository, (entry,)) as findings:
            left = findings.redaction(blob_id(text), text, PurePosixPath(path)).text
        assert (one.value not in left) is gone, entry


def test_what_can_be_read_in_other_bytes_is_found(repository: Repository) -> None:
    one = next(plant(24, 3))
    noise = random.Random(25).randbytes(20_000)
    with BlobFindings(repository) as findings:
        for data in (noise + f" {one.value} ".encode() + noise, b"\0" + one.text.encode("utf-16")):
            assert [finding.value for finding in findings.findings(blob_id(data), data)] == [one.value]
        assert findings.findings("x", b"\0" + random.Random(26).randbytes(2_000_000)) == ()
