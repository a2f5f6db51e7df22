from __future__ import annotations

from memsite.prose.remembered import remembered


def test_a_line_is_looked_at_once_unless_it_is_long() -> None:
    looks: list[str] = []

    @remembered
    def length(line: str) -> int:
        looks.append(line)
        return len(line)

    for line in ("- one", "- one", "x" * 5_000, "x" * 5_000):
        assert length(line) == len(line)
    assert looks == ["- one", "x" * 5_000, "x" * 5_000]
