#!/usr/bin/env python3
"""A real application under `tine profile`: exact counts, sites with their lines, memory, and all the ways in which it can end."""

import os
import pathlib
import subprocess

from driver import EMULATED, SANITIZED, Driver, line_of

OUTPUT = "leaves 96, rows 6000\n"
SOURCE = "profiled_app.cpp"


def profiled(d: Driver, way: str, *options: str) -> tuple[pathlib.Path, subprocess.CompletedProcess]:
    file = d.at / f"{way}.profile"
    # A program that exits in the middle of a computation leaves its memory unfreed.
    env = {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}
    return file, d.tine("profile", "-o", file, *options, "--", d.app, way, env=env)


def counts(d: Driver) -> None:
    file, run = profiled(d, "count")
    d.expect(run, 3, "forks       94, and 3 loops of 3,000 iterations in all")
    d.check(run.stdout == OUTPUT, "standard output is the program's", run.stdout)
    data = d.report(file)
    totals = {key: data[key] for key in ("forks", "loops", "iterations")}
    d.check(totals == {"forks": 94, "loops": 3, "iterations": 3000}, "the totals", totals)
    sites = {s["function"]: (s["line"], s["kind"], s["count"], s["iterations"]) for s in data["sites"]}
    wanted = {"split": (line_of(SOURCE, "split"), "fork", 63, 0), "fill_rows": (line_of(SOURCE, "fill_rows"), "loop", 3, 3000),
              "grow": (line_of(SOURCE, "grow"), "coroutine fork", 31, 0)}
    d.check(len(data["sites"]) == 3 and sites == wanted, "sites with their lines and counts", (sites, wanted))
    d.check(all(s["file"].endswith(f"tools/tests/cli/{SOURCE}") for s in data["sites"]), "their file", data["sites"])
    data = d.page(file)
    d.check(data["run"]["ended"] == "normal" and data["totals"]["calls"] == 1 and data["totals"]["threw"] == 0, "one root", data["totals"])
    depths = []
    for parent in data["paths"]["parent"]:
        depths.append(0 if parent is None else depths[parent] + 1)
    d.check(max(depths) == 6 and len(depths) == 1 + 6 + 1 + 5, "equal fork paths are one", depths)


def roots(d: Driver) -> None:
    file, run = profiled(d, "two-roots", "-q")
    d.expect(run, 0, "leaves 12")
    totals = d.page(file)["totals"]
    d.check(totals["forks"] == 3 + 7 and totals["calls"] == 2, "forks outside of every pool are roots", totals)
    sites = d.report(file)["sites"]
    d.check([(s["function"], s["count"]) for s in sites] == [("split", 10)], "and have the same site", sites)


def memory(d: Driver) -> None:
    if SANITIZED:
        d.expect(profiled(d, "allocate", "--analyses", "space")[1], 2, "libtine_space.so")
        return
    file, run = profiled(d, "allocate", "--analyses", "work,space")
    d.expect(run, 0, "space       S₁ ")
    left, right = map(int, run.stdout.split())
    wanted = {"serial_peak": left, "worst_peak": left + right, "left": 0, "allocations": 2, "frees": 2, "allocated": left + right}
    space = d.report(file)["space"]
    d.check(space == wanted, "what two branches hold", (space, wanted))
    d.expect(d.tine("check", file, "--max-space", f"{left + right}"), 0, "good")
    d.expect(d.tine("check", file, "--max-space", f"{left + right - 1}"), 1)


def frames(d: Driver) -> None:
    if SANITIZED:
        return
    file, run = profiled(d, "frames", "--analyses", "space")
    d.expect(run, 0)
    own = int(run.stdout)
    # the two roots come one after the other
    wanted = {"serial_peak": 7 * own, "worst_peak": 127 * own, "left": 0, "allocations": 0, "frees": 0, "allocated": 0}
    data = d.report(file)
    d.check(own >= 48 and data["space"] == wanted, "what frames of coroutines hold", (data["space"], wanted))
    sites = {s["function"]: s["bytes"] for s in data["sites"]}
    d.check(sites == {"grow_arrays": 126 * own}, "and where: all but the roots' below a fork", (sites, own))


def spans_from_leaves(nodes: dict) -> list[int]:
    """Returns the span of each tree, computed from its leaves alone."""
    trees, open_nodes = [], []
    for is_, children, span in zip(nodes["is"], nodes["children"], nodes["span"]):
        open_nodes.append([is_, children, span if children == 0 else 0])
        while open_nodes and open_nodes[-1][1] == 0:
            done = open_nodes.pop()[2]
            if not open_nodes:
                trees.append(done)
                break
            around = open_nodes[-1]
            around[1] -= 1
            around[2] = around[2] + done if around[0] == 1 else max(around[2], done)
    return trees


