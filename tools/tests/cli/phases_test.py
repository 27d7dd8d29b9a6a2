#!/usr/bin/env python3
"""Parts of a run: phases of real programs, call sites, and stretches of time, in every subcommand that has --of."""

import json

from driver import Driver


def profiled(d: Driver, case: str, analyses: str = "trace", workers: int = 2):
    path = d.at / f"{case}-{analyses.replace(',', '-')}.profile"
    run = d.execute(d.programs / "phases_app", case, env={"TINE_PROFILE": f"{analyses}:{path}", "TINE_NUM_THREADS": workers})
    d.check(run.returncode == 0 and path.exists(), f"{case} is profiled", run.stderr)
    return path


def report(d: Driver, path, *of: str) -> dict:
    return json.loads(d.expect(d.tine("report", "--json", path, *(word for part in of for word in ("--of", part))), 0).stdout)


def calls(d: Driver) -> None:
    for analyses in "trace", "grain", "work,span":
        path = profiled(d, "calls", analyses)
        whole, build, query, merge = (report(d, path, *of) for of in ([], ["phase:build"], ["phase:query"], ["phase:merge"]))
        d.check([part["forks"] for part in (whole, build, query, merge)] == [27, 17, 9, 2], f"{analyses}: forks", [part["forks"] for part in (whole, build, query, merge)])
        d.check([part["calls"] for part in (whole, build, query, merge)] == [7, 4, 2, 1], f"{analyses}: calls", whole["calls"])
        d.check(60e6 <= build["outside"]["wall_ns"] <= whole["outside"]["wall_ns"] - 15e6, f"{analyses}: serial time between calls belongs to the phase", build["outside"])
        d.check(build["process"]["work_ns"] >= 60e6 and build["process"]["span_ns"]["high"] >= 60e6, f"{analyses}: and to its work and span", build["process"])
        d.check(10e6 <= merge["outside"]["wall_ns"] and query["outside"]["wall_ns"] >= merge["outside"]["wall_ns"], f"{analyses}: a phase contains the phases inside of it", query["outside"])
        d.check(query["roots"]["work_ns"] >= 31e6, f"{analyses}: work of calls", query["roots"])
    path = profiled(d, "calls")
    both = report(d, path, "phase:query", "phase:merge")
    d.check((both["of"], both["forks"]) == ("phase:query, phase:merge", 2), "a part of a part", both["of"])
    d.check(report(d, path, "phase:query / merge")["forks"] == 2, "a phase by its whole name")
    text = d.expect(d.tine("report", path), 0, "phase", "opened", "query / merge").stdout
    rows = [line for line in text.splitlines() if line.startswith("build")]
    d.check(len(rows) == 1 and rows[0].split()[1] == "2", "a row for each phase, with how many times it was opened", text)
    d.expect(d.tine("report", path, "--of", "phase:build"), 0, "only phase:build", "whole part")


def subcommands(d: Driver) -> None:
    path = profiled(d, "calls")
    for words in (["predict"], ["simulate"], ["whatif"], ["check", "--min-parallelism", "0.5"], ["report"], ["report", "--html", d.at / "page.html"], ["export", "--to", "collapsed"], ["export", "--to", "dot"], ["diff", path]):
        d.expect(d.tine(*words, path, "--of", "phase:query"), 0)
        d.expect(d.tine(*words, path, "--of", "phase:nothing"), 2, "'nothing' is not a phase of this profile; it has build, query, query / merge")
    for bad in "sometimes", "phase", "time:", "time:2s", "time:2s..1s", "time:1s..x", "time:-1s..1s", "site:nowhere.cpp:1", "time:0s..1s --of time:0s..1s":
        d.expect(d.tine("report", path, "--of", *bad.split(" ")), 2)
    query = json.loads(d.expect(d.tine("simulate", "--json", path, "--workers", "1", "--of", "phase:query"), 0).stdout)
    d.check(31e6 <= query["work_ns"] and query["outside_ns"] >= 10e6, "the simulation has the phase's work and serial time", query)
    roots = json.loads(d.expect(d.tine("simulate", "--json", path, "--workers", "1", "--of", "phase:query", "--of", "roots"), 0).stdout)
    d.check(roots["rows"][0]["time_ns"] == query["work_ns"], "roots leaves the serial time out", roots)
    limit = d.tine("check", path, "--of", "phase:build", "--max-span", "30ms")
    d.expect(limit, 1, "span of the process")


