"""Property tests of this room have no deadline per example: a busy machine is no fault of the code."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("prose", deadline=None)
settings.load_profile("prose")
