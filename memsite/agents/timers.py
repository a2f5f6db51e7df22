"""The unit files that run `memsite flush` every day: systemd, launchd, cron. Written, never enabled.

OpenClaw's own daily flush (seed: `com.openclaw.daily-flush`, `daily-flush.sh`) does the same work: with both, every day
would be flushed twice. It is replaced with the user's consent only, and kept beside under another name.
"""

from __future__ import annotations

import plistlib
import shlex
from collections.abc import Iterator, Mapping
from datetime import time
from hashlib import sha256
from pathlib import Path

from memsite.agents.installing import FileChange, Installation, Target, joined, read_or_none
from memsite.errors import RefusedError
from memsite.memory.names import slugify
from memsite.values import dataclass

KINDS = ("systemd", "launchd", "cron")
MARK = "written by memsite for the daily flush"
OPENCLAW = "com.openclaw.daily-flush"
"""What OpenClaw's timer is called (seed, "Daily Flush")."""
REPLACED = ".replaced"
"""Appended to the name of what was replaced."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where a user's timers lie."""

    systemd: Path
    launchd: Path
    cron: Path
    openclaw: Path
    """OpenClaw's folder."""

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> Places:
        """Those of this user."""
        home = Path(environ.get("HOME", "") or "~").expanduser()
        config = Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
        return cls(
            config / "systemd" / "user",
            home / "Library" / "LaunchAgents",
            config / "memsite",
            Path(environ.get("OPENCLAW_STATE_DIR") or home / ".openclaw"),
        )


def timer_name(target: Target) -> str:
    """The name of a workspace's timer: one machine may have several."""
    digest = sha256(str(target.root).encode("utf-8", "surrogateescape")).hexdigest()[:8]
    words = "".join(char for char in slugify(target.root.name) if char.isascii()).strip("-")
    return f"memsite-flush-{words}-{digest}" if words else f"memsite-flush-{digest}"


def plan_timer(kind: str, places: Places, target: Target, *, replace: bool) -> Installation:
    """Write the unit files of one kind, or bring them up to date.

    Another timer for the same work is refused (RefusedError) unless `replace`: then it is put aside. A file of that
    name that is not ours is left alone.
    """
    others = tuple(_iter_others(kind, places, target))
    if others and not replace:
        raise RefusedError(
            "a timer for the daily flush is there already",
            where=others[0],
            hint="--replace-timer puts it aside; with both, every day would be flushed twice",
        )
    parts = [_plan_file(path, text) for path, text in _files(kind, places, target)]
    aside = Installation(
        tuple(change for path in others for change in _put_aside(path)), steps=tuple(_disable_steps(others))
    )
    steps = Installation(steps=tuple(_enable_steps(kind, places, target)))
    return joined(aside, *parts, steps)


def format_service(target: Target) -> str:
    """The systemd service that flushes once."""
    return f"""# {MARK}
[Unit]
Description=Daily flush of the memory in {_unit_text(str(target.root))}

[Service]
Type=oneshot
ExecStart={" ".join(map(_unit_word, (*target.words, "flush")))}
"""


def format_timer(target: Target) -> str:
    """The systemd timer; a day on which the machine was off is made up for."""
    zone = f" {target.config.timezone}" if target.config.timezone else ""
    return f"""# {MARK}
[Unit]
Description=Daily flush of the memory in {_unit_text(str(target.root))}

[Timer]
OnCalendar=*-*-* {target.config.flush_time:%H:%M:%S}{zone}
Persistent=true

[Install]
WantedBy=timers.target
"""


def format_plist(target: Target) -> str:
    """The launchd agent; it runs by the machine's clock, after sleep as soon as the machine wakes."""
    at = target.config.flush_time
    table = {
        "Label": timer_name(target),
        "ProgramArguments": [*target.words, "flush"],
        "StartCalendarInterval": {"Hour": at.hour, "Minute": at.minute},
    }
    head, _, rest = plistlib.dumps(table, sort_keys=False).decode().partition("?>\n")
    return f"{head}?>\n<!-- {MARK} -->\n{rest}"


