"""The audit of dependencies: it fails for a vulnerability, never for want of an answer."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from tests import audit
from tests.conftest import free_port

REPORT = {
    "dependencies": [
        {"name": "sound", "version": "1", "vulns": []},
        {"name": "holed", "version": "2", "vulns": [{"id": "CVE-1", "fix_versions": ["3"]}, {"id": "CVE-2"}]},
        {"name": "memsite", "skip_reason": "local"},
        {"name": "unknown", "skip_reason": "not found"},
    ]
}


@pytest.fixture
def index() -> Iterator[str]:
    """The address of an index that knows vulnerabilities at `/known`, and answers at no other place."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/known" else 404)
            self.end_headers()
            self.wfile.write(json.dumps({"vulnerabilities": []}).encode())

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_only_an_index_that_tells_of_vulnerabilities_is_asked(index: str) -> None:
    assert audit.answers(f"{index}/known")
    assert not audit.answers(f"{index}/other")
    assert not audit.answers(f"http://127.0.0.1:{free_port()}/")


def test_without_an_answer_nothing_is_audited_loudly_and_nothing_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(audit, "INDEX", f"http://127.0.0.1:{free_port()}")
    assert audit.main() == 0
    assert capsys.readouterr().err.startswith("!! NOT AUDITED: http://127.0.0.1:")


def test_a_known_vulnerability_fails_and_what_was_left_out_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(audit, "answers", lambda _address: True)
    monkeypatch.setattr(audit, "_install", lambda place: place)
    monkeypatch.setattr(audit, "_audit", lambda _tool: REPORT)
    assert audit.main() == 1
    assert capsys.readouterr().out.splitlines() == [
        "holed 2: CVE-1, mended in 3",
        "holed 2: CVE-2, mended in no version",
        "!! not audited, the index does not know them: unknown",
        "2 packages audited, 1 with known vulnerabilities",
    ]


def test_a_report_that_looked_at_nothing_is_no_clean_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(audit, "answers", lambda _address: True)
    monkeypatch.setattr(audit, "_install", lambda place: place)
    monkeypatch.setattr(audit, "_audit", lambda _tool: {"dependencies": [{"name": "a", "skip_reason": "not found"}]})
    assert audit.main() == 0
    assert capsys.readouterr().err.startswith("!! NOT AUDITED")
