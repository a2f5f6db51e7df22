"""The wheel: everything that memsite needs when nobody has cloned it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
PARTS = ("memsite", "hooks", "pyproject.toml", "mkdocs.yml", "README.md", "LICENSE")


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what a wheel is made from."""
    sources = tmp_path_factory.mktemp("sources")
    for name in PARTS:
        source = PROJECT / name
        if source.is_dir():
            shutil.copytree(source, sources / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, sources / name)
    return sources


@pytest.fixture(scope="module")
def unpacked(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, unpacked as an installer unpacks it."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel"]
    subprocess.run(command, cwd=sources, check=True, capture_output=True)
    (wheel,) = (sources / "dist").glob("*.whl")
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def run(unpacked: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    code = (
        f"import sys; sys.path.insert(0, {str(unpacked)!r}); import memsite; "
        f"assert memsite.__file__.startswith({str(unpacked)!r}); "
        "from memsite.cli.main import main; sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-P", "-c", code, *arguments]
    return subprocess.run(command, cwd=unpacked, env=os.environ, capture_output=True, text=True, check=False)


def test_nothing_of_the_package_is_missing_in_the_wheel(sources: Path, unpacked: Path) -> None:
    wanted = {file.relative_to(sources) for file in (sources / "memsite").rglob("*") if file.is_file()}
    installed = {file.relative_to(unpacked) for file in unpacked.rglob("*") if file.is_file()}
    assert wanted - installed == set()
    assert {Path("memsite/_data/hooks/memsite-hook"), Path("memsite/_data/mkdocs.yml")} <= installed


def test_an_installed_memsite_makes_a_workspace_with_hooks_and_a_site(unpacked: Path, tmp_path: Path) -> None:
    made = run(unpacked, "-C", str(tmp_path), "init", "agent")
    assert made.returncode == 0, made.stderr
    root = tmp_path / "agent"
    assert "memsite git hook" in (root / ".git" / "hooks" / "pre-commit").read_text(encoding="utf-8")
    assert run(unpacked, "-C", str(root), "note", "installed").returncode == 0
    transcript = root / "transcript.json"
    transcript.write_text('[{"role": "user", "content": "Does the wheel work?"}]', encoding="utf-8")
    logged = run(unpacked, "-C", str(root), "log", str(transcript), "--format", "messages", "--at", "2025-03-20T10:00")
    assert logged.returncode == 0, logged.stderr
    transcript.unlink()
    built = run(unpacked, "-C", str(root), "build")
    assert built.returncode == 0, built.stderr
    assert (root / "site/sessions/2025-03-20/index.html").exists()
    published = run(unpacked, "-C", str(root), "publish", "--yes")
    assert published.returncode == 0, published.stderr
    branch = subprocess.run(
        ["git", "ls-tree", "-r", "--name-only", "gh-pages"], cwd=root, capture_output=True, check=True
    )
    assert b"sessions/2025-03-20/index.html" in branch.stdout


@pytest.mark.parametrize("host", ["github", "gitlab", "forgejo"])
def test_an_installed_memsite_writes_ci_files(unpacked: Path, tmp_path: Path, host: str) -> None:
    made = run(unpacked, "-C", str(tmp_path), "init", "agent", "--no-hooks", "--ci", host)
    assert made.returncode == 0, made.stderr
    assert "memsite.yml" in made.stdout
    assert not any("@VERSION@" in file.read_text("utf-8") for file in (tmp_path / "agent").rglob(".*/**/memsite.yml"))


@pytest.mark.skipif(not os.environ.get("MEMSITE_TEST_LONG"), reason="installs every dependency anew")
def test_the_wheel_installs_into_an_empty_environment(sources: Path, unpacked: Path, tmp_path: Path) -> None:
    (wheel,) = (sources / "dist").glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    tools = tmp_path / "venv/bin"
    subprocess.run([str(tools / "pip"), "install", "-q", "--disable-pip-version-check", str(wheel)], check=True)
    for arguments in (["init", "agent"], ["-C", "agent", "note", "hello"], ["-C", "agent", "publish", "--yes"]):
        done = subprocess.run(
            [str(tools / "memsite"), *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr


def test_the_version_is_the_packages_own(unpacked: Path) -> None:
    (metadata,) = unpacked.glob("memsite-*.dist-info/METADATA")
    version = next(line for line in metadata.read_text(encoding="utf-8").splitlines() if line.startswith("Version: "))
    assert run(unpacked, "--version").stdout == f"memsite {version.removeprefix('Version: ')}\n"
