#!/usr/bin/env python3
"""tine doctor around programs that use locks well and badly; see doctor_app.cpp."""

import json
import re
import signal
import subprocess
import time

from driver import SANITIZED, Driver

NOTHING = "Nothing was found"


def doctor(d: Driver, kind: str, *words, workers: int = 1, **options):
    """Runs the program of that kind. One worker runs all strands in order, so no run deadlocks by chance."""
    return d.tine("doctor", "--timeout", "50s", *words, "--", d.programs / "doctor_app", kind,
                  env={"TINE_NUM_THREADS": workers}, **options)


def found(d: Driver, kind: str, *parts: str, findings: int = 1, **options):
    run = d.expect(doctor(d, kind, **options), 1, *parts)
    d.check(run.stderr.count("\nfinding ") == findings, f"{kind}: {findings} findings", run.stderr)
    return run


def held(d: Driver) -> None:
    run = found(d, "rayon_592", "`first_lock` is held over a fork", "called by fork_while_holding (doctor_app.cpp:", "  seen         2 times")
    d.check(bool(re.search(r"  taken        fork_while_holding \(doctor_app\.cpp:\d+\)\n", run.stderr)), "the call that took the lock", run.stderr)
    d.check(bool(re.search(r"  fork         fork_twice \(doctor_app\.cpp:\d+\)\n", run.stderr)), "the fork", run.stderr)
    d.check("in the first branch of the fork at doctor_app.cpp:" in run.stderr, "the way to the strand", run.stderr)
    found(d, "loop", "`first_lock` is held over a loop", "strand       the root", "  seen         1 time\n")
    found(d, "join", "`first_lock` is held at the end of a branch or an iteration", "in the first branch")
    found(d, "iteration", "`recursive` is held at the end of a branch or an iteration", "in iteration 1 of the loop")
    found(d, "coroutine", "`first_lock` is held over a fork", "forks_while_holding")
    found(d, "released_once", "`recursive` is held over a fork")
    found(d, "spin", "is held over a fork")
    run = doctor(d, "timed", "--json")
    findings = json.loads(run.stdout)["processes"][0]["findings"]
    kinds = sorted((one["kind"], one["is_shared"]) for one in findings)
    d.check(kinds == [("held at fork", False)] * 3 + [("held at fork", True)] * 2, "five locks, two of them for reading", run.stdout)
    for kind in ("after_release", "iterations", "recursion", "gives_up"):
        d.expect(doctor(d, kind), 0, NOTHING)


def orders(d: Driver) -> None:
    run = found(d, "cycle", "2 locks are taken in orders that can deadlock")
    d.check(re.findall(r"  holds        `(\w+)`", run.stderr) == ["first_lock", "second_lock"], "both locks", run.stderr)
    d.check(re.findall(r"the (\w+) branch of", run.stderr) == ["first", "second"], "both strands", run.stderr)
    found(d, "cycle_in_loop", "2 locks are taken", "in iteration 63 of the loop")
    found(d, "below_a_gate", "2 locks are taken", "`gate` is held over a fork", findings=2)
    found(d, "overlapping_roots", "2 locks are taken", "strand       the root")
    for kind in ("series", "gate", "shared", "trylock", "roots_in_series", "outside", "destroyed"):
        d.expect(doctor(d, kind), 0, NOTHING)


def releases(d: Driver) -> None:
    found(d, "released_elsewhere", "`first_lock` is released on another thread than the one that took it", "  released     ")
    d.expect(doctor(d, "released_here"), 0, NOTHING)


def waits(d: Driver) -> None:
    found(d, "long_wait", "a strand waited for `first_lock` for ", "  held by      hold_while")
    d.expect(doctor(d, "long_wait", "--longer-than", "45s"), 0, NOTHING)
    found(d, "condition", "a strand waited for a condition with the mutex `first_lock` for ", "  waits at     ")
    d.expect(doctor(d, "condition_gives_back"), 0, NOTHING)
    run = d.tine("doctor", "--timeout", "3s", "--", d.programs / "doctor_app", "hangs")
    d.expect(run, 1, "a strand had waited for `first_lock` for ", "  held by      hangs", "ran for longer than 3s and was stopped")
    run = d.tine("doctor", "--timeout", "3s", "--", d.programs / "doctor_app", "deadlock", env={"TINE_NUM_THREADS": "2"})
    d.expect(run, 1, "a strand had waited for `first_lock`", "a strand had waited for `second_lock`", "2 locks are taken in orders that can deadlock")


