"""On the owner's own site private parts are there, with a lock."""

from __future__ import annotations

from pathlib import Path

from memsite.repo.workspace import open_workspace
from memsite.site.build import build_site
from tests.published import read_site
from tests.site.test_private import CLOSE, OPEN, SETTINGS, build_history, generation


def test_private_parts_have_a_lock_on_the_owners_site(workspace: Path) -> None:
    index = "# I\n\n## Projects\n\n- **salary-talks**\n  - Dates: [2025-03-20]\n- **blog**\n  - Dates: [2025-03-20]\n"
    note = f"# 2025-03-20\n\nA {OPEN}little{CLOSE} blog.\n\n{OPEN}\n\nHidden.\n\n{CLOSE}\n"
    build_history(
        workspace,
        [
            (
                "all",
                {
                    "memsite.toml": SETTINGS,
                    "memory/INDEX.md": index,
                    "memory/2025-03-20.md": note,
                    "memory/people/grace.md": "# Grace\n\nShe is somebody.\n",
                    "memory/shopping.md": f"# Shopping\n\nWrite `{OPEN}`.\n",
                    "memory/consolidated/salary-talks-gen1-2025-03-25.md": generation(
                        "Salary Talks", 1, "It.", "That."
                    ),
                },
            )
        ],
    )
    build_site(open_workspace(workspace))
    pages = {name: data.decode("utf-8", "replace") for name, data in read_site(workspace / "site").items()}
    notice = "Private: on no published site."
    locked = {name for name, page in pages.items() if notice in page and name.endswith(".html")}
    assert locked == {
        f"{uri}/index.html" for uri in ("topics/salary-talks", "topics/salary-talks/gen1", "notes/people/grace")
    }
    badge = 'class="memsite-badge memsite-private"'
    assert pages["topics/index.html"].count(badge) == 1
    assert pages["notes/index.html"].count(badge) == 1
    day = pages["daily/2025-03-20/index.html"]
    assert day.count('<hr class="memsite-private-open">') == day.count('<hr class="memsite-private-close">') == 1
    assert 'A <span class="memsite-private-open"></span>little<span class="memsite-private-close"></span> blog.' in day
    assert "Hidden." in day
    assert "memsite-private-open" not in pages["notes/shopping/index.html"]
