"""A stand-in on the loopback for the model that an agent talks to: one fixed answer in the form of chat completions."""

from __future__ import annotations

import json

from tests.clients.loopback import LoopbackHandler, LoopbackServer

ANSWER = "We decided to use Next.js for the blog."
_USAGE = {"prompt_tokens": 10, "completion_tokens": 8, "total_tokens": 18}


class _Handler(LoopbackHandler):
    def do_GET(self) -> None:
        self.send("application/json", json.dumps({"object": "list", "data": [{"id": "m1", "object": "model"}]}))

    def do_POST(self) -> None:
        request = self.read()
        if request.get("stream"):
            self.send("text/event-stream", "".join(f"data: {line}\n\n" for line in (*_stream(), "[DONE]")))
        else:
            self.send("application/json", json.dumps(_completion()))


def _stream() -> tuple[str, str]:
    head = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m1"}
    said = {"index": 0, "delta": {"role": "assistant", "content": ANSWER}, "finish_reason": None}
    ended = {"index": 0, "delta": {}, "finish_reason": "stop"}
    return json.dumps({**head, "choices": [said]}), json.dumps({**head, "choices": [ended], "usage": _USAGE})


def _completion() -> dict[str, object]:
    choice = {"index": 0, "message": {"role": "assistant", "content": ANSWER}, "finish_reason": "stop"}
    return {"id": "c1", "object": "chat.completion", "created": 1, "model": "m1", "choices": [choice], "usage": _USAGE}


class MockModel(LoopbackServer):
    """The stand-in; use it as a context manager."""

    def __init__(self) -> None:
        super().__init__(_Handler)

    @property
    def address(self) -> str:
        """The base URL that an agent's configuration names."""
        return f"http://127.0.0.1:{self.server_port}/v1"
