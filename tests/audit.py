"""`make audit`: whether a package that memsite is installed with has a vulnerability that is known.

pip-audit does it, in an environment of its own, so that neither memsite nor its tests depend on it. Where nobody
answers, nothing is checked, which is said in less than two seconds and fails nothing.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.request
import venv
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
TOOL = "pip-audit>=2.10,<3"
INDEX = "https://pypi.org/pypi"
PATIENCE = 1.5
"""Seconds for one answer, the look-up of the name included."""
LONGEST = 300
"""Seconds for the installation, and for the audit."""
SKIPPED = "!! NOT AUDITED: {reason}. Nobody has looked for known vulnerabilities of the dependencies."

Report = Mapping[str, Any]


def main() -> int:
    """Audit the environment that this runs in; 1 where a vulnerability is known."""
    if not answers(f"{INDEX}/mkdocs/{version('mkdocs')}/json"):
        return _skip(f"{INDEX} tells nothing about them within {PATIENCE} s")
    try:
        tool = _install(ROOT / "build" / "audit")
        report = _audit(tool)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return _skip(f"pip-audit: {type(error).__name__}")
    if not any("vulns" in one for one in report["dependencies"]):
        return _skip("the index knows none of them")
    print(*lines_of(report), sep="\n")
    return int(any(one.get("vulns") for one in report["dependencies"]))


def answers(address: str) -> bool:
    """Whether an address answers with JSON that lists vulnerabilities.

    In a child that ends by itself: the look-up of a name cannot be interrupted otherwise.
    """
    command = [sys.executable, "-m", "tests.audit", "--ask", address]
    return subprocess.run(command, cwd=ROOT, check=False, stderr=subprocess.DEVNULL).returncode == 0


def _ask(address: str) -> None:
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    with urllib.request.urlopen(address) as answer:
        assert "vulnerabilities" in json.load(answer)


def _install(place: Path) -> Path:
    tool = place / "bin" / "pip-audit"
    if not tool.is_file():
        venv.create(place, with_pip=True, clear=True)
        install = [str(place / "bin" / "python"), "-m", "pip", "install", "--quiet", TOOL]
        subprocess.run(install, check=True, timeout=LONGEST, stderr=subprocess.DEVNULL)
    return tool


def _audit(tool: Path) -> Report:
    packages = next(path for path in map(Path, sys.path) if path.name == "site-packages")
    command = [str(tool), "--path", str(packages), "--format", "json", "--progress-spinner", "off", "--timeout", "5"]
    done = subprocess.run(command, check=False, timeout=LONGEST, capture_output=True)
    report: Report = json.loads(done.stdout)
    return report


def lines_of(report: Report) -> Iterator[str]:
    """What a report says, a line for each vulnerability and for each package that was left out."""
    audited = [one for one in report["dependencies"] if "vulns" in one]
    for one in audited:
        for found in one["vulns"]:
            mended = ", ".join(found.get("fix_versions", ())) or "no version"
            yield f"{one['name']} {one['version']}: {found['id']}, mended in {mended}"
    left_out = [one["name"] for one in report["dependencies"] if "vulns" not in one and one["name"] != "memsite"]
    if left_out:
        yield f"!! not audited, the index does not know them: {', '.join(left_out)}"
    yield f"{len(audited)} packages audited, {sum(bool(one['vulns']) for one in audited)} with known vulnerabilities"


def _skip(reason: str) -> int:
    print(SKIPPED.format(reason=reason), file=sys.stderr)
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--ask"]:
        _ask(sys.argv[2])
    else:
        sys.exit(main())