def parts(d: Driver) -> None:
    """The figures of the parts add up to the whole."""
    wanted = {"split": (7 + 3, 0), "grow": (15, 0), "chain": (3 + 4, 0), "chains": (1, 4), "table": (1, 10), "columns": (10, 1000),
              "nest": (1 + 3 + 9 + 27, 3 + 9 + 27 + 81)}
    for workers in "1", "2", "8":
        file = d.at / f"parts-{workers}.profile"
        env = {"TINE_NUM_THREADS": workers}
        d.expect(d.tine("profile", "-q", "-o", file, "--analyses", "work,span,grain,trace", "--", d.app, "parts", env=env), 0)
        name = f"{workers} workers: "
        data, page = d.report(file), d.page(file)
        sites = {s["function"].split("::")[-1].split("(")[0]: (s["count"], s["iterations"]) for s in data["sites"]}
        d.check(sites == wanted, name + "forks, loops and iterations by site", (sites, wanted))
        loops = [s for s in data["sites"] if s["kind"] == "loop"]
        counted = (sum(s["count"] for s in data["sites"]) - sum(s["count"] for s in loops), sum(s["count"] for s in loops), sum(s["iterations"] for s in loops))
        d.check(counted == (data["forks"], data["loops"], data["iterations"]), name + "they add up to the head line", (counted, data))
        totals, nodes = page["totals"], page["nodes"]
        work, span = totals["roots"]["work"], totals["roots"]["span"]["high"]
        d.check(totals["calls"] == 2, name + "what a strand runs in another pool is no root", totals)
        d.check(sum(spans_from_leaves(nodes)) == span, name + "the leaves of the dag give the span", (spans_from_leaves(nodes), span))
        on_path = sum(s for s, c, critical in zip(nodes["span"], nodes["children"], nodes["critical"]) if critical and c == 0)
        d.check(on_path == span, name + "the critical path is as long as the span", (on_path, span))
        shares = {s["function"].split("::")[-1].split("(")[0]: s["span_share"] for s in data["sites"]}
        # an emulator takes longer for what leads to a short strand than the chain's iterations need
        least = max(shares.values()) if EMULATED else 0.5
        d.check(shares["chain"] >= least, name + "and it goes through the chain", shares)
        d.check(abs(sum(page["paths"]["work"]) - work) <= len(page["paths"]["work"]) + 2, name + "the work of paths is that of the roots", (sum(page["paths"]["work"]), work))


def ends(d: Driver) -> None:
    file, run = profiled(d, "throw")
    d.expect(run, 128 + 6, "thrown in a branch", "ended by an exception", f"profile: {file}")
    totals = d.page(file)["totals"]
    d.check(totals["threw"] == 1 and totals["forks"] == 8, "the root that threw", totals)
    for way, code in ("terminate", 128 + 6), ("exit", 5):
        file, run = profiled(d, way)
        d.expect(run, code, f"profile: {file}")
        data = d.report(file)
        forks = sum(s["count"] for s in data["sites"])
        d.check(data["forks"] == forks and data["unfinished_roots"] == 1, f"{way}: the open root counts, too", data)
        split = [s["count"] for s in data["sites"] if s["function"] == "split"]
        d.check(len(split) == 1 and 7 <= split[0] <= 7 + 15, f"{way}: what ran in others counts by site", data["sites"])
    for _ in range(10):
        file, run = profiled(d, "exit-amid", "-q")
        d.expect(run, 6, f"profile: {file}")
        d.check(d.report(file)["forks"] >= 7, "a profile that can be read", file)
    d.expect(profiled(d, "quick-exit")[1], 2, "wrote no profile", "quick_exit()")


def by_hand(d: Driver) -> None:
    def app(asked: str) -> subprocess.CompletedProcess:
        return d.execute(d.app, "count", env={"TINE_PROFILE": asked})

    run = app("work,span:hand.profile")
    d.check(run.returncode == 3 and not run.stderr, "TINE_PROFILE by hand says nothing", run)
    d.expect(d.tine("report", "hand.profile"), 0, "forks       94")
    for bad, word in ("work,fun:bad.profile", "'fun'"), (":bad.profile", "''"), ("bad.profile", "'bad.profile'"):
        run = app(bad)
        d.check(run.returncode == 3 and run.stdout == OUTPUT, f"{bad}: the program runs", run)
        d.check(len(run.stderr.splitlines()) == 1 and "TINE_PROFILE" in run.stderr and word in run.stderr, f"{bad}: says so", run)
    d.check(not list(d.at.glob("*bad.profile")), "a bad value leaves no file", list(d.at.iterdir()))
    d.expect(app("work:/nowhere/at/all"), 3, "/nowhere/at/all")
    d.expect(app("space:space.profile"), 3, "not preloaded")
    d.expect(d.tine("report", "space.profile"), 0, "forks       94")
    run = app("")
    d.check(run.returncode == 3 and not run.stderr, "an empty value asks for nothing", run)


Driver.run(counts, roots, memory, frames, parts, ends, by_hand)