def sites_and_times(d: Driver) -> None:
    path = profiled(d, "calls")
    whole = report(d, path)
    name = whole["sites"][0]["function"]
    below = report(d, path, f"site:{name}")
    d.check(below["outside"]["wall_ns"] == 0 and below["forks"] == whole["sites"][0]["forks"], "what runs below a call site", below)
    all_of_it = report(d, path, "time:0s..100s")
    d.check(all_of_it["process"]["work_ns"] == whole["process"]["work_ns"] and all_of_it["forks"] == whole["forks"], "all of the time is all of the run", all_of_it["process"])
    for tenth in range(1, 10):
        border, end = whole["wall_ns"] * tenth // 10, whole["wall_ns"] + 1
        runs = [d.tine("report", "--json", path, "--of", f"time:{a}ns..{b}ns") for a, b in ((0, border), (border, end))]
        said = [json.loads(run.stdout) if run.returncode == 0 else {"calls": 0, "outside": {"wall_ns": 0}, "why": run.stderr} for run in runs]
        d.check(sum(part["calls"] for part in said) == 7, "every call began on one side of a border", said)
        d.check(all(part["calls"] or "no call into a pool began" in part["why"] for part in said), "a stretch without calls is refused", said)
        d.check(sum(part["outside"]["wall_ns"] for part in said) <= whole["outside"]["wall_ns"], "no serial time is on both sides", said)
    one = d.tine("report", profiled(d, "inside"), "--of", "time:10ms..15ms")
    d.check(one.returncode == 2 and "choose a phase or a call site" in one.stderr or one.returncode == 0, "a stretch inside of a call", one.stderr)


def inside(d: Driver) -> None:
    for workers in 1, 3:
        path = profiled(d, "inside", workers=workers)
        build, query, left, right = (report(d, path, f"phase:{name}") for name in ("build", "query", "left", "right"))
        d.check((build["forks"], query["forks"], left["forks"], right["forks"]) == (0, 2, 1, 0), f"{workers} workers: forks", query["forks"])
        d.check(18e6 <= build["roots"]["work_ns"] and 85e6 <= query["roots"]["work_ns"], f"{workers} workers: work", query["roots"])
        d.check(55e6 <= left["roots"]["work_ns"] and 28e6 <= right["roots"]["work_ns"], f"{workers} workers: work of branches", left["roots"])
        d.check(left["roots"]["span_ns"]["high"] <= 0.75 * left["roots"]["work_ns"], f"{workers} workers: branches of a phase run beside each other", left["roots"])
        d.check(query["roots"]["span_ns"]["high"] <= 0.6 * query["roots"]["work_ns"], f"{workers} workers: phases in branches, too", query["roots"])
    coarse = d.tine("report", profiled(d, "inside", "grain"), "--of", "phase:build")
    d.expect(coarse, 2, "analysis `trace`")


def other_forms(d: Driver) -> None:
    path = profiled(d, "throws")
    d.check((report(d, path, "phase:outer")["forks"], report(d, path, "phase:inner")["forks"], report(d, path)["forks"]) == (1, 1, 4), "exceptions leave phases")
    path = profiled(d, "threads")
    d.check((report(d, path, "phase:main")["forks"], report(d, path, "phase:other")["forks"], report(d, path)["forks"]) == (3, 6, 10), "each thread has its own phase")
    path = profiled(d, "many")
    forks = [part["forks"] for part in (report(d, path), report(d, path, "phase:even"), report(d, path, "phase:odd"))]
    d.check(forks == [20000, 10000, 10000], "short phases in a loop are counted exactly", forks)
    d.expect(d.tine("report", path, "--of", "phase:number 2999"), 2, "is not a phase of this profile; it has")
    path = profiled(d, "recursion")
    d.check(report(d, path, "phase:recursion")["forks"] == 63, "a phase inside of itself is one phase")
    d.check("recursion / recursion" not in d.tine("report", path).stdout, "with one row")
    path = profiled(d, "unfinished")
    d.check(report(d, path, "phase:unfinished")["outside"]["wall_ns"] >= 20e6, "a phase that is open at the end has its time")


if __name__ == "__main__":
    Driver.run(calls, subcommands, sites_and_times, inside, other_forms)
