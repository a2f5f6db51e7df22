"""Property tests of this room have no deadline per example: a busy machine is no fault of the code."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("memory", deadline=None)
settings.load_profile("memory")
EXAMPLES = 10_000 if os.environ.get("MEMSITE_TEST_LONG") else 300
"""Of what must hold for any bytes: an index is read losslessly, an edit touches its entry alone."""
