#!/usr/bin/env python3
"""`tine schedule gantt` and `export`: every picture and every trace is read back and compared with the schedule."""

import json
import math
import re
import xml.etree.ElementTree as xml

from driver import Driver
from schedules import GIVEN, JOINED, STRANDS, SVG, TIMES, arrows_of, bars_of, example, printed, read_perfetto, saved, segment, wide


def draws(d: Driver) -> None:
    path = saved(d, "example", example())
    text = printed(d, "gantt", path)
    root = xml.fromstring(text)
    bars = bars_of(root)
    d.check(set(bars) == set(STRANDS), "a bar for each strand", bars)
    scale = bars[9][3] / 100
    for stamp, (kind, x, y, width, title) in bars.items():
        begin, end = TIMES[stamp]
        worker, what, _ = STRANDS[stamp]
        d.check(abs(width - scale * (end - begin)) < 0.02 and abs(x - bars[0][1] - scale * begin) < 0.02, "a bar's times", title)
        d.check(y == bars[{0: 0, 1: 1, 2: 2}[worker]][2], "a bar's row", title)
        d.check(title.startswith(f"{what} on worker {worker}: "), "a bar's title", title)
        d.check(kind == ("region" if stamp == 0 else "join" if what.startswith("after") else "branch"), "a bar's kind", title)
    expected = {("forked", f, t) for t, f in GIVEN.items()} | {("joined", f, t) for t, f in JOINED.items()}
    expected |= {("awaited", f, t) for t, (_, _, all) in STRANDS.items() if t in JOINED for f in all if f != JOINED[t]}
    expected = {(kind, f, t) for kind, f, t in expected if STRANDS[f][0] != STRANDS[t][0]}
    arrows = arrows_of(root)
    d.check(len(arrows) == len(expected), "an arrow for each pair of strands on two rows", arrows)
    for kind, f, t in expected:
        leaves = max(TIMES[f][0], min(TIMES[t][0], TIMES[f][1])) if kind == "forked" else TIMES[f][1]
        d.check(any(a[0] == kind and abs(a[1] - bars[0][1] - scale * leaves) < 0.02 and abs(a[3] - bars[t][1]) < 0.02 and
                    bars[f][2] <= a[2] <= bars[f][2] + 20 and bars[t][2] <= a[4] <= bars[t][2] + 20 for a in arrows),
                f"the arrow {kind} {f} → {t}", arrows)
    labels = [t.text for t in root.iter(f"{SVG}text")]
    d.check({"0 ns", "50.0 µs", "400 µs", "worker 0", "worker 2"} <= set(labels) and "worker 3" not in labels, "labels", labels)
    d.check("prefers-color-scheme:dark" in text and not re.search(r"href|src=|@import|url\((?!#)|<script", text), "self-contained")


def draws_pages(d: Driver) -> None:
    path = d.at / 'a <b> & "c"\x07.json'
    path.write_text(json.dumps(example()))
    page = xml.fromstring(printed(d, "gantt", path, "--html"))
    d.check(page.tag == "html" and page.find("head/title").text.endswith('a <b> & "c"?.json'), "a page with a title",
            page.find("head/title").text)
    d.check(len(bars_of(page)) == 10, "the picture is in it")
    d.check(printed(d, "gantt", path, "-o", "out.svg") == "", "nothing on standard output")
    d.check((d.at / "out.svg").read_text() == printed(d, "gantt", path), "the same in a file")
    d.expect(d.tine("schedule", "gantt", path, "-o", "/nowhere/at/all"), 2, "/nowhere/at/all")


def draws_much(d: Driver) -> None:
    text = printed(d, "gantt", saved(d, "wide", wide(20_000)))
    root = xml.fromstring(text)
    bars = bars_of(root)
    d.check(set(bars) == set(range(15_001, 20_001)), "the 5,000 longest strands", len(bars))
    d.check(len(text) < 3_000_000, "a file that can be opened", len(text))
    labels = [t.text or "" for t in root.iter(f"{SVG}text")]
    d.check(any("15,001 of 20,001 strands are left out" in t for t in labels), "what is left out", labels[-3:])
    many = wide(60_000)
    many["workers"] = 65_536
    for piece in many["nodes"][0][0]["pieces"]:
        piece["run"]["owner"] = piece["begin"]
    rows = [t.text for t in xml.fromstring(printed(d, "gantt", saved(d, "many", many))).iter(f"{SVG}text")]
    d.check(sum(t.startswith("worker ") for t in rows) == 256, "256 rows")
    d.check(any("of at most 256 workers" in t for t in rows), "says so", rows[-3:])
    still = {**wide(1), "root": segment(0, 0, 0, 0), "nodes": [[]]}
    bars = bars_of(xml.fromstring(printed(d, "gantt", saved(d, "still", still))))
    d.check(len(bars) == 1 and all(math.isfinite(n) for n in bars[0][1:4]), "a region that took no time", bars)


def exports(d: Driver) -> None:
    path = saved(d, "example", example())
    slices, flows = read_perfetto(d, path)
    found = {stamp: (e["tid"], e["name"]) for stamp, e in slices.items()}
    d.check(found == {stamp: s[:2] for stamp, s in STRANDS.items()}, "slices", found)
    times = {stamp: (e["ts"], e["ts"] + e["dur"]) for stamp, e in slices.items()}
    d.check(times == TIMES, "times in µs", times)
    expected = {("forked", f, t) for t, f in GIVEN.items()} | {("joined", f, t) for t, f in JOINED.items()}
    d.check(set(flows) == expected and len(flows) == len(expected), "flows", flows)
    d.check(printed(d, "export", "--to", "dot", path, "-o", "out.dot") == "", "nothing on standard output")
    lines = (d.at / "out.dot").read_text().splitlines()
    names = {int(m[1]) for line in lines if (m := re.match(r'  s(\d+) \[fillcolor=\d+, label="[^"]*"\];$', line))}
    edges = {(int(m[1]), int(m[2])) for line in lines if (m := re.match(r"  s(\d+) -> s(\d+)( \[style=(dashed|dotted)\])?;$", line))}
    d.check(names == set(STRANDS), "a box for each strand", lines)
    d.check(edges == {(f, t) for t, s in STRANDS.items() for f in s[2]}, "an edge for each that led to another", edges)
    d.check(lines[0] == "digraph schedule {" and lines[-1] == "}" and len(lines) == 3 + len(names) + len(edges), "one graph", lines)
    d.expect(d.tine("schedule", "export", path, "--to", "gprof"), 2, "--to")


Driver.run(draws, draws_pages, draws_much, exports)
