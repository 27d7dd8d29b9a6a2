#!/usr/bin/env python3
"""The functions in which a program spends its time outside of roots: the places in profiles, and the message if there are none."""

import pathlib
import sys

from driver import EMULATED, PATIENCE, Driver


def profiled(d: Driver, way: str, name: str = "") -> dict:
    file = name or f"{way}.profile"
    d.expect(d.tine("profile", "-q", "-o", file, "--", d.app, way), 0)
    return d.report(file)


def time_in(data: dict, function: str) -> int:
    return sum(f["time_ns"] for f in data.get("outside", {}).get("functions", []) if f["function"] == function)


def phases(d: Driver) -> None:
    data = profiled(d, "serial")
    outside = data["outside"]
    reading, writing = time_in(data, "read_input"), time_in(data, "write_output")
    d.check("problem" not in outside and reading > writing > 0, "both phases, the longer one first", outside)
    d.check(outside["functions"][0]["function"] == "read_input", "read_input has the most", outside["functions"][:1])
    d.check(150_000_000 < reading < 600_000_000, "as many samples as there was processor time", outside)
    every = sum(f["time_ns"] for f in outside["functions"]) + outside["unlocated_ns"]
    d.check(every == outside["sampled_ns"], "all parts together are what was sampled", outside)
    # The calls of the clock are in functions of their own, so the line is that of the loop.
    source = pathlib.Path(__file__).with_name("profiled_app.cpp").read_text().splitlines()
    line = outside["functions"][0]["line"]
    d.check("// in read_input" in source[line - 1], "the line of the loop", line)
    callers = {c["function"] for f in outside["functions"] for c in f["callers"]}
    d.check("serial_phases" in callers, "frame pointers lead to the caller", outside["functions"][:1])
    above = d.report("serial.profile", "--skip", "read_input")
    d.check(time_in(above, "read_input") == 0 < time_in(above, "serial_phases"), "a skipped function counts for its caller", above["outside"])
    d.check("is in read_input (profiled_app.cpp:" in data.get("serial_bound", ""), "the verdict names it", data.get("serial_bound"))
    d.expect(d.tine("report", "serial.profile"), 0, "% read_input (profiled_app.cpp:", "limit       The time outside of roots")
    d.expect(d.tine("check", "serial.profile", "--max-serial-share", "1%"), 1, "of its processor time in read_input (")
    d.expect(d.tine("export", "serial.profile", "--to", "collapsed"), 0, "outside of roots;read_input (profiled_app.cpp:")
    d.expect(d.tine("profile", "-q", "--no-sampling", "-o", "off.profile", "--", d.app, "serial"), 0)
    d.check("functions" not in d.report("off.profile")["outside"], "sampling is switched off")
    data = profiled(d, "serial-thread")
    d.check(time_in(data, "write_output") > 0, "a thread that has called into a pool", data["outside"])


def in_roots(d: Driver) -> None:
    data = profiled(d, "serial-in-root")
    d.check(time_in(data, "read_input") == 0, "what runs in a root is not outside", data["outside"])


def not_located(d: Driver) -> None:
    for way, why in ("serial-handled", "the program handles the signal"), ("serial-blocked", "the program blocked the signal"):
        data = profiled(d, way)
        d.check(why in data["outside"].get("problem", ""), f"{way}: the profile says why", data["outside"])
        d.expect(d.tine("report", f"{way}.profile"), 0, f"outside     not located: {why}")


def children(d: Driver) -> None:
    d.expect(d.tine("profile", "-q", "-o", "tree.profile", "--", d.app, "serial-child"), 0, "profiles of 2 processes")
    parent = d.report("tree.profile")
    child = [d.report(file) for file in d.at.glob("tree.profile.*")]
    d.check(time_in(parent, "read_input") > 0 == time_in(parent, "write_output"), "the parent's time", parent["outside"])
    d.check(len(child) == 1 and time_in(child[0], "write_output") > 0 == time_in(child[0], "read_input"), "the child's time", child)
    d.check(child and child[0]["wall_ns"] < parent["wall_ns"], "the child begins when it is forked", child)


def killed(d: Driver) -> None:
    p = d.start("serial-for-ever", TINE_PROFILE="work,grain:killed.profile")
    d.check(p.stdout.readline() == "ready\n", "it runs")
    p.terminate()
    said = p.communicate(timeout=PATIENCE)
    data = d.report("killed.profile")
    d.check(p.returncode == -15 and time_in(data, "read_input") > 0, "a profile that a signal cut short", (said, data.get("outside")))


def sleeps(d: Driver) -> None:
    d.expect(d.tine("profile", "-q", "-o", "sleeps.profile", "--", d.app, "serial-sleeps"), 0, "interrupted 0\n")
    d.check(time_in(d.report("sleeps.profile"), "sleep_often") > 0, "the signal came between the sleeps")


def without_registers(d: Driver) -> None:
    """The portable fallback does not know where a thread was interrupted. So it does not sample, and says why."""
    why = "the portable fallback of tine does not know where a thread was interrupted"
    outside = profiled(d, "serial")["outside"]
    d.check(outside.get("problem") == why and "functions" not in outside, "the profile says why", outside)
    d.expect(d.tine("report", "serial.profile"), 0, f"outside     not located: {why}")
    d.expect(d.tine("profile", "-q", "-o", "sleeps.profile", "--", d.app, "serial-sleeps"), 0, "interrupted 0\n")
    d.expect(d.tine("profile", "-q", "-o", "signals.profile", "--", d.app, "signals"), 0, "handlers 0\n")


def without(d: Driver) -> None:
    """A process that is not profiled keeps its signals as they were."""
    run = d.execute(d.app, "signals")
    d.check(run.stdout == "handlers 0\n", "no handler without a profile", run.stdout)
    d.expect(d.tine("profile", "-q", "-o", "signals.profile", "--", d.app, "signals"), 0, "handlers 1\n")


if __name__ == "__main__":
    if EMULATED:
        sys.exit(print("skipped: all parts (the emulator has no timers of a thread's processor time)\n0 passed, 0 failed"))
    driver = Driver()
    sampled = phases, in_roots, not_located, children, killed, sleeps, without
    for part in (without_registers,) if "--without-registers" in sys.argv else sampled:
        part(driver)
    driver.end()
