#!/usr/bin/env python3
"""tine profile around programs of all kinds, and tine calibrate's file."""

import os
import re

from driver import WITHOUT_SPORK, Driver


def program(d: Driver, kind: str, then: str = "") -> list[str]:
    """Returns a program that writes a hand-made profile to the path in TINE_PROFILE, as the runtime does."""
    return ["sh", "-c", f'"{d.maker}" {kind} "$(echo "${{TINE_PROFILE#*:}}" | sed s/%p/$$/)"; {then}']


def good_runs(d: Driver) -> None:
    run = d.tine("profile", "-o", "a.profile", "--", *program(d, "full", "echo $TINE_PROFILE; cd /; exit 7"))
    d.expect(run, 7, "sort_halves", f"profile: {d.at}/a.profile")
    d.check(run.stdout == f"work,span,grain,trace:{d.at}/a.profile\n", "standard output is the program's alone", run.stdout)
    run = d.tine("profile", "--analyses", "work,span", "-q", "--", *program(d, "full", "echo $TINE_PROFILE"))
    d.expect(run, 0, "profile: ")
    d.check(bool(re.match(rf"work,span:{re.escape(str(d.at))}/tine-%p\.profile\n", run.stdout)), "the usual name", run.stdout)
    d.check("sort_halves" not in run.stderr, "-q does not report", run.stderr)
    d.check(len(list(d.at.glob("tine-*.profile"))) == 1, "the file is there")
    d.expect(d.tine("profile", "-q", "-o", "a.profile", "--", *program(d, "idle", "kill -TERM $$")), 128 + 15)


def bad_runs(d: Driver) -> None:
    d.expect(d.tine("profile", "--", "true"), 2, "wrote no profile", "does not use tine")
    d.expect(d.tine("profile", "--", "sh", "-c", "kill -9 $$"), 2, "killed by signal 9", "SIGTERM, SIGINT")
    d.expect(d.tine("profile", "--", "./nonesuch"), 2, "cannot run ./nonesuch: No such file")
    d.expect(d.tine("profile"), 2, "COMMAND")
    d.expect(d.tine("profile", "--analyses", "work,fun", "--", "true"), 2, "no analysis 'fun'")
    # A file of an earlier run must not be taken for the file of this run.
    (d.at / "old.profile").write_bytes(d.make("full").read_bytes())
    d.expect(d.tine("profile", "-o", "old.profile", "--", "true"), 2, "wrote no profile")
    d.expect(d.tine("profile", "-o", "bad.profile", "--", "sh", "-c", "echo x > bad.profile"), 2, "not a profile")


def pipes(d: Driver) -> None:
    line = f'"{d.tine_path}" report "{d.make("full")}" | head -1; echo "${{PIPESTATUS[0]}}"'
    run = d.execute("bash", "-c", line)
    d.check(run.stdout.splitlines()[1:] == ["0"] and not run.stderr, "a reader that goes away is no error", run)
    # The exit code is the same with and without readers, whichever stream the readers have closed.
    d.write("bad.spork", "fun main() { block entry { goto nowhere } }\n")
    of_spork = ((["ir", "check", "bad.spork"], 1), (["ir", "explore", "missing.spork"], 2))
    for words, code in ((["check", d.make("full"), "--min-parallelism", "1000000"], 1), (["report", "missing"], 2), (["reprot"], 2), (["--help"], 0),
                        (["profile", "-o", "nested.profile", "--", "true"], 2), *(() if WITHOUT_SPORK else of_spork)):
        read, write = os.pipe()
        os.close(read)
        run = d.tine(*words, capture_output=False, stdout=write, stderr=write)
        os.close(write)
        d.check(run.returncode == code, f"{words[0]} ends with {code} when both streams are closed", run)


def calibration(d: Driver) -> None:
    path = d.at / "deep/er/calibration"
    run = d.expect(d.tine("calibrate", env={"TINE_CALIBRATION": str(path)}), 0, "a fork costs", str(path))
    lines = dict(line.split(" = ", 1) for line in path.read_text().splitlines() if not line.startswith("#"))
    d.check("machine" in lines, "the machine's name", lines)
    d.check(0 <= float(lines["fork_cost"]) < 1000, "a fork takes some nanoseconds", lines)
    for analysis in "work", "grain", "space", "trace":
        for key in f"profiled_fork_cost.{analysis}", f"profiled_loop_cost.{analysis}":
            d.check(0 <= float(lines[key]) < 100_000, f"{key} is measured", lines)
    d.check(float(lines["profiled_fork_cost.work"]) > 0, "clocks are read at a fork (a loop may take less than can be told)", lines)
    d.check("fork_burden" not in lines or float(lines["fork_burden"]) > 0, "a stolen fork takes time", lines)
    for key in "promotion_cost", "steal_cost", "resume_cost", "wake_up_cost":
        d.check(key not in lines and key != "promotion_cost" or 0 <= float(lines[key]) < 1e9, f"{key} is a time, if steals could be measured", lines)
    d.check([p.name for p in path.parent.iterdir()] == ["calibration"], "nothing else is left")
    d.expect(d.tine("calibrate", "--dry-run", env={"TINE_CALIBRATION": str(d.at / "none")}), 0)
    d.expect(d.tine("topology", env={"TINE_NUM_THREADS": "3"}), 0, "3 workers: TINE_NUM_THREADS\n", "this process may use ")
    d.expect(d.tine("topology", env={"TINE_NUM_THREADS": "many"}), 2, "tine topology: TINE_NUM_THREADS is \"many\": give")
    d.check(not (d.at / "none").exists(), "--dry-run writes nothing")
    d.expect(d.tine("calibrate", env={"TINE_CALIBRATION": "/proc/nowhere/file"}), 2, "/proc/nowhere")
    # A profile uses the file, unless another machine has written it.
    for machine, is_used in (lines["machine"], True), ("a PDP-11", False):
        path.write_text(f"# A comment.\nmachine = {machine}\nfork_burden = 5000\n")
        run = d.expect(d.tine("profile", "--", d.app, "two-roots", env={"TINE_CALIBRATION": str(path)}), 0)
        d.check(("usual costs" not in run.stderr) == is_used, f"a calibration of {machine} is {'used' if is_used else 'not used'}", run.stderr)


Driver.run(good_runs, bad_runs, pipes, calibration)
