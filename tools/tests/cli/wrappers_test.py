#!/usr/bin/env python3
"""Sites behind wrappers of a program's own: debug information distinguishes inlined wrappers, recorded callers the others."""

import json
import pathlib

import pprof
from driver import Driver, line_of

WANTED = {"fill": 5, "clear": 3, "sort_both": 7}
LINES = {function: line_of("wrapped_app.cpp", function) for function in WANTED}


def profiled(d: Driver, program: str, *options: str) -> pathlib.Path:
    file = d.at / f"{program}.profile"
    d.expect(d.tine("profile", "-q", *options, "-o", file, "--", d.programs / program), 0, "7")
    return file


def sites(d: Driver, file: pathlib.Path, *options: str) -> list[dict]:
    run = d.expect(d.tine("report", file, "--json", *options), 0)
    return json.loads(run.stdout)["sites"]


def base(function: str) -> str:
    return function.split("<")[0].split("(")[0]


def check_skipped(d: Driver, file: pathlib.Path, what: str) -> None:
    """With the wrappers skipped, each site is the place at which the wrapper is called."""
    counts: dict[str, int] = {}
    lines = {}
    for s in sites(d, file, "--skip", "wrap::*"):
        counts[base(s["function"])] = counts.get(base(s["function"]), 0) + s["count"]
        lines[base(s["function"])] = s["line"]
    d.check(counts == WANTED, f"{what}: sites are the callers", counts)
    d.check(lines == LINES, f"{what}: with their lines", lines)


def check_callers(d: Driver, file: pathlib.Path, what: str) -> None:
    """Without skipped wrappers, the callers are shown beside the wrapper."""
    found = {}
    for s in sites(d, file):
        d.check(base(s["function"]).startswith("wrap::"), f"{what}: the site is the wrapper", s["function"])
        if s["callers"]:
            caller = next((c for c in s["callers"] if not base(c["function"]).startswith("wrap::")), None)
            if caller:
                found[base(caller["function"])] = caller["line"]
    d.check(found == LINES, f"{what}: callers with their lines", found)
    run = d.tine("report", file, env={"COLUMNS": "400"})
    for f in "fill", "clear":
        d.check(f"← {f}" in run.stdout and f"(wrapped_app.cpp:{LINES[f]})" in run.stdout, f"{what}: {f} in the table", run.stdout)
    usual = d.tine("report", file).stdout
    if what != "inlined":
        d.check("wrap::parallel_for<…> ← fill (" in usual, f"{what}: arguments of templates give way first", usual)
    narrow = d.tine("report", file, env={"COLUMNS": "60"}).stdout
    rows = [line.split("  ")[0] for line in narrow.splitlines() if line.startswith("wrap::")]
    d.check(len(rows) == len(set(rows)) >= 3, f"{what}: shortened names differ", narrow)


def check_numbers(d: Driver) -> None:
    """Names that differ in more than there is space for get numbers."""
    run = d.tine("report", profiled(d, "nested_app"), env={"COLUMNS": "80"})
    rows = [line.split("  ")[0] for line in run.stdout.splitlines() if ":13)" in line]
    d.check(sorted(r.split()[-1] for r in rows) == ["#1", "#2"], "numbers distinguish long names", run.stdout)
    d.check(all(r.count("<") <= 1 for r in rows), "without arguments that are cut off", run.stdout)


def exported(d: Driver, file: pathlib.Path) -> None:
    d.expect(d.tine("export", file, "--to", "pprof", "-o", "w.pb.gz", "--skip", "wrap::*"), 0)
    names = {base(stack[0]) for stack, _ in pprof.read(d.at / "w.pb.gz")["samples"]}
    d.check(set(WANTED) <= names, "pprof's frames are the callers", names)
    for form in "collapsed", "speedscope":
        d.expect(d.tine("export", file, "--to", form), 0, "← fill", "← clear")
    page = d.at / "w.html"
    d.expect(d.tine("report", file, "--html", page), 0)
    d.check("← fill" in page.read_text(), "the page's sites")


def run_all(d: Driver) -> None:
    file = profiled(d, "wrapped_inline")
    check_callers(d, file, "inlined")
    check_skipped(d, file, "inlined")
    exported(d, file)
    for program in "wrapped_outline", "wrapped_unoptimised":
        file = profiled(d, program, "--caller=8")
        check_callers(d, file, program)
        check_skipped(d, file, program)
        exported(d, file)
    # Without recorded callers, a wrapper that is not inlined is the site.
    run = d.tine("report", profiled(d, "wrapped_outline"), env={"COLUMNS": "400"})
    d.check("wrap::parallel_for" in run.stdout and "fill" not in run.stdout, "not recorded, not shown", run.stdout)
    check_numbers(d)
    d.expect(d.tine("profile", "--caller=9", "--", "true"), 2, "--caller")
    d.expect(d.tine("profile", "--caller", "--", "grep", "-x", "a", "/dev/null"), 2, "grep ended with exit code 1")  # -x is the program's


Driver.run(run_all)
