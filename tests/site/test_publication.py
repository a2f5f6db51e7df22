"""A publication has no secret in it, wherever it stood and however it was written."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from memsite.repo.workspace import open_workspace
from memsite.safety.secrets import redact
from memsite.site.publication import build_publication, read_publication
from tests.leaky_memory import MESSAGES, SURFACES, make_leaky_memory
from tests.published import find_values, read_site


def test_no_secret_of_any_kind_on_any_surface_is_published(workspace: Path) -> None:
    secrets = make_leaky_memory(workspace, 41, 402)
    assert len(SURFACES) + len(MESSAGES) >= 12
    found = [one for one in secrets if not any(part in redact(f"- {one.text}\n").text for part in one.parts)]
    assert len(found) >= 0.95 * len(secrets)
    opened = open_workspace(workspace)
    result = build_publication(opened, read_publication(opened))
    files = read_site(result.index.parent)
    assert len(files) > 30
    leaks = find_values(files, [part for one in found for part in one.parts])
    assert Counter((name, way) for name, way, _ in leaks) == {}
