"""The quick commands import this room; what is slow to load is loaded by the function that needs it."""

from __future__ import annotations

import subprocess
import sys


def test_importing_the_room_loads_nothing_slow() -> None:
    program = (
        "import sys\n"
        "from memsite.safety import csp, html, paths, secret_rules, secrets, terminal\n"
        "print(sorted({'nh3', 'betterleaks', 'yaml', 'jinja2', 'asyncio', 'mkdocs', 'git'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout == "[]\n"
