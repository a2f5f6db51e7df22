"""Unit files for the daily flush: right for their program, one timer only, nothing replaced without consent."""

from __future__ import annotations

import configparser
import plistlib
import shutil
import subprocess
import tomllib
from dataclasses import replace
from datetime import time
from pathlib import Path

import pytest

from memsite.agents.installing import Target, apply
from memsite.agents.timers import (
    KINDS,
    REPLACED,
    Places,
    format_cron,
    format_plist,
    format_service,
    format_timer,
    plan_timer,
    timer_name,
)
from memsite.config import Config
from memsite.errors import RefusedError
from tests.conftest import Run

CONFIG = Config(flush_time=time(7, 5), timezone="Asia/Shanghai")
ODD = Target(Path("/opt/my tools/memsite"), Path('/home/ada/50% "of" $me/记忆'), CONFIG)


@pytest.fixture
def places(sealed_environment: Path) -> Places:
    """Where this user's timers lie."""
    return Places.of({"HOME": str(sealed_environment)})


def target(workspace: Path) -> Target:
    return Target(Path("/usr/bin/memsite"), workspace, CONFIG)


def test_the_systemd_units_say_when_and_what() -> None:
    timer = configparser.ConfigParser(interpolation=None)
    timer.read_string(format_timer(ODD))
    assert timer["Timer"]["OnCalendar"] == "*-*-* 07:05:00 Asia/Shanghai"
    assert timer["Timer"]["Persistent"] == "true"
    service = format_service(ODD)
    assert 'ExecStart="/opt/my tools/memsite" "-C" "/home/ada/50%% \\"of\\" $$me/记忆" "flush"\n' in service


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_systemd_reads_the_units(tmp_path: Path) -> None:
    for suffix, text in (("service", format_service(target(tmp_path))), ("timer", format_timer(target(tmp_path)))):
        (tmp_path / f"memsite.{suffix}").write_text(text, encoding="utf-8")
    done = subprocess.run(
        ["systemd-analyze", "--user", "calendar", "*-*-* 07:05:00 Asia/Shanghai"], capture_output=True, check=False
    )
    assert done.returncode == 0


def test_the_launchd_agent_is_a_property_list() -> None:
    table = plistlib.loads(format_plist(ODD).encode())
    assert table["ProgramArguments"] == ["/opt/my tools/memsite", "-C", str(ODD.root), "flush"]
    assert table["StartCalendarInterval"] == {"Hour": 7, "Minute": 5}
    assert table["Label"] == timer_name(ODD)


def test_the_crontab_line_is_one_that_a_shell_reads() -> None:
    zone, line = format_cron(ODD).splitlines()[1:]
    assert zone == "CRON_TZ=Asia/Shanghai"
    assert line.startswith("5 7 * * * ")
    command = line.split(" ", 5)[5].replace(r"\%", "%")
    said = subprocess.run(["sh", "-c", f"printf '%s\\n' {command}"], capture_output=True, text=True, check=True).stdout
    assert said.splitlines() == ["/opt/my tools/memsite", "-C", str(ODD.root), "flush"]


def test_two_workspaces_have_two_timers() -> None:
    other = replace(ODD, root=Path("/srv/记忆"))
    assert timer_name(other) != timer_name(ODD)
    assert timer_name(other).isascii()


def test_a_timer_without_a_zone_names_none(places: Places, workspace: Path) -> None:
    bare = replace(ODD, config=replace(CONFIG, timezone=""))
    assert "OnCalendar=*-*-* 07:05:00\n" in format_timer(bare)
    assert format_cron(bare).splitlines()[1].startswith("5 7 * * * ")
    assert len(plan_timer("launchd", places, bare, replace=False).steps) == 2


