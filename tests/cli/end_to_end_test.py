#!/usr/bin/env python3
"""A real application under `tine profile`: exact counts, sites with their lines, memory, and all the ways in which it can end."""

import json
import os
import pathlib
import re
import subprocess

import pprof
from driver import Driver

OUTPUT = "leaves 96, rows 6000\n"
SOURCE = pathlib.Path(__file__).with_name("profiled_app.cpp")


def line_of(function: str) -> int:
    lines = SOURCE.read_text().splitlines()
    return 1 + next(i for i, line in enumerate(lines) if line.endswith(f"// in {function}"))


def profiled(d: Driver, way: str, *options: str) -> tuple[pathlib.Path, subprocess.CompletedProcess]:
    file = d.at / f"{way}.profile"
    # Who exits in the middle of something leaves it unfreed.
    env = {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}
    return file, d.tine("profile", "-o", file, *options, "--", d.app, way, env=env)


def told(d: Driver, profile: pathlib.Path) -> dict:
    run = d.tine("report", profile, "--json")
    d.expect(run, 0)
    return json.loads(run.stdout)


def paged(d: Driver, profile: pathlib.Path) -> dict:
    """What the report's page knows: also roots, fork paths and the dag."""
    page = d.at / "page.html"
    d.expect(d.tine("report", profile, "--html", page), 0)
    return json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', page.read_text(), re.S)[1])


def counts(d: Driver) -> None:
    file, run = profiled(d, "count")
    d.expect(run, 3, "forks       94, and 3 loops of 3,000 iterations in all")
    d.check(run.stdout == OUTPUT, "standard output is the program's", run.stdout)
    data = told(d, file)
    totals = {key: data[key] for key in ("forks", "loops", "iterations")}
    d.check(totals == {"forks": 94, "loops": 3, "iterations": 3000}, "the totals", totals)
    sites = {s["function"]: (s["line"], s["kind"], s["count"], s["iterations"]) for s in data["sites"]}
    wanted = {"split": (line_of("split"), "fork", 63, 0), "fill_rows": (line_of("fill_rows"), "loop", 3, 3000),
              "grow": (line_of("grow"), "coroutine fork", 31, 0)}
    d.check(len(data["sites"]) == 3 and sites == wanted, "sites with their lines and counts", (sites, wanted))
    d.check(all(s["file"].endswith(f"tests/cli/{SOURCE.name}") for s in data["sites"]), "their file", data["sites"])
    data = paged(d, file)
    d.check(data["run"]["ended"] == "normal" and data["totals"]["calls"] == 1 and data["totals"]["threw"] == 0, "one root", data["totals"])
    depths = []
    for parent in data["paths"]["parent"]:
        depths.append(0 if parent is None else depths[parent] + 1)
    d.check(max(depths) == 6 and len(depths) == 1 + 6 + 1 + 5, "equal fork paths are one", depths)


def exports(d: Driver) -> None:
    d.expect(d.tine("export", d.at / "count.profile", "--to", "pprof", "-o", "count.pb.gz"), 0)
    forks = {}
    for stack, values in pprof.read(d.at / "count.pb.gz")["samples"]:
        forks[stack[0]] = forks.get(stack[0], 0) + values[1]
    d.check(forks == {"root": 0, "split": 63, "fill_rows": 3, "grow": 31}, "pprof's forks", forks)
    run = d.tine("export", d.at / "count.profile", "--to", "cilkscale-csv")
    d.expect(run, 0, "root 0,")
    d.check(len(run.stdout.splitlines()) == 3, "a row for the root and one for all", run.stdout)


def roots(d: Driver) -> None:
    file, run = profiled(d, "two-roots", "-q")
    d.expect(run, 0, "leaves 12")
    totals = paged(d, file)["totals"]
    d.check(totals["forks"] == 3 + 7 and totals["calls"] == 2, "forks outside of every pool are roots", totals)
    sites = told(d, file)["sites"]
    d.check([(s["function"], s["count"]) for s in sites] == [("split", 10)], "and have the same site", sites)


def memory(d: Driver) -> None:
    if not (d.folder / "libtine_space.so").exists():  # a sanitizer has its own malloc
        d.expect(profiled(d, "allocate", "--analyses", "space")[1], 2, "libtine_space.so")
        return
    file, run = profiled(d, "allocate", "--analyses", "work,space")
    d.expect(run, 0, "space       S₁ ")
    left, right = map(int, run.stdout.split())
    wanted = {"serial_peak": left, "worst_peak": left + right, "left": 0, "allocations": 2, "frees": 2, "allocated": left + right}
    d.check(told(d, file)["space"] == wanted, "what two branches hold", (told(d, file)["space"], wanted))
    d.expect(d.tine("check", file, "--max-space", f"{left + right}"), 0, "good")
    d.expect(d.tine("check", file, "--max-space", f"{left + right - 1}"), 1)


