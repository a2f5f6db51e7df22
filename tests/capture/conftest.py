"""Transcripts as lines, and the seed's own JavaScript beside ours."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from memsite.capture.readers import read_transcript
from memsite.capture.session import SessionSummary, summarize_session
from memsite.config import Config

SEED_FUNCTIONS = r"""
function estimateTokens(text) {
  if (!text) return 0;
  const cjkCount = (text.match(/[\u4e00-\u9fff\u3400-\u4dbf\uf900-\ufaff\u3000-\u303f\uff00-\uffef]/g) || []).length;
  const nonCjk = text.replace(/[\u4e00-\u9fff\u3400-\u4dbf\uf900-\ufaff\u3000-\u303f\uff00-\uffef]/g, "");
  const latinTokens = Math.ceil(nonCjk.length / 4);
  return Math.ceil(cjkCount * 1.5) + latinTokens;
}
function extractTailMessages(messages, count = 3) {
  if (!messages || messages.length === 0) return null;
  const pairs = [];
  let i = messages.length - 1;
  while (i >= 0 && pairs.length < count) {
    while (i >= 0 && messages[i]?.role !== "assistant") i--;
    if (i < 0) break;
    const assistantMsg = messages[i];
    i--;
    while (i >= 0 && messages[i]?.role !== "user") i--;
    if (i < 0) break;
    const userMsg = messages[i];
    i--;
    const getText = (msg) => {
      if (typeof msg?.content === "string") return msg.content;
      if (Array.isArray(msg?.content)) {
        return msg.content.filter(b => b?.type === "text").map(b => b.text).join("\n");
      }
      return "";
    };
    const userText = getText(userMsg).trim();
    const assistantText = getText(assistantMsg).trim();
    if (userText.length < 10 && assistantText.length < 20) continue;
    const maxPerMsg = 150;
    const truncMsg = (s) => {
      if (estimateTokens(s) <= maxPerMsg) return s;
      let lo = 0, hi = s.length;
      while (lo < hi) {
        const mid = (lo + hi + 1) >> 1;
        if (estimateTokens(s.slice(0, mid)) <= maxPerMsg) lo = mid;
        else hi = mid - 1;
      }
      return s.slice(0, lo) + "...";
    };
    pairs.unshift({ user: truncMsg(userText), assistant: truncMsg(assistantText) });
  }
  if (pairs.length === 0) return null;
  const lines = ["=== RECENT EXCHANGE (protected) ==="];
  for (const p of pairs) {
    lines.push(`User: ${p.user}`);
    lines.push(`Assistant: ${p.assistant}`);
    lines.push("---");
  }
  lines.push("=== END RECENT EXCHANGE ===");
  return lines.join("\n");
}
"""
"""The seed's functions as the seed has them (short-term memory layer, tasks 1 and 4): the oracle, never shipped."""

Node = Callable[[str, Any], Any]


@pytest.fixture(scope="session")
def node() -> Node:
    """Evaluate a JavaScript expression over `input` beside the seed's functions; skipped where there is no node."""
    program = shutil.which("node")
    if program is None:
        pytest.skip("!! NO node ON THIS MACHINE: the seed's own functions were not run beside ours")

    def evaluate(expression: str, value: Any) -> Any:
        script = f"{SEED_FUNCTIONS}\nconst input = JSON.parse(require('fs').readFileSync(0, 'utf8'));\n"
        script += f"console.log(JSON.stringify({expression}));"
        done = subprocess.run(
            [program, "-e", script], input=json.dumps(value).encode(), check=True, capture_output=True
        )
        return json.loads(done.stdout)

    return evaluate


FALLBACK = datetime(2025, 3, 20, 9, 30, tzinfo=UTC)


def jsonl(*records: Any) -> list[bytes]:
    """Each record as a line; bytes stay as they are."""
    return [record if isinstance(record, bytes) else json.dumps(record).encode() + b"\n" for record in records]


def summarize(*records: Any, format: str = "auto", config: Config | None = None, **fields: str) -> SessionSummary:
    """The summary of a transcript of these records, in UTC; `fields` are set on the transcript as a caller would."""
    transcript = read_transcript(jsonl(*records), format)
    for name, value in fields.items():
        setattr(transcript, name, value)
    return summarize_session(transcript, config=config or Config(), zone=UTC, fallback=FALLBACK)


@pytest.fixture(name="summarize")
def _summarize() -> Callable[..., SessionSummary]:
    return summarize


@pytest.fixture(name="jsonl")
def _jsonl() -> Callable[..., list[bytes]]:
    return jsonl
