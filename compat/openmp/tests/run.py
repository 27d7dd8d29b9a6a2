#!/usr/bin/env python3
"""Runs the conformance tests of this folder. A program consists of cases with known answers. Each is compiled by each
compiler, and runs on the compiler's own OpenMP library, which shows that the answers are right, and preloaded with tine
on several numbers of workers and OpenMP threads, and on native threads. A check is one case in one of these configurations.

    run.py LIBRARY BUILD-FOLDER [PROGRAM...]
"""

import concurrent.futures
import dataclasses
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "tests"))
import checks  # noqa: E402
from cases import ENVIRONMENT, FAMILIES, HOSTILE, REPLAYED, SETTINGS, SKIPPED  # noqa: E402

LIBRARY, BUILD = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
WORKERS, THREADS, THREADS_OF_OTHERS = (1, 2, 8), (1, 2, 16), (1, 2, 4)
MOST_RESTARTS = 5  # of a program whose cases hang or end it
WITHOUT_CASES = ("hostile.cpp", "environment.c", "forks.c")


@dataclasses.dataclass
class Program:
    source: str
    family: str
    path: pathlib.Path


def compiled(source, family):
    """Returns the program, or None if there is no compiler for its language, or the source isn't for this family."""
    compilers = FAMILIES[family]["compilers"].get(source.suffix, ())
    folder = BUILD / family / source.name  # of its own, because gfortran writes modules
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "program"
    more = ("-cpp", "-J", folder) if source.suffix == ".f90" else ()
    for compiler in compilers:
        try:
            code, output = checks.run(compiler, "-O1", "-w", "-fopenmp", *more, source, "-o", program, *FAMILIES[family]["libraries"])
        except FileNotFoundError:
            continue
        checks.check(f"{source.name} compiles with {compiler}", code == 0, output)
        return Program(source.name, family, program) if code == 0 else None
    if compilers:
        print(f"{source.name}: none of {', '.join(compilers)} is installed")
    return None


def environment(settings):
    """These variables, and no others of OpenMP or tine."""
    kept = {k: v for k, v in os.environ.items() if not re.match("OMP_|GOMP_|KMP_|TINE_|LD_PRELOAD", k)}
    return kept | {k: str(v) for k, v in settings.items() if v is not None}


def run(program, *arguments, seconds=100, **settings):
    """Runs it with these variables. Returns (exit code, output)."""
    try:
        return checks.run(program.path, *arguments, timeout=seconds, env=environment(settings))
    except subprocess.TimeoutExpired as e:
        return "no end", (e.output or b"").decode(errors="replace")


def verdicts(program, names, **settings):
    """Runs these cases. Yields (case, passed, output). One that ends the program or hangs has failed; the others run in
    another process."""
    left = list(names)
    for _ in range(MOST_RESTARTS):
        code, output = run(program, *left, **settings)
        found = {name: verdict == "passed" for verdict, name in re.findall(r"^(passed|failed) (\w+)$", output, re.MULTILINE)}
        yield from ((name, found[name], output) for name in left if name in found)
        left = [name for name in left if name not in found]
        if left:
            yield left.pop(0), False, f"exit code {code}\n{output}"
        elif all(found.values()) and code != 0:
            yield "the end", False, f"exit code {code}\n{output}"
        if not left:
            return
    yield from ((name, False, "not run: too many cases before it ended the program") for name in left)


def configurations(program):
    """Pairs of the name of an OpenMP library and the variables of a run."""
    own, preloads = FAMILIES[program.family]["own"], FAMILIES[program.family]["preloads"]
    for more in SETTINGS.get(program.source, [{}]):
        yield from ((own, {"OMP_NUM_THREADS": t, "OMP_WAIT_POLICY": "passive"} | more) for t in THREADS_OF_OTHERS)
        if preloads:
            workers = [] if program.source == "spin.c" else [{"TINE_NUM_THREADS": w} for w in WORKERS]
            yield from (("tine", {"OMP_NUM_THREADS": t, "LD_PRELOAD": LIBRARY} | w | more) for t in THREADS for w in [*workers, {"TINE_OMP_THREADS": "native"}])


def words(settings):
    return " ".join(f"{k}={v}" for k, v in settings.items() if k != "LD_PRELOAD")