def frames(d: Driver) -> None:
    if not (d.folder / "libtine_space.so").exists():
        return
    file, run = profiled(d, "frames", "--analyses", "space")
    d.expect(run, 0)
    own = int(run.stdout)
    # the two roots come one after the other
    wanted = {"serial_peak": 7 * own, "worst_peak": 127 * own, "left": 0, "allocations": 0, "frees": 0, "allocated": 0}
    d.check(own >= 48 and told(d, file)["space"] == wanted, "what frames of coroutines hold", (told(d, file)["space"], wanted))
    sites = {s["function"]: s["bytes"] for s in told(d, file)["sites"]}
    d.check(sites == {"grow_arrays": 126 * own}, "and where: all but the roots' below a fork", (sites, own))


def dag(d: Driver) -> None:
    file, run = profiled(d, "spin", "-q")
    d.expect(run, 0)
    nodes = paged(d, file)["nodes"]
    parallel = [i for i, shape in enumerate(nodes["is"]) if shape == 2]
    d.check(len(parallel) == 1 and nodes["children"][parallel[0]] == 2, "one parallel node of two branches", nodes)
    d.check(all(nodes["work"][parallel[0] + i] > 1_000_000 for i in (1, 2)), "with their work", nodes)
    d.expect(d.tine("export", file, "--to", "dot"), 0, "digraph", "color=red")
    slices = [e for e in json.loads(d.tine("export", file, "--to", "perfetto").stdout)["traceEvents"] if e["ph"] == "X"]
    d.check(sum(e["pid"] == 2 and e["dur"] > 1000 for e in slices) == 2, "two long strands in the dag", slices)


def limits(d: Driver) -> None:
    file = d.at / "spin.profile"
    d.expect(d.tine("check", file, "--min-parallelism", "1", "--max-serial-share", "100%", "--max-span", "1000s"), 0, "good")
    d.expect(d.tine("check", file, "--min-parallelism", "3"), 1, "at least 3.00")
    d.expect(d.tine("check", file, "--max-span", "2ms"), 1, "span is")
    d.expect(d.tine("check", file, "--max-space", "1MiB"), 2, "profile with `space`")


def ends(d: Driver) -> None:
    file, run = profiled(d, "throw")
    d.expect(run, 128 + 6, "thrown in a branch", "ended by an exception", f"profile: {file}")
    totals = paged(d, file)["totals"]
    d.check(totals["threw"] == 1 and totals["forks"] == 8, "the root that threw", totals)
    for way, code in ("terminate", 128 + 6), ("exit", 5):
        file, run = profiled(d, way)
        d.expect(run, code, f"profile: {file}")
        data = told(d, file)
        d.check(data["forks"] == 7, f"{way}: roots that had ended are there", data)
        split = [s["count"] for s in data["sites"] if s["function"] == "split"]
        d.check(len(split) == 1 and 7 <= split[0] <= 7 + 15, f"{way}: what ran in others counts by site", data["sites"])
    for _ in range(10):
        file, run = profiled(d, "exit-amid", "-q")
        d.expect(run, 6, f"profile: {file}")
        d.check(told(d, file)["forks"] == 7, "a profile that can be read", file)
    for way, part in ("quick-exit", "quick_exit()"), ("abort", "killed by signal 6"):
        d.expect(profiled(d, way)[1], 2, "wrote no profile", part)


def by_hand(d: Driver) -> None:
    def app(asked: str, **more: str) -> subprocess.CompletedProcess:
        env = {**os.environ, "TINE_PROFILE": asked, **more}
        return subprocess.run([d.app, "count"], cwd=d.at, env=env, capture_output=True, text=True, timeout=60)

    run = app("work,span:hand.profile")
    d.check(run.returncode == 3 and not run.stderr, "TINE_PROFILE by hand says nothing", run)
    d.expect(d.tine("report", "hand.profile"), 0, "forks       94")
    for bad, word in ("work,fun:bad.profile", "'fun'"), (":bad.profile", "''"), ("bad.profile", "'bad.profile'"):
        run = app(bad)
        d.check(run.returncode == 3 and run.stdout == OUTPUT, f"{bad}: the program runs", run)
        d.check(len(run.stderr.splitlines()) == 1 and "TINE_PROFILE" in run.stderr and word in run.stderr, f"{bad}: says so", run)
    d.check(not list(d.at.glob("*bad.profile")), "a bad value leaves no file", list(d.at.iterdir()))
    run = app("work:/nowhere/at/all")
    d.check(run.returncode == 3 and "/nowhere/at/all" in run.stderr, "a file that cannot be written", run)
    run = app("space:space.profile")
    d.check(run.returncode == 3 and "not preloaded" in run.stderr, "space without the hook", run)
    d.expect(d.tine("report", "space.profile"), 0, "forks       94")
    run = app("")
    d.check(run.returncode == 3 and not run.stderr, "an empty value asks for nothing", run)


if __name__ == "__main__":
    driver = Driver()
    for part in counts, exports, roots, memory, frames, dag, limits, ends, by_hand:
        part(driver)
    driver.end()