def format_cron(target: Target) -> str:
    """The crontab line, below the zone that it goes by; cron's `%` is a line end unless it is escaped."""
    at: time = target.config.flush_time
    command = shlex.join([*target.words, "flush"]).replace("%", r"\%")
    zone = f"CRON_TZ={target.config.timezone}\n" if target.config.timezone else ""
    return f"# {MARK}\n{zone}{at.minute} {at.hour} * * * {command}\n"


def _unit_word(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"'


def _unit_text(text: str) -> str:
    return text.replace("%", "%%").replace("\n", " ")


def _files(kind: str, places: Places, target: Target) -> Iterator[tuple[Path, str]]:
    name = timer_name(target)
    if kind == "systemd":
        yield places.systemd / f"{name}.service", format_service(target)
        yield places.systemd / f"{name}.timer", format_timer(target)
    elif kind == "launchd":
        yield places.launchd / f"{name}.plist", format_plist(target)
    else:
        yield places.cron / f"{name}.cron", format_cron(target)


def _plan_file(path: Path, text: str) -> Installation:
    old, new = read_or_none(path), text.encode("utf-8", "surrogateescape")
    if old is not None and MARK.encode() not in old:
        return Installation(left_alone=(path,))
    return Installation((FileChange(path, old, new),) if old != new else ())


def _iter_others(kind: str, places: Places, target: Target) -> Iterator[Path]:
    """Every other timer that flushes: OpenClaw's, and ours of another kind."""
    foreign = (
        places.launchd / f"{OPENCLAW}.plist",
        places.systemd / f"{OPENCLAW}.timer",
        places.systemd / f"{OPENCLAW}.service",
        places.openclaw / "scripts" / "daily-flush.sh",
    )
    ours = (path for other in KINDS if other != kind for path, _ in _files(other, places, target))
    yield from (path for path in (*foreign, *ours) if path.is_file())


def _put_aside(path: Path) -> tuple[FileChange, FileChange]:
    beside = path.with_name(path.name + REPLACED)
    data = read_or_none(path)
    return FileChange(beside, read_or_none(beside), data), FileChange(path, data, None)


def _disable_steps(others: tuple[Path, ...]) -> Iterator[str]:
    """What stops a timer that runs already."""
    for path in others:
        if path.suffix == ".plist":
            yield f"stop the old timer: launchctl bootout gui/$(id -u)/{path.stem}"
        elif path.suffix == ".timer":
            yield f"stop the old timer: systemctl --user disable --now {path.name}"
        elif path.suffix in {".sh", ".cron"}:
            yield f"if `crontab -l` has a line for {path.stem}, take it out: crontab -e"


def _enable_steps(kind: str, places: Places, target: Target) -> Iterator[str]:
    name, at, zone = timer_name(target), target.config.flush_time, target.config.timezone
    yield "nothing runs yet; this enables the timer:"
    if kind == "systemd":
        yield f"  systemctl --user daemon-reload && systemctl --user enable --now {name}.timer"
        yield "  loginctl enable-linger  # so that it runs while you are not logged in"
    elif kind == "launchd":
        yield f"  launchctl bootstrap gui/$(id -u) {shlex.quote(str(places.launchd / name))}.plist"
        if zone:
            yield f"launchd has no zones: {at:%H:%M} is the machine's time; set flush_time for it if that is not {zone}"
    else:
        file = shlex.quote(str(places.cron / f"{name}.cron"))
        yield f"  (crontab -l 2>/dev/null; cat {file}) | crontab -"
        if zone:
            yield "CRON_TZ holds for all lines below it: keep these the last ones"
            yield f"Debian's cron knows no CRON_TZ: there {at:%H:%M} is the machine's time, even if that is not {zone}"
