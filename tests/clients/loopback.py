"""What every stand-in for a model is: a server on the loopback that keeps what it was asked."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


class LoopbackHandler(BaseHTTPRequestHandler):
    """Reads a request, keeps it, answers with text."""

    server: LoopbackServer

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the tests' output is pytest's."""

    def read(self) -> Any:
        """The request's JSON, kept in the server's `requests`."""
        request = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        self.server.requests.append(request)
        return request

    def send(self, kind: str, text: str) -> None:
        """Answer with one body."""
        body = text.encode()
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class LoopbackServer(ThreadingHTTPServer):
    """Listens on 127.0.0.1 alone; use it as a context manager."""

    daemon_threads = True

    def __init__(self, handler: type[LoopbackHandler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.requests: list[dict[str, object]] = []
        self._thread = threading.Thread(target=self.serve_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()
