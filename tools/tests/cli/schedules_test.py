#!/usr/bin/env python3
"""`tine schedule show` and `diff` on hand-made schedules; every verb on a very deep and on a recorded one."""

import json
import pathlib
import re
import resource
import xml.etree.ElementTree as xml

from driver import Driver
from schedules import STRANDS, TIMES, VERBS, bars_of, deep, example, printed, read_perfetto, saved, segment, wide


def shows_text(d: Driver) -> None:
    path = saved(d, "example", example())
    lines = [" ".join(re.sub("[│├└─]", "", line).split()) for line in printed(d, "show", path).splitlines()]
    d.check(lines[0].startswith("4 workers, 5 steals, 4 joins, ") and lines[0].endswith(" B, 400 µs"), "the summary", lines[0])
    d.check(lines[2:7] == ["worker strands busy idle share busy", "0 4 195 µs 205 µs 48.8 %", "1 2 100 µs 300 µs 25.0 %",
                           "2 4 340 µs 60.0 µs 85.0 %", "1 of the pool's workers ran nothing"], "workers", lines[2:7])
    d.check(lines[8:] == [
        "worker stamp begins runs for", "region 0 0 0 ns 50.0 µs", "fork 2", "first branch", "fork 0",
        "second branch, stolen 2 2 20.0 µs 40.0 µs", "joined 2 4 60.0 µs 40.0 µs",
        "second branch, stolen 1 1 10.0 µs 60.0 µs", "fork 0", "second branch", "loop 7, 10 iterations",
        "iterations from 5, stolen 0 3 55.0 µs 25.0 µs", "joined 0 5 80.0 µs 50.0 µs", "joined 0 6 130 µs 70.0 µs",
        "loop 5, 1,000 iterations", "iterations from 500, stolen 2 7 140 µs 160 µs",
        "iterations from 750, stolen 1 8 150 µs 40.0 µs", "joined 2 9 300 µs 100 µs"], "the tree", lines[8:])
    shallow = printed(d, "show", path, "--depth", 1)
    d.check("fork 0" not in shallow and shallow.count("1 steals deeper down") == 2, "--depth cuts", shallow)
    own = example()
    own["nodes"][0][1]["pieces"][0]["run"]["owner"] = 0
    d.check("iterations from 500, reclaimed" in printed(d, "show", saved(d, "own", own)), "what a worker gave itself")


