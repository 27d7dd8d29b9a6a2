"""Hand-made schedules, the facts about them, and readers of the output of `tine schedule`, for the tests in this folder."""

import json
import re

from driver import Driver

VERBS = (["show"], ["show", "--json"], ["gantt"], ["gantt", "--html"], ["export", "--to", "perfetto"], ["export", "--to", "dot"])
SVG = "{http://www.w3.org/2000/svg}"


def segment(owner: int, stamp: int, begin: int, end: int) -> dict:
    return {"owner": owner, "stamp": stamp, "ns": [begin * 1000, end * 1000]}


def example() -> dict:
    """Returns a fork with steals in both branches, and a loop of which two pieces were stolen; times are in µs."""
    return {
        "format": "tine schedule", "version": 1, "workers": 4, "root": segment(0, 0, 0, 50),
        "nodes": [
            [{"number": 2, "pieces": [{"begin": 0, "node": 1}, {"begin": 1, "run": segment(1, 1, 10, 70), "node": 2}],
              "after": segment(0, 6, 130, 200)},
             {"number": 5, "iterations": 1000, "after": segment(2, 9, 300, 400),
              "pieces": [{"begin": 500, "run": segment(2, 7, 140, 300)}, {"begin": 750, "run": segment(1, 8, 150, 190)}]}],
            [{"number": 0, "pieces": [{"begin": 1, "run": segment(2, 2, 20, 60)}], "after": segment(2, 4, 60, 100)}],
            [{"number": 0, "pieces": [{"begin": 1, "node": 3}]}],
            [{"number": 7, "iterations": 10, "pieces": [{"begin": 5, "run": segment(0, 3, 55, 80)}],
              "after": segment(0, 5, 80, 130)}]]}


# For each strand of the example, by its stamp: the worker, its place, and the strands that led to it.
STRANDS = {0: (0, "region", []), 1: (1, "second branch of fork 2", [0]), 2: (2, "second branch of fork 2.0/0", [0]),
           3: (0, "iterations from 5 of loop 2.1/0.1/7", [1]), 4: (2, "after fork 2.0/0", [0, 2]),
           5: (0, "after loop 2.1/0.1/7", [1, 3]), 6: (0, "after fork 2", [4, 5]),
           7: (2, "iterations from 500 of loop 5", [6]), 8: (1, "iterations from 750 of loop 5", [6]),
           9: (2, "after loop 5", [6, 7, 8])}
GIVEN = {1: 0, 2: 0, 3: 1, 7: 6, 8: 6}
JOINED = {4: 2, 5: 3, 6: 5, 9: 7}
TIMES = {0: (0, 50), 1: (10, 70), 2: (20, 60), 3: (55, 80), 4: (60, 100), 5: (80, 130), 6: (130, 200), 7: (140, 300),
         8: (150, 190), 9: (300, 400)}


def saved(d: Driver, name: str, schedule: dict):
    path = d.at / f"{name}.json"
    path.write_text(json.dumps(schedule))
    return path


def printed(d: Driver, *words, **options) -> str:
    run = d.expect(d.tine("schedule", *words, **options), 0)
    d.check(not run.stderr, "nothing on standard error", run.stderr)
    return run.stdout


def wide(steals: int) -> dict:
    """Returns a loop with `steals` stolen pieces; the piece that begins at i takes i ns."""
    pieces = [{"begin": i, "run": {"owner": i % 2, "stamp": i, "ns": [1000 * i, 1001 * i]}} for i in range(1, steals + 1)]
    return {"format": "tine schedule", "version": 1, "workers": 2, "root": segment(0, 0, 0, 1),
            "nodes": [[{"number": 0, "iterations": steals + 1, "pieces": pieces}]]}


def deep(levels: int) -> dict:
    nodes = [[{"number": 0, "pieces": [{"begin": 1, "run": segment(i % 2, i + 1, i, i + 1), "node": i + 1}]}]
             for i in range(levels)]
    del nodes[-1][0]["pieces"][0]["node"]
    return {"format": "tine schedule", "version": 1, "workers": 2, "root": segment(1, 0, 0, 1), "nodes": nodes}


def bars_of(root) -> dict:
    """Returns the bars by their stamps: class, x, y, width, title."""
    found = {}
    for rect in root.iter(f"{SVG}rect"):
        title = rect.find(f"{SVG}title")
        if title is not None:
            stamp = int(re.search(r"stamp (\d+)$", title.text)[1])
            found[stamp] = (rect.get("class"), float(rect.get("x")), float(rect.get("y")), float(rect.get("width")), title.text)
    return found


def arrows_of(root) -> list:
    found = []
    for path in root.findall(f"{SVG}path"):
        x1, y1, x2, y2 = map(float, re.fullmatch(r"M(\S+) (\S+)L(\S+) (\S+)", path.get("d")).groups())
        found.append((path.get("class"), x1, y1, x2, y2))
    return found


def read_perfetto(d: Driver, path) -> tuple:
    """Returns slices by stamp, and flows as (name, from, to). A flow binds to the last slice that has begun and not ended."""
    events = json.loads(printed(d, "export", "--to", "perfetto", path))["traceEvents"]
    slices = {e["args"]["stamp"]: e for e in events if e["ph"] == "X"}

    def around(e: dict):
        found = [s for s in slices.values() if s["tid"] == e["tid"] and s["ts"] <= e["ts"] < s["ts"] + max(s["dur"], 1e-3)]
        return max(found, key=lambda s: (s["ts"], s["args"]["stamp"]))["args"]["stamp"] if found else None

    flows, begins = [], {e["id"]: e for e in events if e["ph"] == "s"}
    ends = {e["id"]: e for e in events if e["ph"] == "f"}
    d.check(set(begins) == set(ends) and len(begins) + len(ends) == sum(e["ph"] in "sf" for e in events), "flows have two ends")
    for id, e in ends.items():
        d.check(e["bp"] == "e" and begins[id]["name"] == e["name"] and begins[id]["cat"] == e["cat"], "the ends fit", e)
        flows.append((e["name"], around(begins[id]), around(e)))
    named = {e["tid"] for e in events if e["ph"] == "M"}
    d.check(named == {e["tid"] for e in slices.values()}, "threads have names", named)
    return slices, flows
