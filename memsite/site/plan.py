"""What one build shows: the pages and files of a site, read from a workspace, before MkDocs hears of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from datetime import date
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from memsite.config import CONFIG_NAME, Config
from memsite.memory.cutting import cut_file, cut_text
from memsite.memory.lineage import MARKDOWN, Read, load_memory
from memsite.memory.model import Memory, Problem
from memsite.memory.snapshot import Blob, Snapshot
from memsite.repo.audience import Audience, is_veiled, purges_of
from memsite.repo.history import History, read_history
from memsite.repo.memory_state import state_of, veiled_state
from memsite.repo.snapshots import TextReader, read_commit, read_current, read_whole, resolve_revision
from memsite.repo.workspace import Workspace
from memsite.site.cache import cache_folder
from memsite.site.facts import Kept, Legacy
from memsite.site.links import is_published_asset
from memsite.site.program import digest, program_key
from memsite.site.spec import MachineFiles, PageSpec, SiteIdentity, SiteSource
from memsite.site.time_limit import unstopped
from memsite.values import dataclass, field, replace

if TYPE_CHECKING:
    from memsite.repo.veil import Leak, Veil

FIRST_DAY = date(1970, 1, 1)
"""The `today` of a memory without commits and without a dated file."""
NO_ZONE = Problem(
    PurePosixPath(CONFIG_NAME),
    None,
    'days begin in UTC, since no timezone is set: set one there, such as timezone = "Europe/Berlin"',
)
ID_LENGTH = 12
"""Characters of a commit's id that a reader is shown."""


@dataclass(frozen=True, slots=True)
class SitePlan:
    """Values only: the same plan gives the same site, byte for byte."""

    pages: tuple[PageSpec, ...]
    config: Config = field(default_factory=Config)
    today: date = FIRST_DAY
    assets: Mapping[PurePosixPath, Blob] = field(default_factory=dict)
    """Files of the memory that may stand on the site, by workspace-relative path."""
    styles: Mapping[PurePosixPath, Blob] = field(default_factory=dict)
    """Style sheets in the memory folder, relative to it: what `extra_css` may name."""
    machines: Callable[[SiteIdentity], MachineFiles] = lambda _site: MachineFiles()
    """Makes the files for other programs: only mkdocs.yml knows what the site is called."""
    published: Mapping[str, bytes] = field(default_factory=dict)
    """Scripts and templates that a trusted mkdocs.yml adds, by the names that it gives them."""
    problems: tuple[Problem, ...] = ()
    shown_at: str = ""
    audience: str = Audience.OWNER.value
    """Who it is for: what was rendered for one is never taken for another."""
    state: str = ""
    """A name for the memory that is shown, work tree and history; empty for one of the past and for others."""
    keep: Callable[[], None] = lambda: None
    """Keeps what the next build may know of this one's pages."""
    legacy: Callable[[], Legacy] = Legacy
    """What a process that is begun now leaves to this one of that."""
    reading: Callable[[], AbstractContextManager[object]] = nullcontext
    """To be around the making of many pages: what they read from git is read at once."""
    cache: Path | None = None
    """The folder for what incremental builds keep; None: every build is a clean one."""


@dataclass(frozen=True)
class Scene:
    """What is shown to whom."""

    source: SiteSource
    audience: Audience
    veil: Veil | None = None
    """What the source has passed; None where nothing is hidden from the audience."""
    leaks: tuple[Leak, ...] = ()
    """Files that would be on the site, and that others must not see."""
    state: str = ""
    """As of a plan."""
    reading: Callable[[], AbstractContextManager[object]] = nullcontext
    """As of a plan."""

    @property
    def setting(self) -> Callable[[str], str] | None:
        """Makes the text of mkdocs.yml fit for the audience; None where it is as it stands."""
        return self.veil.setting if self.veil else None


def load_plan(workspace: Workspace, at: str | None = None) -> SitePlan:
    """Read a workspace: its work tree, or the memory as it was at revision or date `at`.

    Give it the workspace as `open_workspace` reads it: a site must not depend on the machine, so that an empty
    `timezone` is UTC, and one of the plan's problems. Raises WorkspaceError or GitError where the workspace cannot be
    read; a bad file is a page that says so.
    """
    return plan_site(workspace, load_scene(workspace, at))


def plan_site(workspace: Workspace, scene: Scene) -> SitePlan:
    """The pages and files of a site from what it shows."""
    from memsite.site.catalog import all_files  # it imports every kind of page, which tests of a plan do not need

    source = scene.source
    memory, config = source.memory, source.config
    cache = cache_folder(workspace)
    pages, machines, atlas = all_files(source, _kept(workspace, scene, cache), scene.state)
    return SitePlan(
        pages=pages,
        machines=machines,
        config=config,
        today=source.today,
        assets={path: blob for path, blob in memory.assets.items() if is_published_asset(path)},
        styles=_styles(memory, config),
        problems=memory.problems if config.timezone else (NO_ZONE, *memory.problems),
        shown_at=source.shown_at,
        audience=scene.audience.value,
        state=scene.state,
        reading=scene.reading,
        cache=cache,
        keep=atlas.keep,
        legacy=atlas.legacy,
    )


