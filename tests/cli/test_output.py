from __future__ import annotations

import io
import json

import pytest

from memsite.cli.output import Output


def make(*, as_json: bool = False, coloured: bool = False) -> tuple[Output, io.StringIO, io.StringIO]:
    out, err = io.StringIO(), io.StringIO()
    return Output(out, err, coloured=coloured, as_json=as_json), out, err


@pytest.mark.parametrize("hostile", ["\x1b[2J", "\x07", "\x9b31m", "\u202eevil", "\r", "\x00"])
def test_no_control_of_memory_text_reaches_the_terminal(hostile: str) -> None:
    plain, out, err = make()
    plain.line(f"a{hostile}b")
    plain.warn(f"a{hostile}b")
    plain.table([[f"a{hostile}b", "c"]])
    answer, json_out, _ = make(as_json=True)
    answer.json({"text": f"a{hostile}b"})
    for stream in (out, err, json_out):
        assert hostile not in stream.getvalue()


def test_json_says_what_was_given() -> None:
    output, out, _ = make(as_json=True)
    output.line("not shown")
    output.json({"text": "决定 \x1b \u202e", "list": [1]})
    assert json.loads(out.getvalue()) == {"text": "决定 \x1b \u202e", "list": [1]}


def test_table_aligns_by_the_cells_that_a_terminal_gives() -> None:
    output, out, _ = make()
    output.table([["博客项目", "1"], ["blog", "2"]])
    assert out.getvalue() == "博客项目  1\nblog      2\n"


def test_colours_only_when_asked_for() -> None:
    assert make(coloured=False)[0].styled("x", "bold") == "x"
    assert make(coloured=True)[0].styled("x", "bold") == "\x1b[1mx\x1b[0m"