def jobs_of_cases(program):
    """Functions that return lists of (description, passed, output)."""
    names = checks.must(program.path, "-l", env=os.environ | {"LD_PRELOAD": ""}).split()

    def job(library, settings):
        skipped = SKIPPED.get(library, {}).get(program.source, ()) + SKIPPED.get(program.family, {}).get(program.source, ())
        wanted = [name for name in names if name not in skipped]
        return [(f"{name} of {program.source} by {program.family} on {library}, {words(settings)}", passed, output)
                for name, passed, output in verdicts(program, wanted, **settings)]

    def replay(threads):
        schedule = program.path.parent / f"{threads}.schedule"
        here = {"OMP_NUM_THREADS": threads, "TINE_NUM_THREADS": 4, "LD_PRELOAD": LIBRARY} | SETTINGS.get(program.source, [{}])[0]
        wanted = [name for name in names if name not in REPLAYED[program.source]]
        outputs = [run(program, *wanted, TINE_RECORD=schedule, **here)] + [run(program, *wanted, TINE_REPLAY=schedule, **here) for _ in range(3)]
        holds = all(code == 0 and "differs" not in output for code, output in outputs)
        return [(f"{program.source} is replayed with {threads} threads", holds, "\n".join(map(str, outputs)))]

    def hints():
        """A program whose threads spin gets a hint. Until the case's time is over, or the hint comes."""
        here = environment({"OMP_NUM_THREADS": 2, "TINE_NUM_THREADS": 1, "LD_PRELOAD": LIBRARY})
        with subprocess.Popen([program.path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=here) as spinning:
            is_found = any("TINE_OMP_THREADS=native" in line for line in spinning.stdout)
            spinning.kill()
        return [("a hint for threads that spin", is_found, "")]

    yield from (lambda c=c: job(*c) for c in configurations(program))
    if program.source == "spin.c" and program.family == "gcc":
        yield hints
    if program.source in REPLAYED and program.family == "gcc":
        yield from (lambda t=t: replay(t) for t in THREADS)


def jobs_of_runs(program):
    """As above, of the programs that are not made of cases."""
    tine = {"TINE_NUM_THREADS": 2, "LD_PRELOAD": LIBRARY}

    def ends_as(what, wanted, text, *arguments, **settings):
        code, output = run(program, *arguments, seconds=60, **settings)
        holds = (wanted is None or code == wanted) and code != "no end" and re.search(text, output, re.MULTILINE) is not None
        return [(what, holds, f"exit code {code}\n{output}")]

    if program.source == "hostile.cpp":
        for case, (wanted, text) in HOSTILE.items():
            yield lambda case=case, wanted=wanted, text=text: ends_as(f"hostile {case}", wanted, text, case, OMP_NUM_THREADS=2, **tine)
    if program.source == "environment.c":
        for settings, text in ENVIRONMENT:
            for library, more in ((FAMILIES[program.family]["own"], {}), ("tine", {"LD_PRELOAD": LIBRARY})):
                yield lambda s=settings, t=text, l=library, m=more: ends_as(f"environment {words(s)} on {l}", 0, t, **({"OMP_NUM_THREADS": 2} | s | m))
    if program.source == "forks.c":
        for w in WORKERS:
            yield lambda w=w: ends_as(f"children of fork, {w} workers", 0, "^100 children", 100, **(tine | {"TINE_NUM_THREADS": w}))


def exports_versions():
    """Every function has the symbol version that libgomp gives it, as far as libgomp has it."""
    def versions(library):
        return {name: v for v, name in re.findall(r"^\S.*DF .*\s(G?OMP_[\d.]+)\s+(\w+)$", checks.must("objdump", "-T", library), re.MULTILINE)}

    found = subprocess.run(["gcc-12", "-print-file-name=libgomp.so.1"], stdout=subprocess.PIPE, text=True).stdout.strip()
    ours, theirs = versions(LIBRARY), versions(found)
    theirs = {name: v for name, v in theirs.items() if not re.match("omp_.*lock", name) and "PLUGIN" not in name}
    wrong = sorted(name for name, v in theirs.items() if ours.get(name) != v)
    checks.check("symbol versions", len(theirs) > 250 and not wrong, f"{len(theirs)} functions of libgomp; without, or with another version: {wrong}")


# C++ takes the longest to compile
sources = sorted((p for p in (HERE / "programs").iterdir() if p.suffix in (".c", ".cpp", ".f90")), key=lambda p: (p.suffix == ".c", p.name))
wanted = [(s, f) for s in sources if len(sys.argv) < 4 or s.stem in sys.argv[3:] for f in FAMILIES if s.name not in FAMILIES[f]["without"]]
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    programs = [p for p in pool.map(lambda w: compiled(*w), wanted) if p is not None]
    jobs = [job for p in programs for job in (jobs_of_runs if p.source in WITHOUT_CASES else jobs_of_cases)(p)]
    for results in pool.map(lambda job: job(), jobs):
        for result in results:
            checks.check(*result)
exports_versions()
checks.end()
