#!/usr/bin/env python3
"""Every export of hand-made profiles is read back and compared with the profile."""

import csv
import io
import json
import re

import pprof
from driver import Driver

WORK = {("root",): 100_000, ("root", "sort_halves"): 200_000, ("root", "sort_halves", "sort_halves"): 150_000,
        ("root", "sort_halves", "sort_halves", "fill_rows"): 300_000, ("root", "inlined_step"): 50_000}

OUTSIDE = {("outside of roots", "fill_rows"): 240_000, ("outside of roots", "sort_halves"): 80_000}


def exported(d: Driver, kind: str, form: str) -> str:
    run = d.expect(d.tine("export", d.make(kind), "--to", form), 0)
    return run.stdout


def collapsed(d: Driver) -> None:
    found = {}
    for line in exported(d, "full", "collapsed").splitlines():
        stack, _, work = line.rpartition(" ")
        found[tuple(frame.split(" (")[0] for frame in stack.split(";"))] = int(work)
    d.check(found == WORK | OUTSIDE, "collapsed stacks have the work of paths", found)
    deep = exported(d, "odd", "collapsed").splitlines()
    d.check(max(line.count(";") for line in deep) == 500, "deep stacks are cut", len(deep))
    d.check(sum(int(line.rpartition(" ")[2]) for line in deep) == 100_000, "cutting loses no work")


def speedscope(d: Driver) -> None:
    for kind in "full", "odd", "idle", "plain":
        said = json.loads(exported(d, kind, "speedscope"))
        profile, frames = said["profiles"][0], said["shared"]["frames"]
        d.check(said["$schema"] == "https://www.speedscope.app/file-format-schema.json", "the schema's name")
        d.check(profile["type"] == "sampled" and profile["unit"] == "nanoseconds", "a sampled profile in nanoseconds", profile)
        d.check(len(profile["samples"]) == len(profile["weights"]), "a weight for each sample")
        d.check(all(0 <= i < len(frames) for sample in profile["samples"] for i in sample), "frames exist")
        d.check(all("name" in frame for frame in frames), "frames have names")
        d.check(sum(profile["weights"]) == profile["endValue"] - profile["startValue"], "weights add up")
        if kind == "full":
            stacks = [tuple(frames[i]["name"] for i in sample) for sample in profile["samples"]]
            d.check(dict(zip(stacks, profile["weights"])) == WORK, "speedscope has the work of paths", stacks)
            outside = said["profiles"][1]
            stacks = [("outside of roots", frames[i]["name"]) for (i,) in outside["samples"]]
            d.check(dict(zip(stacks, outside["weights"])) == OUTSIDE, "and what was sampled outside of roots", stacks)


def perfetto(d: Driver) -> None:
    events = json.loads(exported(d, "full", "perfetto"))["traceEvents"]
    slices = [e for e in events if e["ph"] == "X"]
    d.check([(e["ts"], e["dur"]) for e in slices if e["pid"] == 1] == [(100, 500), (700, 100)], "roots as they ran", slices)
    strands = {(e["ts"], e["dur"]) for e in slices if e["pid"] == 2}
    d.check(strands == {(0, 50), (50, 140), (50, 150), (200, 20), (220, 50)}, "strands as early as they can", strands)
    tracks = {}
    for e in sorted(slices, key=lambda e: e["ts"]):
        track = (e["pid"], e["tid"])
        d.check(tracks.get(track, 0) <= e["ts"], "slices on a track do not overlap", e)
        tracks[track] = e["ts"] + e["dur"]
    d.check(sum(e["args"].get("critical", False) for e in slices) == 4, "four strands are critical", slices)
    json.loads(exported(d, "odd", "perfetto"))
    json.loads(exported(d, "plain", "perfetto"))


def dot(d: Driver) -> None:
    text = exported(d, "full", "dot")
    names = set(re.findall(r"^  (\w+) \[shape=", text, re.M))
    edges = re.findall(r"^  (\w+) -> (\w+)", text, re.M)
    line = re.compile(r'^  (?:rankdir=TB|node \[fontname="sans-serif"\]|\w+ \[shape=\w+(?:, label="(?:[^"\\]|\\.)*")?'
                      r"(?:, color=red, penwidth=2)?\]|\w+ -> \w+(?: \[color=red, penwidth=2\])?);$")
    body = text.splitlines()[1:-1]
    d.check(text.startswith("digraph dag {\n") and text.endswith("}\n"), "one graph", text)
    d.check(all(line.match(l) for l in body), "dot's syntax", [l for l in body if not line.match(l)])
    d.check(all(end in names for edge in edges for end in edge), "edges join what exists", edges)
    wanted = {("s1", "f2"), ("f2", "s3"), ("f2", "s4"), ("s3", "j2"), ("s4", "j2"), ("j2", "s5")}
    d.check(set(edges) == wanted and len(edges) == 6, "the dag's edges", edges)
    exported(d, "odd", "dot")
    d.expect(d.tine("export", d.make("plain"), "--to", "dot"), 2, "analysis `trace`")


def pprofs(d: Driver) -> None:
    for kind in "full", "odd", "idle":
        d.expect(d.tine("export", d.make(kind), "--to", "pprof", "-o", f"{kind}.pb.gz"), 0)
        said = pprof.read(d.at / f"{kind}.pb.gz")
        d.check(said["types"] == [("work", "nanoseconds"), ("forks", "count")], "the types of values", said["types"])
        if kind == "full":
            found = {tuple(reversed(stack)): values[0] for stack, values in said["samples"]}
            d.check(found == WORK | OUTSIDE, "pprof has the work of paths", found)
            d.check(sum(values[1] for _, values in said["samples"]) == 6, "pprof has the forks", said)


def cilkscale(d: Driver) -> None:
    rows = list(csv.reader(io.StringIO(exported(d, "full", "cilkscale-csv"))))
    d.check(rows[0] == ["tag", "work (seconds)", "span (seconds)", "parallelism", "burdened_span (seconds)",
                        "burdened_parallelism"], "Cilkscale's heading", rows[0])
    d.check([row[0] for row in rows[1:]] == ["root 0", "root 1", ""], "a row for each root, and one for all", rows)
    d.check(all(len(row) == 6 for row in rows), "six columns", rows)
    d.check([float(x) for x in rows[1][1:3]] == [0.00075, 0.00022], "seconds", rows[1])
    d.check(float(rows[3][1]) == 0.0012, "the process's work", rows[3])


def files(d: Driver) -> None:
    d.expect(d.tine("export", d.make("full"), "--to", "collapsed", "-o", "/nowhere/at/all"), 2, "/nowhere/at/all")
    d.expect(d.tine("export", d.make("full"), "--to", "gprof"), 2, "--to")


Driver.run(collapsed, speedscope, perfetto, dot, pprofs, cilkscale, files)
