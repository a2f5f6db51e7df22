"""Lines and single documents out of a stream, in bounded memory."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.capture import lines as module
from memsite.capture.documents import Document
from memsite.capture.lines import MAX_LINE_BYTES, is_blank, iter_lines, parse_record, starts_document
from memsite.capture.readers import read_transcript
from memsite.capture.session import SessionSummary


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b'{"a":1}\n{"b":2}\n', [b'{"a":1}\n', b'{"b":2}\n']),
        (b'{"a":1}\r\n{"b":', [b'{"a":1}\r\n', b'{"b":']),
        (b"\n\n{}\n\n{}", [b"{}\n", b"\n", b"{}"]),
        (b"{}\n[1]\n[2]", [b"{}\n", b"[1]\n", b"[2]"]),
        (b"\n[1,\n2]", [b"[1,\n", b"2]"]),
    ],
)
def test_lines_of_a_stream(data: bytes, lines: list[bytes]) -> None:
    assert list(iter_lines(io.BytesIO(data))) == lines


@pytest.mark.parametrize("extra", [-1, 0, 1, 70_000])
def test_the_limit_of_a_line(extra: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_LINE_BYTES", 200_000)
    long = b"x" * (200_000 + extra - 1) + b"\n"
    assert list(iter_lines(io.BytesIO(b"{}\n" + long + b"{}\n"))) == [b"{}\n", long if extra <= 0 else None, b"{}\n"]


def test_a_line_of_50_megabytes_is_counted_and_the_rest_is_read(summarize: Callable[..., SessionSummary]) -> None:
    class Stream(io.RawIOBase):
        """Makes the line as it is read, so that only the reader's own memory is in play."""

        def __init__(self) -> None:
            huge = [b'{"type":"user","message":{"role":"user","content":"', *[b"a" * 65536] * 800, b'"}}\n']
            self.parts = iter(
                [b'{"role":"user","content":"Which framework?"}\n', *huge, b'{"role":"assistant","content":"N"}']
            )
            self.rest = b""

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            self.rest = self.rest or next(self.parts, b"")
            part, self.rest = self.rest[: len(buffer)], self.rest[len(buffer) :]
            buffer[: len(part)] = part
            return len(part)

    transcript = read_transcript(iter_lines(io.BufferedReader(Stream())))
    assert [message.text for message in transcript] == ["Which framework?", "N"]
    assert transcript.skipped == 1


@pytest.mark.parametrize(
    ("line", "record"),
    [
        (b'{"a": 1}', {"a": 1}),
        (b'\xef\xbb\xbf{"a": 1}\r\n', {"a": 1}),
        (b'\0\0{"a": 1}\0\n', {"a": 1}),
        (b'{"a": "x\0y\ttab"}', {"a": "x\0y\ttab"}),
        (b'{"a": "\xff"}', {"a": "\ufffd"}),
        (b'{"a": "\\ud800"}', {"a": "\ud800"}),
        (b'{"a": 1', None),
        (b"null", None),
        (b"[1]", None),
        (b'"text"', None),
        (b"not json", None),
        (b'{"a": ' + b"9" * 5000 + b"}", None),
        (b'{"a": ' + b"[" * 100_000, None),
        (b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", None),
        (b" " * (MAX_LINE_BYTES + 1), None),
        (None, None),
    ],
)
def test_a_record_or_none(line: bytes | None, record: dict[str, Any] | None) -> None:
    assert parse_record(line) == record


@given(st.binary(max_size=80))
def test_no_bytes_raise(data: bytes) -> None:
    parse_record(data)
    starts_document(data)
    is_blank(data)
    list(read_transcript(iter_lines(io.BytesIO(data))))


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"[", True),
        (b"\xef\xbb\xbf \n[{", True),
        (b"{\n", True),
        (b'{"messages": [', True),
        (b'{"success": true, "ctx": {"sessionId": "s"}, "messages": [{"role"', True),
        (b'{"event": {"messages":[', True),
        (b'{"type":"session","version":3}\n', False),
        (b'{"role":"user","content":"say \\"messages\\": [1]"}', False),
        (b'{"parentUuid":null,"toolUseResult":{"messages":[1]}}', False),
        (b'{"type":"event_msg","payload":{"messages":[1]}}', False),
        (b"", False),
    ],
)
def test_what_begins_a_document(head: bytes, expected: bool) -> None:
    assert starts_document(head) is expected


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text('ab"\\[]{},:é\n', max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text('a"\\]', max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(JSON, max_size=6), st.integers(1, 9), st.sampled_from([None, 1]))
def test_a_list_is_cut_into_its_elements_however_it_arrives(elements: list[Any], size: int, indent: int | None) -> None:
    data = json.dumps(elements, indent=indent, ensure_ascii=False).encode()
    document = Document()
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    assert [json.loads(element or b"?") for element in document.elements(pieces)] == elements
    assert json.loads(bytes(document.shell)) == []


@given(st.lists(JSON, max_size=4), st.dictionaries(st.sampled_from(["ctx", "success", "a"]), JSON), st.integers(1, 9))
def test_an_event_is_cut_into_messages_and_shell(elements: list[Any], fields: dict[str, Any], size: int) -> None:
    data = json.dumps({**fields, "messages": elements, "runId": "r"}).encode()
    document = Document()
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    assert [json.loads(element or b"?") for element in document.elements(pieces)] == elements
    assert json.loads(bytes(document.shell)) == {**fields, "messages": [], "runId": "r"}


def test_an_element_longer_than_a_line_may_be_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memsite.capture.documents.MAX_LINE_BYTES", 1000)
    data = json.dumps(["short", "x" * 2000, "short"]).encode()
    assert list(Document().elements([data[:900], data[900:]])) == [b'"short"', None, b' "short"']


def test_a_document_cut_short_gives_what_it_has() -> None:
    assert list(Document().elements([b'[{"a": 1}, {"b": "x'])) == [b'{"a": 1}', b' {"b": "x']


def test_a_list_as_large_as_a_transcript_is_read_by_pieces() -> None:
    message = json.dumps({"role": "user", "content": "x" * 60_000}).encode()
    data = b"[" + b",".join([message] * 300) + b"]"
    assert len(data) > MAX_LINE_BYTES
    transcript = read_transcript(iter_lines(io.BytesIO(data)))
    assert sum(1 for _ in transcript) == 300
    assert transcript.skipped == 0
