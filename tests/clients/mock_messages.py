"""A stand-in on the loopback for the model that Claude Code talks to: numbered answers in the form of messages."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class _Handler(BaseHTTPRequestHandler):
    server: MockMessages

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the tests' output is pytest's."""

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        self.server.requests.append(request)
        answer = f"Answer {len(self.server.requests)}: the blog is hosted at home."
        if self.path.endswith("/count_tokens"):
            self._send("application/json", json.dumps({"input_tokens": 10}))
        elif request.get("stream"):
            events = _events(_message([]), answer)
            self._send("text/event-stream", "".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events))
        else:
            self._send("application/json", json.dumps(_message([{"type": "text", "text": answer}])))

    def _send(self, kind: str, text: str) -> None:
        body = text.encode()
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _message(content: list[dict[str, str]]) -> dict[str, object]:
    return {
        "id": f"msg_{id(content)}",
        "type": "message",
        "role": "assistant",
        "model": "stand-in",
        "content": content,
        "stop_reason": "end_turn" if content else None,
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 10},
    }


def _events(message: dict[str, object], answer: str) -> Iterator[dict[str, object]]:
    text = {"type": "text_delta", "text": answer}
    ended = {"stop_reason": "end_turn", "stop_sequence": None}
    yield {"type": "message_start", "message": message}
    yield {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    yield {"type": "content_block_delta", "index": 0, "delta": text}
    yield {"type": "content_block_stop", "index": 0}
    yield {"type": "message_delta", "delta": ended, "usage": {"output_tokens": 10}}
    yield {"type": "message_stop"}


class MockMessages(ThreadingHTTPServer):
    """Listens on 127.0.0.1 alone; use it as a context manager."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[dict[str, object]] = []
        self._thread = threading.Thread(target=self.serve_forever, daemon=True)

    @property
    def address(self) -> str:
        """What `ANTHROPIC_BASE_URL` names."""
        return f"http://127.0.0.1:{self.server_port}"

    def __enter__(self) -> MockMessages:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()
