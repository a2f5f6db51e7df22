"""A stand-in on the loopback for the model that Claude Code talks to: numbered answers in the form of messages."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tests.clients.loopback import LoopbackHandler, LoopbackServer


class _Handler(LoopbackHandler):
    def do_POST(self) -> None:
        request = self.read()
        answer = f"Answer {len(self.server.requests)}: the blog is hosted at home."
        if self.path.endswith("/count_tokens"):
            self.send("application/json", json.dumps({"input_tokens": 10}))
        elif request.get("stream"):
            events = _events(_message([]), answer)
            self.send("text/event-stream", "".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events))
        else:
            self.send("application/json", json.dumps(_message([{"type": "text", "text": answer}])))


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


class MockMessages(LoopbackServer):
    """The stand-in; use it as a context manager."""

    def __init__(self) -> None:
        super().__init__(_Handler)

    @property
    def address(self) -> str:
        """What `ANTHROPIC_BASE_URL` names."""
        return f"http://127.0.0.1:{self.server_port}"
