#!/usr/bin/env python3
"""No site lies inside of a wrapper: each fork and loop of sites_app.cpp is shown at the line that its comment is on."""

import pathlib
import re
import subprocess

from driver import Driver

SOURCE = pathlib.Path(__file__).with_name("sites_app.cpp")
WANTED = re.compile(r"// (?:(forks|loops) (\d+)$|(here)$|perhaps)")
KINDS = {"fork": "forks", "coroutine fork": "forks", "loop": "loops"}


def wanted_sites() -> dict[int, tuple[str, int] | bool]:
    """Returns what each line must have: the kind and number of constructs, or whether it must have any."""
    found = {}
    for number, line in enumerate(SOURCE.read_text().splitlines(), 1):
        if match := WANTED.search(line):
            found[number] = (match[1], int(match[2])) if match[1] else match[3] is not None
    return found


WANTED_SITES = wanted_sites()


def profiled(d: Driver, program: str, *words: str) -> pathlib.Path:
    file = d.at / f"{program}{len(words)}.profile"
    d.expect(d.tine("profile", "-q", "--timeline", "--no-sampling", "-o", file, "--", d.programs / program, *words, env={"TINE_NUM_THREADS": 3}), 0, "7")
    return file


def check_lines(d: Driver, what: str, sites: list[dict]) -> None:
    counts: dict[int, dict[str, int]] = {}
    for s in sites:
        is_wanted = pathlib.Path(s["file"]).name == SOURCE.name and s["line"] in WANTED_SITES
        d.check(is_wanted, f"{what}: a site at {s['file']}:{s['line']}", s)
        of_line = counts.setdefault(s["line"], {})
        kind = KINDS[s["kind"]]
        of_line[kind] = of_line.get(kind, 0) + s["count"]
    for line, wanted in WANTED_SITES.items():
        found = counts.get(line, {})
        is_right = found == {wanted[0]: wanted[1]} if isinstance(wanted, tuple) else bool(found) or not wanted
        d.check(is_right, f"{what}: line {line} has {wanted}", found)


def check_other_tools(d: Driver, file: pathlib.Path) -> None:
    """The other subcommands show the same names, and those of the timeline's strands."""
    stacks = d.expect(d.tine("export", file, "--to", "collapsed"), 0).stdout.splitlines()
    names = {frame for stack in stacks for frame in stack.rsplit(" ", 1)[0].split(";")[1:]}
    wrong_names = [name for name in names if not re.search(r"\(sites_app.cpp:\d+\)$", name) or name.startswith("main")]
    d.check(bool(names) and not wrong_names, "exported stacks", wrong_names)
    wrong = re.compile(r"\b(wrap|tbb|__pstl|std|tine)::\w+[^(\n]*\(\w+\.[ch]pp:\d+\)")
    for words in (["whatif", file], ["diff", file, file], ["check", file, "--min-parallelism", "0"]):
        run = d.expect(d.tine(*words), 0)
        d.check(not wrong.search(run.stdout), f"{words[0]}: no line in a wrapper", run.stdout)
    places = d.report(file)["timeline"]
    d.check(not wrong.search(str(places)), "the timeline's strands", places)


def check_without_debug_information(d: Driver, program: str) -> None:
    """Without lines there are the names of the program's functions, and a sentence says what to do. (A coroutine's fork that starts
    on an empty native stack may be in a function without a symbol, which clang makes without optimisation.)"""
    stripped = f"{program}_stripped"
    subprocess.run(["objcopy", "--strip-debug", d.programs / program, d.at / stripped], check=True)
    file = d.at / "stripped.profile"
    d.expect(d.tine("profile", "-q", "-o", file, "--", d.at / stripped), 0, "7")
    sites = d.report(file)["sites"]
    wrong = [s for s in sites if not s["function"].startswith("case_") and (s["function"] or s["kind"] != "coroutine fork")]
    d.check(len(sites) >= 25 and not wrong, "stripped: sites are the program's functions", wrong)
    d.expect(d.tine("report", file), 0, "have no line", "-g1")


def run_all(d: Driver) -> None:
    for program in "sites_unoptimised", "sites_optimised":
        for words in [], ["one-root"]:
            file = profiled(d, program, *words)
            check_lines(d, f"{program} {' '.join(words)}", d.report(file)["sites"])
        d.check("-g1" not in d.tine("report", file).stdout, "all sites have lines")
        check_without_debug_information(d, program)
    check_other_tools(d, file)
    shown = d.report(file, "--wrappers")["sites"]
    d.check(any(s["file"].endswith("wrap.hpp") for s in shown), "--wrappers shows their own lines", shown)


Driver.run(run_all)
