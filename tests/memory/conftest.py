"""How many examples property tests of this room try."""

from __future__ import annotations

from tests.limits import LONG

EXAMPLES = 10_000 if LONG else 300
"""Of what must hold for any bytes: an index is read losslessly, an edit touches its entry alone."""