def _kept(workspace: Workspace, scene: Scene, cache: Path | None) -> Kept | None:
    """The keys of the last build; of a site for others or of the past none are kept."""
    if cache is None or not scene.state or scene.audience is not Audience.OWNER:
        return None
    file = cache / f"views-{digest(str(workspace.root))[:16]}.json"
    # What is purged is cut out of commits, too, whose ids stay.
    kept = Kept(file, digest(program_key(), scene.source.config, scene.audience.value, purges_of(workspace)))
    kept.load()
    return kept


def load_source(workspace: Workspace, at: str | None = None) -> SiteSource:
    """Everything that the pages are made from. Raises as `load_plan`."""
    return load_scene(workspace, at).source


def load_scene(
    workspace: Workspace,
    at: str | None = None,
    audience: Audience = Audience.OWNER,
    veil: Veil | None = None,
    read: Read | None = None,
) -> Scene:
    """What an audience sees of a workspace: its owner the work tree, the public HEAD; or either a revision or date.

    `veil` is that of another scene of the same audience: it is the same for all of them, and takes long to draw; `read`
    is as of `load_memory`. Raises as `load_plan`; WorkspaceError where there is no commit to publish.
    """
    config = workspace.config
    revision = None if at is None else resolve_revision(workspace, at)
    veiled = is_veiled(workspace, audience)  # what is hidden is searched for in all of a text
    is_owner = audience is Audience.OWNER
    history = _history(workspace, revision)
    if revision is not None:
        snapshot = read_commit(workspace, revision, whole=veiled)
    else:
        snapshot = read_current(workspace, whole=veiled) if is_owner else read_commit(workspace, "HEAD")
    if veiled and veil is None:
        veil = _draw_veil(workspace, audience, None if revision else snapshot)
    state = state_of(workspace, snapshot, history) if revision is None and is_owner else ""
    leaks = veil.leaks(snapshot) if veil else ()
    if veil:
        hidden = {one.path for one in leaks}
        kept = {path: blob for path, blob in snapshot.files.items() if path not in hidden}
        snapshot, history = veil.snapshot(replace(snapshot, files=kept)), veil.history(history)
        state = state if is_owner else veiled_state(snapshot, history, veil)
        snapshot = replace(
            snapshot, files={path: cut_file(path, blob, config) for path, blob in snapshot.files.items()}
        )
    memory = load_memory(snapshot, config, read)
    today = _today(history, memory, config)
    texts = TextReader(workspace)
    source = SiteSource(
        memory=memory,
        history=history,
        config=config,
        today=today,
        blobs=unstopped(partial(_veiled_texts, veil) if veil else texts),
        whole=partial(_veiled, veil) if veil else partial(read_whole, workspace, snapshot),
        shown_at="" if revision is None else _shown_at(history, revision, today),
    )
    shown = tuple(one for one in leaks if _is_shown(one.path))
    return Scene(source, audience, veil, shown, state, texts.kept)


def _draw_veil(workspace: Workspace, audience: Audience, current: Snapshot | None) -> Veil:
    """What is hidden, is hidden by the memory of today, whichever day is shown."""
    from memsite.repo.veil import draw_veil  # most builds for the owner hide nothing, and do without it

    if current is None:
        is_owner = audience is Audience.OWNER
        current = read_current(workspace) if is_owner else read_commit(workspace, "HEAD")
    return draw_veil(workspace, audience, current, _history(workspace, None))


def _is_shown(path: PurePosixPath) -> bool:
    return is_published_asset(path) or path.suffix.lower() in {*MARKDOWN, ".css"}


def _history(workspace: Workspace, revision: str | None) -> History:
    """The history that leads to what is shown."""
    if workspace.git_root is None and workspace.git_problem is None:
        return History()
    return read_history(workspace, revision)


def _shown_at(history: History, revision: str, today: date) -> str:
    """What the banner of a site of the past says: the same for every spelling of the same state of the memory."""
    commit = history.commits[0].id if history.commits else revision
    return f"commit {commit[:ID_LENGTH]} of {today.isoformat()}"


def _veiled_texts(veil: Veil, ids: Iterable[str]) -> Mapping[str, Blob]:
    return {name: cut_text(Blob(name, data)) for name, data in veil.blobs(ids).items()}


def _veiled(veil: Veil, blob: str) -> bytes:
    return veil.blobs([blob]).get(blob, b"")


def _today(history: History, memory: Memory, config: Config) -> date:
    """The day of the newest commit that changed the memory, up to the commit that is shown.

    Without one, the last day that the memory itself names. A commit of code beside the memory changes no page.
    """
    if history.commits:
        return history.commits[0].at.astimezone(config.zone()).date()
    days = [note.day for note in memory.notes] + [log.day for log in memory.session_logs]
    return max(days, default=FIRST_DAY)


def _styles(memory: Memory, config: Config) -> Mapping[PurePosixPath, Blob]:
    return {
        path.relative_to(config.memory): blob
        for path, blob in memory.assets.items()
        if path.suffix == ".css" and path.is_relative_to(config.memory)
    }