def test_where_a_timer_has_no_zone_that_is_said(places: Places, workspace: Path) -> None:
    said = {kind: "\n".join(plan_timer(kind, places, target(workspace), replace=False).steps) for kind in KINDS}
    assert "07:05 is the machine's time; set flush_time for it if that is not Asia/Shanghai" in said["launchd"]
    assert "CRON_TZ holds for all lines below it" in said["cron"]
    assert "Debian's cron knows no CRON_TZ: there 07:05 is the machine's time" in said["cron"]
    assert "machine's time" not in said["systemd"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_timer_is_written_once(places: Places, workspace: Path, kind: str) -> None:
    plan = plan_timer(kind, places, target(workspace), replace=False)
    apply(plan.changes)
    assert all(change.path.is_file() for change in plan.changes)
    assert "nothing runs yet" in plan.steps[0]
    assert plan_timer(kind, places, target(workspace), replace=False).changes == ()
    moved = replace(target(workspace), program=Path("/new/memsite"))
    assert plan_timer(kind, places, moved, replace=False).changes != ()


def test_a_unit_that_a_person_has_made_theirs_is_left_alone(places: Places, workspace: Path) -> None:
    path = places.cron / f"{timer_name(target(workspace))}.cron"
    path.parent.mkdir(parents=True)
    path.write_text("0 3 * * * mine\n", encoding="utf-8")
    plan = plan_timer("cron", places, target(workspace), replace=False)
    assert (plan.changes, plan.left_alone) == ((), (path,))


@pytest.mark.parametrize(
    "name", ["Library/LaunchAgents/com.openclaw.daily-flush.plist", ".openclaw/scripts/daily-flush.sh"]
)
def test_openclaws_timer_is_replaced_with_consent_only(
    places: Places, workspace: Path, sealed_environment: Path, name: str
) -> None:
    old = sealed_environment / name
    old.parent.mkdir(parents=True)
    old.write_text("theirs\n", encoding="utf-8")
    with pytest.raises(RefusedError, match="a timer for the daily flush is there already"):
        plan_timer("launchd", places, target(workspace), replace=False)
    plan = plan_timer("launchd", places, target(workspace), replace=True)
    assert any("daily-flush" in step for step in plan.steps)
    apply(plan.changes)
    assert not old.exists()
    assert old.with_name(old.name + REPLACED).read_text(encoding="utf-8") == "theirs\n"
    assert plan_timer("launchd", places, target(workspace), replace=False).changes == ()


def test_a_timer_of_another_kind_is_not_doubled(places: Places, workspace: Path) -> None:
    apply(plan_timer("cron", places, target(workspace), replace=False).changes)
    with pytest.raises(RefusedError):
        plan_timer("systemd", places, target(workspace), replace=False)
    apply(plan_timer("systemd", places, target(workspace), replace=True).changes)
    assert not list(places.cron.glob("*.cron"))


def test_init_writes_a_timer_and_says_how_to_enable_it(memsite: Run, workspace: Path, sealed_environment: Path) -> None:
    dry = memsite("init", "--timer", "systemd", "--dry-run")
    assert "would write" in dry.out
    assert not (sealed_environment / ".config/systemd").exists()
    done = memsite("init", "--timer", "systemd")
    assert done.code == 0, done.err
    assert "systemctl --user enable --now memsite-flush-workspace-" in done.out
    assert len(list((sealed_environment / ".config/systemd/user").iterdir())) == 2


def test_the_timer_of_a_new_workspace_goes_by_the_zone_that_init_records(
    memsite: Run, sealed_environment: Path, tmp_path: Path
) -> None:
    new = tmp_path / "new"
    done = memsite("init", str(new), "--timer", "systemd")
    assert done.code == 0, done.err
    zone = tomllib.loads((new / "memsite.toml").read_text(encoding="utf-8"))["timezone"]
    (timer,) = (sealed_environment / ".config/systemd/user").glob("*.timer")
    assert f"OnCalendar=*-*-* 11:00:00 {zone}\n" in timer.read_text(encoding="utf-8")
    again = memsite("init", str(new), "--timer", "systemd")
    assert "writes" not in again.out


def test_init_refuses_a_second_timer_before_it_does_anything(
    memsite: Run, workspace: Path, sealed_environment: Path
) -> None:
    script = sealed_environment / ".openclaw/scripts/daily-flush.sh"
    script.parent.mkdir(parents=True)
    script.write_text("#!/bin/sh\n", encoding="utf-8")
    done = memsite("init", "--timer", "cron")
    assert done.code == 1
    assert done.err.count("\n") == 1
    assert "--replace-timer" in done.err
    assert not (workspace / "memsite.toml").exists()
    assert memsite("init", "--timer", "cron", "--replace-timer").code == 0
    assert not script.exists()
