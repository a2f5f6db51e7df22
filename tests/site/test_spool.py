from __future__ import annotations

from memsite.site.crew import do_all
from memsite.site.spool import Spool


def test_a_text_is_the_last_one_that_its_name_got() -> None:
    spool = Spool()
    spool.update({"a": b"one", "b": b"", "c": b"three"})
    spool["a"] = b"uno"
    del spool["c"]
    assert dict(spool) == {"a": b"uno", "b": b""}
    assert len(spool) == 2
    assert "c" not in spool
    assert spool.get("c") is None


def test_forks_read_what_was_there_when_they_began() -> None:
    spool = Spool()
    spool.update({str(number): str(number).encode() * number for number in range(100)})
    read = do_all(100, lambda number: spool[str(number)], processes=3)
    assert read == [str(number).encode() * number for number in range(100)]
