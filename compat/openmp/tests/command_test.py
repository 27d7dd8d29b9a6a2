#!/usr/bin/env python3
"""`tine omp`, and the commands that run it, on programs with OpenMP. tools/tests/cli/omp_test.py has its options and refusals.

    command_test.py TINE BUILD-FOLDER"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "tests"))
import checks  # noqa: E402

TINE, BUILD = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
GCC = shutil.which("gcc-12") or "gcc"
CLANG = shutil.which("clang-19") or "clang"
ON_TINE = ("omp", "--workers", 2, "--threads", 4)


def tine(*words, code=0, output=None, errors=()):
    done = subprocess.run([str(w) for w in (TINE, *words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60, cwd=BUILD,
                          env={k: v for k, v in os.environ.items() if not re.match("OMP_|TINE_|LD_PRELOAD", k)})
    good = done.returncode == code and output in (None, done.stdout) and all(e in done.stderr for e in errors)
    checks.check(f"tine {' '.join(map(str, words))}", good, f"exit code {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done


def compiled(name, *options):
    program = BUILD / name
    checks.must(GCC, "-O1", "-g", "-fopenmp", *options, HERE / f"linking/{name}.c", "-o", program)
    return program


def runs(region):
    """The program says on how many threads of the system a team of four runs, and ends with 3."""
    tine("omp", "--workers", 1, "--", region, code=3, output="1\n")
    tine("profile", "--", region, code=2, errors=[f"It uses OpenMP: put `tine omp --` in front of {region}"])
    report = tine(*ON_TINE, "--profile=region.profile", "--", region, code=3, errors=["with 2 workers", "profile: "]).stderr
    checks.check("the report names the line of the region", re.search(r"threads_of_a_team \(region\.c:\d+\)\s+fork", report), report)
    for command in "report", "predict", "whatif":
        shown = tine(command, "region.profile").stdout
        checks.check(f"{command} of a profile", "parallelism" in shown or "region.c" in shown, shown)
    report = tine("profile", "--analyses", "work,span,grain,trace,timeline", "-o", "more.profile", "--", TINE, *ON_TINE, "--", region, code=3).stderr
    checks.check("tine profile runs tine omp", "region.c" in report, report)


def lines_of_directives(source):
    """Returns the line with `here` of each function."""
    found, function = {}, None
    for number, line in enumerate(source.read_text().splitlines(), 1):
        if start := re.match(r".*\b(\w+)\(.*\) \{$", line):
            function = start[1] if not line.startswith(" ") else function
        if line.endswith("// here"):
            found[function] = number
    return found


def sites():
    """No site is in the library, whichever compiler and level: each is at a directive. (gcc gives the call of its library the line of the
    statement or function in front of the directive. A tail call has no line.)"""
    source = HERE / "linking/sites.c"
    wanted = lines_of_directives(source)
    for name, lines_before, command in (("gcc-unoptimised", 2, (GCC, "-O0", "-g")), ("gcc-optimised", 2, (GCC, "-O3", "-g1")),
                                        ("clang-unoptimised", 0, (CLANG, "-O0", "-g1")), ("clang-optimised", 0, (CLANG, "-O2", "-g"))):
        program = BUILD / f"sites-{name}"
        checks.must(*command, "-fno-optimize-sibling-calls", "-fopenmp", source, "-o", program)
        tine(*ON_TINE, "--profile=sites.profile", "--", program, output="1\n")
        found = json.loads(tine("report", "sites.profile", "--json").stdout)["sites"]
        good = {s["function"] for s in found} == wanted.keys() and all(
            s["file"].endswith("sites.c") and 0 <= wanted[s["function"]] - s["line"] <= lines_before for s in found)
        checks.check(f"{name}: sites are the directives", good, found)


def orders(region):
    tine(*ON_TINE, "--record", "region.journal", "--", region, code=3)
    checks.check("a recording", (BUILD / "region.journal").stat().st_size > 0)
    done = tine(*ON_TINE, "--replay", "region.journal", "--", region, code=3)
    checks.check("a replay", done.stderr == "", done.stderr)
    tine(*ON_TINE, "--replay", "nope", "--", region, code=2, errors=["nope: cannot be read"])


def checks_of_programs(region, locks):
    tine("doctor", "--", TINE, *ON_TINE, "--", locks, code=1, output="1\n", errors=["locks.c:"])
    tine("doctor", "--", TINE, *ON_TINE, "--", region, code=3, errors=["Nothing was found"])
    tine("perturb", "--runs", 3, "--", TINE, *ON_TINE, "--", locks, errors=["none failed"])


shutil.rmtree(BUILD, ignore_errors=True)
BUILD.mkdir(parents=True)
REGION, LOCKS = compiled("region", "-DMAIN"), compiled("locks")
runs(REGION)
sites()
orders(REGION)
checks_of_programs(REGION, LOCKS)
checks.end()
