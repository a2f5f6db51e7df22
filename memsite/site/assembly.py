"""One build: from a plan to MkDocs' files, pages and navigation, and to what stands beside the pages."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from jinja2 import Environment
from mkdocs.commands.build import get_context
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import get_plugin_logger
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.utils import clean_directory
from mkdocs.utils.templates import TemplateContext

from memsite.safety.csp import CONTENT_SECURITY_POLICY
from memsite.site.cache import BEGUN, BuildCache, Made, stat_made
from memsite.site.collector import begin_collecting
from memsite.site.crew import beside, do_all
from memsite.site.files import BytesFile, PartFile, SpecFile, SpecPage, part_src
from memsite.site.keys import environment_key, page_key, part_key
from memsite.site.log import tell
from memsite.site.machines.texts import keep_compiled_texts
from memsite.site.making import SEARCHED, Maker, Outcome, read_piece
from memsite.site.nav import Sections, VisibleNav, nav_config, nav_tree, nav_uris, place_pages
from memsite.site.output import (
    MARKER,
    clear_way,
    keep_only,
    remove_files,
    remove_unfit,
    take_folder,
    write_files,
)
from memsite.site.own_nav import OwnNav, page_finder, read_own_nav
from memsite.site.plan import SitePlan
from memsite.site.results import Progress, no_progress
from memsite.site.search.index import Assembled
from memsite.site.search.state import IndexState
from memsite.site.searching import LostPiecesError, update_index
from memsite.site.shells import Slots, page_slots
from memsite.site.site_config import EMPTY_DOCS
from memsite.site.spec import LateKey, MachineFiles, PageLink, PagePart, PageSpec
from memsite.site.spool import Spool
from memsite.site.static_files import drop_unsafe_links, identity_of, static_files
from memsite.site.templating import keep_compiled
from memsite.site.theme import PAGE_TEMPLATE, prepare_theme, styles_and_scripts
from memsite.site.time_limit import ticking
from memsite.values import replace

log = get_plugin_logger(__name__)


class Assembly:
    """Made for one build in `on_config`; its methods are called in the order in which they stand here."""

    def __init__(self, config: MkDocsConfig, plan: SitePlan) -> None:
        self._config = config
        self._plan = plan
        self.environment = environment_key(config, plan)
        self.rendered = 0
        self.progress: Progress = no_progress
        self.shown: Callable[[], None] = lambda: None
        """Told when all pages are written."""
        self._waiting = 0
        self._site = Path(config.site_dir)
        self.is_clean = True
        """Whether all is made, whatever the output folder holds; then nothing else stays in it."""
        self.is_mapped = True
        """Whether there is a site map where the site has an address."""
        self.is_lean = False
        """Whether MkDocs is told only of the pages that it must know: those in the navigation and those to be made."""
        self.is_alone = False
        """Whether no plugin of others wants to see all articles before pages are written."""
        self._specs: dict[str, PageSpec] = {}
        self._pages: dict[str, SpecPage] = {}
        self._placed: set[str] = set()
        self._stale: dict[str, SpecFile | PartFile] = {}
        self._begun: dict[str, Made] = {}
        """Files that the cache has as begun, and that stay."""
        self._pieces = Spool()
        self._files: list[str] = []
        self._machines = MachineFiles()
        self._nav: Navigation | None = None
        self._own_nav = config.nav
        self._repository_url = ""

    @cached_property
    def _cache(self) -> BuildCache | None:
        return None if self._plan.cache is None else BuildCache(self._plan.cache, self._site)

    @cached_property
    def _before(self) -> Mapping[str, Made]:
        """What the last build made, if it was made in the same environment; a clean build asks for the names alone."""
        if self._cache is None:
            return {}
        environment, files = self._cache.load(keys=not self.is_clean)
        if self._cache.problem:
            log.warning(f"{self._plan.cache}: nothing is kept there, so this is a clean build: {self._cache.problem}")
        return files if environment == self.environment else {}

    def is_incremental(self) -> bool:
        """Whether the output folder holds a site that this build may bring up to date instead of replacing it."""
        return bool(self._before) and (self._site / MARKER).is_file()

    def configure(self) -> None:
        """Prepare the configuration: no walk over the memory, our theme, no request to the host of the repository."""
        config = self._config
        config.docs_dir = str(EMPTY_DOCS)
        config.use_directory_urls = True
        drop_unsafe_links(config)
        self._machines = self._plan.machines(identity_of(config))
        self._repository_url = config.repo_url or ""
        config.repo_url = None
        config.edit_uri = None
        # Named for how they are compiled; Jinja's own key does not tell.
        keep_compiled(None if self._plan.cache is None else self._plan.cache / "templates-direct")
        keep_compiled_texts(None if self._plan.cache is None else self._plan.cache / "templates-texts")
        compiled = None if self._plan.cache is None else self._plan.cache / "templates-trimmed"
        prepare_theme(config, self._plan.config.language, compiled)
        for problem in self._plan.problems:
            line = "" if problem.line is None else f":{problem.line}"
            log.warning(f"{problem.path}{line}: {problem.message}")

    def check_output(self) -> None:
        """Raise RefusedError when the output folder is not ours.

        Then mark it as ours, before anything is in it: what a killed build leaves must not bar the next one.
        """
        take_folder(self._site)

    def begin(self) -> None:
        """Wipe the output folder, which is ours, where plugins of others write to it. memsite alone writes over what
        was there: file systems are slow to make files in place of those just removed.
        """
        if self.is_clean and not self.is_alone:
            clean_directory(str(self._site))

    def add_files(self, files: Files) -> Files:
        """Pages, images of the memory, style sheets and scripts, and the navigation setting."""
        for file in [file for file in files if file.src_dir == str(EMPTY_DOCS)]:
            files.remove(file)
        if not (self.is_mapped and self._config.site_url):
            # Without addresses it would list nothing. Any earlier, MkDocs would copy the template itself.
            self._config.theme.static_templates.discard("sitemap.xml")
        for uri, data in static_files(self._config, self._plan):
            replaced = files.get_file_from_path(uri)
            if replaced is not None:
                files.remove(replaced)
            files.append(BytesFile(uri, data, self._config))
        tree = nav_tree(self._plan.pages)
        in_nav = set(nav_uris(tree))
        own = self._read_own_nav(in_nav, files)
        self._files = [file.dest_uri for file in files]
        for spec in self._plan.pages:
            self._specs[spec.uri] = self._titled(spec, own)
            if not self.is_lean or spec.uri in in_nav or spec.uri in own.titles:
                files.append(self._page_file(self._specs[spec.uri], in_nav, own))
        if not self.is_lean:
            for part in self._parts():
                files.append(PartFile(part, "", self._config))
        self._config.nav = [*nav_config(tree), *own.entries]
        return files

    def _parts(self) -> Iterator[PagePart]:
        """The files beside the pages."""
        yield from (part for spec in self._plan.pages for part in spec.parts)
        yield from self._machines.parts

    def _read_own_nav(self, in_nav: Container[str], files: Files) -> OwnNav:
        """What the user's `nav` adds to ours."""
        if not self._own_nav:
            return OwnNav()
        pages = {spec.uri: spec for spec in self._plan.pages}
        others = {file.src_uri for file in files.documentation_pages()}
        return read_own_nav(self._own_nav, page_finder(pages, self._plan.config.memory), in_nav, others)

    def _titled(self, spec: PageSpec, own: OwnNav) -> PageSpec:
        """A page with the title that the user's `nav` gives it."""
        title = own.titles.get(spec.uri)
        return replace(spec, title=title) if title else spec

    def _page_file(self, spec: PageSpec, in_nav: Container[str] = (), own: OwnNav | None = None) -> SpecFile:
        is_own = own is not None and spec.uri in own.titles
        file = SpecFile(spec, self._config, in_nav=is_own or spec.uri in in_nav, heads_section=not is_own)
        page = self._pages[spec.uri] = SpecPage(file, self._config, self._plan.today)
        page.is_late = self.is_alone
        return file

    def place(self, nav: Navigation, files: Files) -> Navigation:
        """Neighbours and sections; then every page's key, and whether it is stale. MkDocs hears of what is."""
        with self._plan.reading():
            self._place(nav, files)
        return nav

    def _place(self, nav: Navigation, files: Files) -> None:
        place_pages(nav, self._pages.values())
        visible = VisibleNav(nav, pruned="navigation.prune" in self._config.theme.get("features", []))
        sections = Sections(nav)
        for spec in self._specs.values():
            page = self._pages.get(spec.uri)
            parent = page.parent if page else sections.above(spec.uri)
            beside = (self._machines.copies.get(spec.uri), self._feeds(spec))
            make_key = partial(page_key, self.environment, spec, visible.of(parent), beside)
            dest = f"{spec.uri}index.html"
            key = self._known_key(dest, spec.key, make_key)
            if self._is_stale(dest, key):
                file = page.spec_file if page else self._page_file(spec)
                self._pages[spec.uri].parent = parent
                self._make_anew(file, key or make_key, files)
            elif page:
                page.spec_file.stale = False
        for part in self._parts():
            make_key = partial(part_key, self.environment, part)
            key = self._known_key(part.uri, part.key, make_key)
            known = files.src_uris.get(part_src(part.uri))
            if self._is_stale(part.uri, key):
                file_of_part = known if isinstance(known, PartFile) else PartFile(part, "", self._config)
                self._make_anew(file_of_part, key or make_key, files)
            elif isinstance(known, PartFile):
                known.stale = False
        if self._cache is not None:
            others = {*self._files, *self._theme_pages()} - self._before.keys()
            self._cache.begin([*self._stale, *others])
        remove_unfit(self._site, self._theme_pages())  # which MkDocs writes
        if self.is_clean and self.is_alone:
            clear_way(self._site, {*self._placed, *self._files, *self._theme_pages()})
        self._waiting = sum(isinstance(file, SpecFile) for file in self._stale.values())
        self._nav = nav

    def _feeds(self, spec: PageSpec) -> tuple[PageLink, ...]:
        """What a page's reader may subscribe to."""
        return tuple(feed for page in ("*", spec.uri) for feed in self._machines.feeds.get(page, ()))

    def _known_key(self, dest: str, made_of: Sequence[str], make: Callable[[], str]) -> str | None:
        """The key of a file that is there; None where something must be made to know it, which any process can do."""
        is_there = dest in self._before and not self.is_clean
        return make() if is_there and (not isinstance(made_of, LateKey) or made_of.is_held) else None

    def _make_anew(self, file: SpecFile | PartFile, key: str | Callable[[], str], files: Files) -> None:
        dest = file.dest_uri
        if isinstance(key, str):
            file.key = key
        else:
            file.late_key = key
            made = None if self.is_clean else self._before.get(dest)
            file.held_key = made.key if made and stat_made(f"{self._site}/{dest}", made.key) == made else ""
        self._stale[dest] = file
        if self.is_lean and file.src_uri not in files.src_uris:
            files.append(file)

    def _is_stale(self, dest: str, key: str | None) -> bool:
        """Whether a file is not, or no longer, what was made by this key; without one it has to be made anyway."""
        self._placed.add(dest)
        made = self._before.get(dest)
        if self.is_clean or made is None or key is None:
            return True
        return made.key != key or stat_made(f"{self._site}/{dest}", made.key) != made

    def make_files(self, env: Environment, files: Files) -> None:
        """Make and write all that is stale. Where plugins of others take part, MkDocs does it, page by page."""
        begin_collecting()
        if not self.is_alone or self._nav is None:
            return
        nav, known, stale = self._nav, files.documentation_pages(), list(self._stale.values())

        def context(page: SpecPage) -> TemplateContext:
            return self.add_context(get_context(nav, known, self._config, page), page)

        make = Maker(stale, self._pages, env.get_template(PAGE_TEMPLATE), context).make

        def keep(number: int, outcome: Outcome) -> Outcome:
            if outcome.piece is None:
                return outcome
            self._pieces[stale[number].dest_uri] = outcome.piece
            return Outcome(outcome.key, None, outcome.warnings)

        legacy = self._plan.legacy()
        outcomes = do_all(len(stale), make, within=self._working, told=self._tell, legacy=legacy, keep=keep)
        for file, outcome in zip(stale, outcomes, strict=True):
            file.key, file.stale = outcome.key, False
            if outcome.stays:
                del self._stale[file.dest_uri]
                self._begun[file.dest_uri] = BEGUN
            tell(outcome.warnings)
        self.rendered = sum(isinstance(file, SpecFile) for file in self._stale.values())

    @contextmanager
    def _working(self) -> Iterator[None]:
        """What each process needs while it makes pages."""
        with ticking(), self._plan.reading():
            yield

    def _tell(self, done: int) -> None:
        if done <= self._waiting:  # pages come first, then the files beside them
            self.progress("making pages", done, self._waiting)

    def read_article(self, page: SpecPage, html: str) -> None:
        """Take from a rendered page what search needs."""
        self.rendered += 1
        self._tell(self.rendered)
        piece = read_piece(page, html)
        if piece is not None:
            self._pieces[page.spec_file.dest_uri] = piece

    def add_context(self, context: TemplateContext, page: Page | None) -> TemplateContext:
        """`memsite` in the theme's templates: plain texts, which templates escape, and URLs relative to the page."""
        spec = page.spec if isinstance(page, SpecPage) else None
        styles, scripts = styles_and_scripts(spec.kind.value if spec else "")
        shown: dict[str, Any] = {
            "policy": CONTENT_SECURITY_POLICY,
            "styles": styles,
            "scripts": scripts,
            "kind": spec.kind.value if spec else "",
            "shown_at": self._plan.shown_at,
            "repository": self._repository_url,
            "slots": self._slots(page),
        }
        context["memsite"] = shown  # type: ignore[typeddict-unknown-key]  # a template's context is open
        return context

    def _slots(self, page: Page | None) -> Slots:
        if not isinstance(page, SpecPage):
            return page_slots(None)
        return page_slots(page, self._feeds(page.spec), self._machines.copies.get(page.spec.uri, ""))

    def finish(self) -> None:
        """The search index; in an incremental build, what is gone goes: pages first, then all can be looked at."""
        if not self.is_clean:
            known = {*self._placed, *self._files}
            pages = (dest for dest in self._before if dest.endswith("index.html"))
            remove_files(self._site, [dest for dest in pages if dest not in known])
            self.shown()
        with beside(self._plan.keep):  # what the plan knows is true whatever becomes of the site
            names, state = self._write_index()
        others = [*self._files, *names, *self._theme_pages(), *self._made_by_others()]
        with beside(partial(self._sweep, {*self._placed, *others})) if self.is_clean else nullcontext():
            made = self._made(others)
        if not self.is_clean:
            remove_files(self._site, [dest for dest in self._before if dest not in made])
        if self._cache is not None:
            before = {**self._before, **self._begun} if self._begun else self._before
            self._cache.finish(self.environment, made, before, self._pieces, state.as_text())

    def _sweep(self, known: Container[str]) -> None:
        """Remove what a clean build found in its folder and did not make."""
        if self.is_alone:
            keep_only(self._site, known)

    def _write_index(self) -> tuple[list[str], IndexState]:
        """Where the files of the index stand, and what is to be known of it."""
        index = self._make_index()
        self._begin(index.names)
        write_files(self._site, index.files.items())
        return index.names, index.state

    def _begin(self, dests: Iterable[str]) -> None:
        if self._cache is not None:
            self._cache.begin(set(dests) - self._before.keys())

    def _make_index(self) -> Assembled:
        searched = [f"{spec.uri}index.html" for spec in self._specs.values() if spec.kind in SEARCHED]
        known = self._cache if self._before and not self.is_clean else None
        before, today = self._before, self._plan.today
        update = partial(update_index, self._site, known, before, self._pieces, searched, today, self._begin)
        try:
            return update()
        except LostPiecesError as error:
            lost = error.dests
        found = do_all(len(lost), lambda number: self._read_again(lost[number]), within=self._working)
        self._pieces.update(zip(lost, found, strict=True))
        return update()

    def _read_again(self, dest: str) -> bytes:
        """What search takes from a page that is there already."""
        spec = self._specs[dest.removesuffix("index.html")]
        if spec.uri not in self._pages:
            self._page_file(spec)
        page = self._pages[spec.uri]
        page.make()
        return read_piece(page, page.content or "") or b""

    def _made_by_others(self) -> Iterator[str]:
        """What plugins of others have written: with them a folder is empty first, but for what is hidden at its top."""
        if not self.is_alone:
            names = (path.relative_to(self._site).as_posix() for path in self._site.rglob("*") if path.is_file())
            yield from (name for name in names if not name.startswith("."))

    def _theme_pages(self) -> list[str]:
        names = sorted(self._config.theme.static_templates)
        return [*names, *(f"{name}.gz" for name in names if name == "sitemap.xml")]

    def _made(self, dests: Iterable[str]) -> dict[str, Made]:
        kept = {dest: self._before[dest] for dest in self._placed if dest not in self._stale}
        new = {dest: file.key for dest, file in self._stale.items()}
        found = ((dest, stat_made(f"{self._site}/{dest}", new.get(dest, ""))) for dest in (*new, *dests))
        return kept | {dest: made for dest, made in found if made is not None}
