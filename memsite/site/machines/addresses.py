"""Where the files for other programs stand."""

from __future__ import annotations

from datetime import date

from memsite.site.links import topic_uri

API = "api/"
LLMS = "llms.txt"
CHANGES_FEED = "feeds/changes.xml"
GENERATIONS_FEED = "feeds/generations.xml"


def topic_file(slug: str) -> str:
    """A topic as JSON."""
    return f"{API}topics/{slug}.json"


def generation_file(slug: str, segment: str) -> str:
    """A generation as JSON, by its segment: `api/generations/<slug>/gen2.json`."""
    return f"{API}generations/{slug}/{segment}.json"


def day_file(day: date) -> str:
    """A day as JSON."""
    return f"{API}days/{day.isoformat()}.json"


def topic_feed(slug: str) -> str:
    """What is written about a topic, as a feed."""
    return f"{topic_uri(slug)}feed.xml"