def shows_json(d: Driver) -> None:
    said = json.loads(printed(d, "show", saved(d, "example", example()), "--json"))
    d.check([said[k] for k in ("pool_workers", "steals", "joins", "duration_ns")] == [4, 5, 4, 400_000], "totals", said)
    busy = [(w["worker"], w["strands"], w["busy_ns"], w["idle_ns"]) for w in said["workers"]]
    d.check(busy == [(0, 4, 195_000, 205_000), (1, 2, 100_000, 300_000), (2, 4, 340_000, 60_000)], "workers", busy)
    found = {s["stamp"]: (s["worker"], s["what"], sorted(s["from"])) for s in said["strands"]}
    d.check(found == STRANDS, "strands, and what led to them", found)
    times = {s["stamp"]: (s["begin_ns"] // 1000, s["end_ns"] // 1000) for s in said["strands"]}
    d.check(times == TIMES, "times", times)


def differs(d: Driver, change, *parts: str) -> None:
    """Compares the example with the schedule that `change` makes of it, in both directions."""
    after = example()
    change(after)
    a, b = saved(d, "example", example()), saved(d, "after", after)
    run = d.expect(d.tine("schedule", "diff", a, b), 1, *parts)
    d.check(len([l for l in run.stdout.splitlines() if l[:2] in ("- ", "+ ", "~ ")]) == len(parts) - 1, "nothing else", run.stdout)
    back = d.tine("schedule", "diff", b, a)
    turned = [p.translate(str.maketrans("+-", "-+")) for p in parts[:-1] if p[0] in "+-"]
    d.expect(back, 1, *turned)


def reads_what_is_documented(d: Driver) -> None:
    page = (pathlib.Path(__file__).parents[3] / "docs/reference/schedule-format.md").read_text()
    path = d.at / "documented.json"
    path.write_text(re.search(r"```json\n(.*?)```", page, re.S)[1])
    said = {s["stamp"]: (s["worker"], s["what"]) for s in json.loads(printed(d, "show", path, "--json"))["strands"]}
    d.check(said == {0: (0, "region"), 1: (1, "second branch of fork 2"), 2: (2, "second branch of fork 2.0/0"),
                     3: (2, "after fork 2.0/0"), 4: (0, "after fork 2"), 5: (2, "iterations from 500 of loop 5"),
                     6: (2, "after loop 5")}, "the example of the format", said)


def compares(d: Driver) -> None:
    a = saved(d, "example", example())
    d.expect(d.tine("schedule", "diff", a, a), 0, "no difference: 10 strands")
    slower = example()
    slower["root"]["ns"] = [7, 8]
    for part in [slower["root"]] + [s["after"] for s in slower["nodes"][0]]:
        part["stamp"] *= 3
    for piece in slower["nodes"][0][1]["pieces"]:
        piece["run"]["stamp"] *= 3
    d.expect(d.tine("schedule", "diff", a, saved(d, "slower", slower)), 0, "no difference")

    def owner(s):
        s["nodes"][0][1]["pieces"][0]["run"]["owner"] = 3
        s["nodes"][1][0]["after"]["owner"] = 1

    differs(d, owner, "~ iterations from 500 of loop 5: worker 2 → 3", "~ after fork 2.0/0: worker 2 → 1",
            "10 strands in both, 0 only before, 0 only after; 2 on another worker, 0 in another order")

    def more(s):
        s["nodes"][0][1]["pieces"].append({"begin": 900, "run": segment(0, 10, 1, 2), "node": 4})
        s["nodes"][0].append({"number": 6, "pieces": [{"begin": 1, "run": segment(0, 11, 1, 2)}]})
        s["nodes"].append([{"number": 1, "pieces": [{"begin": 1, "run": segment(0, 12, 1, 2)}], "after": segment(1, 13, 1, 2)}])

    differs(d, more, "+ iterations from 900 of loop 5: worker 0", "+ fork 5[900]/1: 2 strands in it", "+ fork 6: 1 strands in it",
            "10 strands in both, 0 only before, 4 only after; 0 on another worker, 0 in another order")

    def another_kind(s):
        del s["nodes"][3][0]["iterations"]
        s["nodes"][3][0]["pieces"][0]["begin"] = 1

    differs(d, another_kind, "- loop 2.1/0.1/7: 2 strands in it", "+ fork 2.1/0.1/7: 2 strands in it",
            "8 strands in both, 2 only before, 2 only after")

    def longer(s):
        s["workers"], s["nodes"][0][1]["iterations"] = 5, 2000

    differs(d, longer, "~ 4 → 5 workers", "~ loop 5: 1,000 → 2,000 iterations", "; 2 other differences")

    def order(s):  # worker 0 has the stamps 0, 3, 5 and 6
        s["nodes"][3][0]["pieces"][0]["run"]["stamp"] = 16

    differs(d, order, "~ iterations from 5 of loop 2.1/0.1/7: number 2 → 4 on worker 0",
            "0 on another worker, 1 in another order")
    run = d.tine("schedule", "diff", saved(d, "one", wide(100)), saved(d, "none", {**wide(1), "nodes": [[]]}), "--lines", 0)
    d.expect(run, 1, "… and 1 more", "1 strands in both, 100 only before")
    d.check("- loop" not in run.stdout, "--lines is the most", run.stdout)


def takes_deep_ones(d: Driver) -> None:
    def on_a_small_stack() -> None:
        resource.setrlimit(resource.RLIMIT_STACK, (4 << 20, 4 << 20))

    path = saved(d, "deep", deep(20_000))
    for verb in VERBS:
        text = printed(d, verb[0], path, *verb[1:], preexec_fn=on_a_small_stack)
        d.check(len(text) < 60_000_000, f"{verb}: no path is written in full", len(text))
    d.expect(d.tine("schedule", "show", path, "--depth", 200), 0, "19,800 steals deeper down")
    d.expect(d.tine("schedule", "diff", path, path), 0, "no difference: 20,001 strands")
    d.expect(d.tine("schedule", "diff", path, saved(d, "cut", deep(10_000))), 1, "fork (9984 above)/", "10,000 only before")
    for depth in "0", "201", "-1", "x":
        d.expect(d.tine("schedule", "show", path, "--depth", depth), 2, "--depth")


def follows_a_recording(d: Driver) -> None:
    recorded, performed = d.at / "recorded.json", d.at / "performed.json"
    d.expect(d.execute(d.programs / "recorded_app", recorded, performed), 0)
    for path in recorded, performed:
        is_of_the_region(d, path)
    d.expect(d.tine("schedule", "diff", recorded, performed), 0, "no difference")


def is_of_the_region(d: Driver, path: pathlib.Path) -> None:
    said = json.loads(printed(d, "show", path, "--json"))
    strands = {s["stamp"]: s for s in said["strands"]}
    d.check(sorted(strands) == list(range(len(strands))), "stamps count from 0", sorted(strands))
    d.check(any(s["what"] == "second branch of fork 0" and s["worker"] != strands[0]["worker"] for s in strands.values()),
            "the steal that had to be", said)
    d.check(all((s["from"] == []) == (s["what"] == "region") for s in strands.values()), "all but the first come from another")
    d.check(all(strands[f]["begin_ns"] <= s["begin_ns"] for s in strands.values() for f in s["from"]), "causes come first")
    d.check(sum(w["strands"] for w in said["workers"]) == len(strands) == 1 + said["steals"] + said["joins"], "all are counted")
    slices, flows = read_perfetto(d, path)
    d.check(set(slices) == set(strands) and len(flows) == len(strands) - 1, "a flow to each strand but the first", flows)
    bars = bars_of(xml.fromstring(printed(d, "gantt", path)))
    d.check(set(bars) == set(strands), "a bar for each", len(bars))
    d.check("second branch, stolen" in printed(d, "show", path), "the tree")


Driver.run(shows_text, shows_json, reads_what_is_documented, compares, takes_deep_ones, follows_a_recording)
