#!/usr/bin/env python3
"""Timelines of real programs: their events agree with the counters of the pools, each worker is in one state at each moment, and the exports say the same."""

import itertools
import json

from driver import Driver

SEEDS = range(1, 7)


def recorded(d: Driver, *arguments, options=()) -> tuple[dict, dict, object]:
    """Runs the program. Returns what it has printed, the report, and the profile's path."""
    file = d.at / ("-".join(map(str, arguments)) + ".profile")
    run = d.tine("profile", "--timeline", "--analyses", "work", "-q", *options, "-o", file, "--", d.programs / "timeline_app", *arguments)
    d.expect(run, 0)
    report = d.expect(d.tine("report", file, "--json"), 0)
    return json.loads(run.stdout or "{}"), json.loads(report.stdout)["timeline"], file


def agreement(d: Driver) -> None:
    for seed, workers in itertools.product(SEEDS, (2, 8)):
        counted, told, file = recorded(d, seed, workers)
        name = f"seed {seed}, {workers} workers"
        d.check(all(w["left_out"] == 0 for w in told["workers"]), f"{name}: nothing is left out", told["workers"])
        for what in ("promotions", "steals", "reclaimed", "suspensions", "signals"):
            events = sum(w["events"][what] for w in told["workers"])
            d.check(events == counted[what], f"{name}: {what} agree with the counters", (events, counted[what]))
        partition(d, name, told, file)


def partition(d: Driver, name: str, told: dict, file) -> None:
    """Each nanosecond of each worker is in one state: by the sums, and by the periods of the page."""
    whole = told["end_ns"] - told["begin_ns"]
    for w in told["workers"]:
        d.check(sum(w["ns"].values()) == whole, f"{name}: the states of {w['name']} add up", (w, whole))
    periods = d.page(file)["periods"]
    at = {}
    gapless = True
    for worker, begin, end in zip(periods["worker"], periods["begin"], periods["end"]):
        gapless = gapless and at.get(worker, told["begin_ns"]) == begin and begin < end
        at[worker] = end
    d.check(gapless and set(at.values()) == {told["end_ns"]} and len(at) == len(told["workers"]), f"{name}: the periods of the page have no gaps")


def perfetto(d: Driver) -> None:
    counted, told, file = recorded(d, SEEDS[0], 2)
    exported = d.expect(d.tine("export", file, "--to", "perfetto"), 0)
    events = [e for e in json.loads(exported.stdout)["traceEvents"] if e["pid"] == 3]
    names = {e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
    d.check(names == {w["name"] for w in told["workers"]}, "a thread for each worker", names)
    marks = [e["name"] for e in events if e["ph"] == "i"]
    for mark, what in (("reclaims", "reclaimed"), ("suspends", "suspensions")):
        d.check(marks.count(mark) == counted[what], f"a mark for each of the {what}", (marks.count(mark), counted[what]))
    starts = {e["id"]: e for e in events if e["ph"] == "s"}
    ends = {e["id"]: e for e in events if e["ph"] == "f"}
    d.check(starts.keys() == ends.keys() and 0 < len(starts) <= counted["steals"], "an arrow for each stolen task", (len(starts), counted))
    d.check(all(starts[i]["ts"] <= ends[i]["ts"] for i in starts), "arrows lead forwards in time")
    d.check(sum(starts[i]["tid"] != ends[i]["tid"] for i in starts) == len(starts), "from one worker to another")
    slices = {}
    for e in events:
        if e["ph"] == "X":
            slices.setdefault(e["tid"], []).append((e["ts"], e["ts"] + e["dur"]))
    overlaps = sum(a[1] > b[0] + 0.0011 for each in slices.values() for a, b in zip(sorted(each), sorted(each)[1:]))
    d.check(overlaps == 0, "the slices of a worker do not overlap", overlaps)
    counters = [e["args"]["queued"] for e in events if e["ph"] == "C" and e["name"] == "queued tasks"]
    d.check(min(counters) == 0 and max(counters) >= 1, "the number of queued tasks rises and falls to zero", (min(counters), max(counters)))


def gaps(d: Driver) -> None:
    """Gaps that the program makes have the right reasons, to within what a busy machine adds."""
    _, told, file = recorded(d, "--gaps", 2)
    by_name = {w["name"]: w["ns"] for w in told["workers"]}
    caller = max(by_name, key=lambda name: by_name[name]["running"])
    [thief] = set(by_name) - {caller}
    ms = 1e6
    d.check(by_name[caller]["in_the_kernel"] >= 25 * ms, "the caller's sleep is in the kernel", by_name)
    d.check(by_name[caller]["waiting"] >= 30 * ms, "it waits for the branch that was stolen", by_name)
    d.check(by_name[thief]["no_work"] >= 40 * ms, "the thief has no work before", by_name)
    d.check(by_name[thief]["in_the_kernel"] >= 35 * ms, "and sleeps in the branch", by_name)
    d.expect(d.tine("report", file), 0, "timeline", "in the kernel", "all workers")
    d.check("gaps" in "".join(d.page(file)["timeline_sites"]), "the strand has its call site", d.page(file)["timeline_sites"])


def last(d: Driver) -> None:
    """The end of a long run: the file stays small, and the counts say how much is left out."""
    counted, told, file = recorded(d, "--long", 1.5, options=("--last", "300ms", "--max-size", "4MiB"))
    d.check(told["end_ns"] - told["begin_ns"] <= 301e6, "no more than was asked for", told["end_ns"] - told["begin_ns"])
    d.check(sum(w["left_out"] for w in told["workers"]) > 0, "older events are left out", told["workers"])
    d.check(file.stat().st_size < 4 << 20, "the file has its size", file.stat().st_size)
    d.check(sum(w["events"]["promotions"] for w in told["workers"]) < counted["promotions"], "only the end is there")
    partition(d, "the last 300 ms", told, file)
    d.expect(d.tine("profile", "--last", "soon", "--", "true"), 2, "--last: 'soon' is not a time")


Driver.run(agreement, perfetto, gaps, last)
