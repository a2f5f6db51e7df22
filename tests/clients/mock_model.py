"""A stand-in on the loopback for the model that an agent talks to: one fixed answer in the form of chat completions."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ANSWER = "We decided to use Next.js for the blog."
_USAGE = {"prompt_tokens": 10, "completion_tokens": 8, "total_tokens": 18}


class _Handler(BaseHTTPRequestHandler):
    server: MockModel

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the tests' output is pytest's."""

    def do_GET(self) -> None:
        self._send("application/json", json.dumps({"object": "list", "data": [{"id": "m1", "object": "model"}]}))

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        self.server.requests.append(request)
        if request.get("stream"):
            self._send("text/event-stream", "".join(f"data: {line}\n\n" for line in (*_stream(), "[DONE]")))
        else:
            self._send("application/json", json.dumps(_completion()))

    def _send(self, kind: str, text: str) -> None:
        body = text.encode()
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _stream() -> tuple[str, str]:
    head = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m1"}
    said = {"index": 0, "delta": {"role": "assistant", "content": ANSWER}, "finish_reason": None}
    ended = {"index": 0, "delta": {}, "finish_reason": "stop"}
    return json.dumps({**head, "choices": [said]}), json.dumps({**head, "choices": [ended], "usage": _USAGE})


def _completion() -> dict[str, object]:
    choice = {"index": 0, "message": {"role": "assistant", "content": ANSWER}, "finish_reason": "stop"}
    return {"id": "c1", "object": "chat.completion", "created": 1, "model": "m1", "choices": [choice], "usage": _USAGE}


class MockModel(ThreadingHTTPServer):
    """Listens on 127.0.0.1 alone; use it as a context manager."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[dict[str, object]] = []
        self._thread = threading.Thread(target=self.serve_forever, daemon=True)

    @property
    def address(self) -> str:
        """The base URL that an agent's configuration names."""
        return f"http://127.0.0.1:{self.server_port}/v1"

    def __enter__(self) -> MockModel:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()
