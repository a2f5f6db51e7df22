"""All files of a site for other programs."""

from __future__ import annotations

from collections.abc import Mapping

from memsite.site.links import topic_uri
from memsite.site.machines.addresses import CHANGES_FEED, GENERATIONS_FEED, topic_feed
from memsite.site.machines.api import api_files
from memsite.site.machines.copies import markdown_copies, raw_files
from memsite.site.machines.feeds import feed_files
from memsite.site.machines.llms import llms_file
from memsite.site.pages.atlas import Atlas
from memsite.site.spec import MachineFiles, PageLink, PagePart, SiteIdentity


def machine_files(atlas: Atlas, site: SiteIdentity) -> MachineFiles:
    """Markdown, the JSON API, feeds, llms.txt: made from the atlas alone, so that the veil holds here, too."""
    copies = tuple(markdown_copies(atlas))
    parts: list[PagePart] = [part for copy in copies for part in copy.parts()]
    parts += api_files(atlas, site)
    parts += feed_files(atlas, site)
    parts.append(llms_file(atlas, site))
    parts += raw_files(atlas)
    return MachineFiles(tuple(parts), {copy.page: copy.version for copy in copies}, _feeds(atlas))


def _feeds(atlas: Atlas) -> Mapping[str, tuple[PageLink, ...]]:
    every = (PageLink("Changes", CHANGES_FEED), PageLink("Generations", GENERATIONS_FEED))
    slugs = [line.topic.slug for line in atlas.lineages]
    return {"*": every, **{topic_uri(slug): (PageLink(slug, topic_feed(slug)),) for slug in slugs}}
