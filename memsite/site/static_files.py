"""What mkdocs.yml says of a site, made safe, and the files of a site that are no pages: scripts, styles, images."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import get_plugin_logger

from memsite.safety.csp import headers_file
from memsite.safety.html import is_safe_link
from memsite.site.links import asset_uri
from memsite.site.plan import SitePlan
from memsite.site.spec import SiteIdentity
from memsite.site.theme import STYLES, icon_styles, package_assets

HEADERS = "_headers"
IN_ADDRESSES = "!#$%&()*+,/:;=?@[]~"
"""What stays in an address of mkdocs.yml, beside letters, digits and `-._`. MkDocs takes addresses apart when they are
escaped: a quote would have a `#` in it by then."""
NO_JEKYLL = ".nojekyll"
"""For GitHub, which would make HTML of Markdown files."""
log = get_plugin_logger(__name__)


def drop_unsafe_links(config: MkDocsConfig) -> None:
    """An agent can write mkdocs.yml: where its links lead, nothing may run, and quotes are percent-encoded."""
    for settings, name in (
        (config, "repo_url"),
        (config, "site_url"),
        (config.extra, "homepage"),
    ):
        if settings.get(name) and not is_safe_link(str(settings[name])):
            log.warning(f"mkdocs.yml: {name!r} is left out, it is no web address")
            settings[name] = None
        elif settings.get(name):
            settings[name] = quote(str(settings[name]), safe=IN_ADDRESSES)


def static_files(config: MkDocsConfig, plan: SitePlan) -> Iterable[tuple[str, bytes]]:
    """Each by its address: the program's own, images of the memory, what mkdocs.yml adds."""
    for uri, data in package_assets():
        yield uri, data + icon_styles(config) if uri == STYLES else data
    yield HEADERS, headers_file().encode()
    yield NO_JEKYLL, b""
    for path, blob in plan.assets.items():
        yield asset_uri(path), blob.data
    wanted = {str(name) for name in config.extra_css}
    for path, blob in plan.styles.items():
        if str(path) in wanted:
            yield str(path), blob.data
    yield from plan.published.items()


def identity_of(config: MkDocsConfig) -> SiteIdentity:
    """The site's names as mkdocs.yml has them."""
    url = f"{str(config.site_url).rstrip('/')}/" if config.site_url else ""
    return SiteIdentity(str(config.site_name), url, str(config.site_description or ""))