def suspended(d: Driver) -> None:
    """tine's own locks, and what else a strand waits for."""
    for workers in (1, 2, 8):
        for kind in ("tine_over_forks", "tine_gives_up"):
            d.expect(doctor(d, kind, workers=workers), 0, NOTHING)
    found(d, "tine_cycle", "2 locks are taken in orders that can deadlock", "`tine_first`", "`tine_second`")
    found(d, "mixed_cycle", "2 locks are taken", "`first_lock` is held over a wait", findings=2)
    found(d, "write_while_reading", "2 locks are taken", "`tine_shared`")
    found(d, "coroutine_cycle", "2 locks are taken", "locks_both")
    for kind in ("tine_readers", "tine_tries", "remedy", "once_throws", "tine_once_forks"):
        d.expect(doctor(d, kind), 0, NOTHING)
    found(d, "group", "`first_lock` is held over a wait", "  waits at     group_while_holding (doctor_app.cpp:")
    found(d, "suspends", "`first_lock` is held over a wait", "  waits at     suspends_while_holding (doctor_app.cpp:")
    found(d, "once_forks", "`std_flag` is held over a fork")
    found(d, "static_forks", "the initialisation of `", "::table` is held over a loop")
    found(d, "once_cycle", "2 locks are taken in orders that can deadlock", "`std_flag`", "`first_lock`")
    found(d, "tine_once_cycle", "2 locks are taken in orders that can deadlock", "`tine_flag`", "`tine_first`")
    run = d.tine("doctor", "--timeout", "3s", "--", d.programs / "doctor_app", "all_wait", env={"TINE_NUM_THREADS": 2})
    for name in ("`tine_first`", "`no_permits`", "`never_open`", "`never_full`", "`never_any`", "a condition with the mutex `all_wait"):
        d.check(f"a strand had waited for {name}" in run.stderr, f"it waits for {name}", run.stderr)
    d.expect(run, 1, "6 findings", "the strand is suspended until", "  held by      all_wait", "ran for longer than 3s")


def stopped(d: Driver) -> None:
    """SIGTERM to the command ends the program, and the report is made."""
    process = subprocess.Popen([d.tine_path, "doctor", "--", d.programs / "doctor_app", "hangs"], cwd=d.at, stderr=subprocess.PIPE, text=True)
    time.sleep(2)  # if the program has not begun to wait by then, it is asked once more below
    process.send_signal(signal.SIGTERM)
    said = process.communicate(timeout=60)[1]
    d.check(process.returncode in (1, 2, 143), "it ends", said)
    d.check(process.returncode != 1 or "a strand had waited for `first_lock`" in said, "what the strand waits for", said)


def ends(d: Driver) -> None:
    d.expect(doctor(d, "fails"), 7, NOTHING, "ended with exit code 7")
    d.expect(doctor(d, "crashes"), 1, "is held over a fork", "was killed by signal 6")
    d.expect(doctor(d, "forked"), 1, "is held over a fork", NOTHING)
    found(d, "found_before_fork", "is held over a fork", NOTHING)
    d.expect(doctor(d, "no_root"), 2, "wrote no profile")
    d.expect(d.tine("doctor"), 2, "neither a program")
    d.expect(d.tine("doctor", "--longer-than", "soon", "--", "true"), 2, "'soon' is not a time")
    d.expect(d.tine("doctor", "--", d.at / "nowhere"), 2, "cannot run")


def not_preloaded(d: Driver) -> None:
    environment = {"TINE_NUM_THREADS": 1, "TINE_PROFILE": f"locks:{d.at}/plain.profile"}  # see doctor()
    d.expect(d.execute(d.programs / "doctor_app", "cycle", env=environment), 0, "locks are not checked")
    d.expect(d.tine("doctor", "--read", d.at / "plain.profile"), 2, "the locks of the program were not followed")


def output(d: Driver) -> None:
    run = d.expect(doctor(d, "cycle", "--json", "-o", "cycle.profile"), 1)
    data = json.loads(run.stdout)
    one = data["processes"][0]["findings"][0]
    d.check(data["exit_code"] == 1 and data["findings"] == 1, "totals", run.stdout)
    d.check(one["kind"] == "order" and [use["takes"] for use in one["uses"]] == ["`second_lock`", "`first_lock`"], "the cycle", run.stdout)
    d.check(one["uses"][0]["taken"]["file"].endswith("doctor_app.cpp"), "files", run.stdout)
    d.expect(d.tine("doctor", "--read", "cycle.profile"), 1, "2 locks are taken in orders that can deadlock")
    d.expect(d.tine("report", "cycle.profile"), 0)


def unless_there_is_no_library(d: Driver) -> None:
    if SANITIZED:
        d.expect(d.tine("doctor", "--", "true"), 2, "libtine_locks.so")
        d.end()


Driver.run(unless_there_is_no_library, held, orders, releases, waits, suspended, stopped, ends, not_preloaded, output)
