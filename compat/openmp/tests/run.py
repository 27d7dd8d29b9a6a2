#!/usr/bin/env python3
"""Compiles the programs of this folder with gcc, and runs each on libgomp, which shows that its checks are right, and
preloaded with tine, on several numbers of workers and OpenMP threads.

    run.py LIBRARY BUILD-FOLDER [PROGRAM...]
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "tests"))
import checks  # noqa: E402

LIBRARY, BUILD = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
COMPILERS = {".c": ("gcc-12", "gcc"), ".cpp": ("g++-12", "g++"), ".f90": ("gfortran-12", "gfortran")}
WORKERS, THREADS = (1, 2, 8), (1, 2, 16)
EVERY_SETTING = {"OMP_NUM_THREADS": "4,2", "OMP_SCHEDULE": "guided,5", "OMP_MAX_ACTIVE_LEVELS": "3", "OMP_THREAD_LIMIT": "40", "OMP_MAX_TASK_PRIORITY": "7",
                 "OMP_DYNAMIC": "false", "OMP_WAIT_POLICY": "passive", "OMP_STACKSIZE": "4M"}
REPLAYED = ("depend", "loops", "regions", "tasks")
# A program that breaks the rules: its exit code and its message.
HOSTILE = {"parallel_end": (1, "no region that GOMP_parallel_start has started"), "taskgroup_end": (1, "this task has started no taskgroup"),
           "negative": (1, "asks for 4294967294 threads"), "set_negative": (0, "^end$"), "exit": (3, "^$"),
           "critical_end": (0, "^end$"),
           "barrier_in_task": (1, "barrier is in an explicit task"), "fork": (0, "^end$")}


def compiled(source):
    """Returns the program, or None if there is no compiler for its language."""
    program = BUILD / source.stem
    for compiler in COMPILERS[source.suffix]:
        try:
            code, output = checks.run(compiler, "-O1", "-w", "-fopenmp", "-J" if source.suffix == ".f90" else "-I", BUILD, source, "-o", program)
        except FileNotFoundError:
            continue
        checks.check(f"{source.name} compiles", code == 0, output)
        return program if code == 0 else None
    print(f"{source.name}: none of {', '.join(COMPILERS[source.suffix])} is installed")
    return None


def run(program, *arguments, **settings):
    """Runs it with these variables and no others of OpenMP or tine. Returns (exit code, output)."""
    kept = {k: v for k, v in os.environ.items() if not re.match("OMP_|GOMP_|TINE_|LD_PRELOAD", k)}
    try:
        return checks.run(program, *arguments, timeout=60, env=kept | {k: str(v) for k, v in settings.items()})
    except subprocess.TimeoutExpired as e:
        return "no end", str(e.output)


def settings_of(program):
    """The variables of each run of a program, without the library and the workers."""
    if program.name == "settings":
        return [EVERY_SETTING]
    more = [{"OMP_CANCELLATION": on} for on in ("true", "false")] if program.name == "cancel" else [{}]
    return [{"OMP_NUM_THREADS": t} | m for t in THREADS for m in more]


def jobs_of(program):
    """Pairs of a description and a function that returns (succeeded, output)."""
    def succeeds(**settings):
        code, output = run(program, **settings)
        return code == 0, f"exit code {code}\n{output}"

    def ends_as(case):
        code, output = run(program, case, TINE_NUM_THREADS=2, LD_PRELOAD=LIBRARY)
        wanted, text = HOSTILE[case]
        return code == wanted and re.search(text, output, re.MULTILINE) is not None, f"exit code {code}\n{output}"

    def hints():
        code, output = run("timeout", "15", program, OMP_NUM_THREADS=2, TINE_NUM_THREADS=1, LD_PRELOAD=LIBRARY)
        return code == 124 and "TINE_OMP_THREADS=native" in output, f"exit code {code}\n{output}"

    if program.name == "hostile":
        return [(f"hostile {case}", lambda case=case: ends_as(case)) for case in HOSTILE]
    def replays(threads):
        schedule = BUILD / f"{program.name}_{threads}.schedule"
        here = {"OMP_NUM_THREADS": threads, "TINE_NUM_THREADS": 4, "LD_PRELOAD": LIBRARY}
        recorded = run(program, TINE_RECORD=schedule, **here)
        outputs = [recorded] + [run(program, TINE_REPLAY=schedule, **here) for _ in range(3)]
        return all(code == 0 and "differs" not in output for code, output in outputs), "\n".join(map(str, outputs))

    jobs = [("a hint for threads that spin", hints)] if program.name == "spin" else []
    if program.name in REPLAYED:
        jobs = [(f"{program.name} is replayed with {n} threads", lambda n=n: replays(n)) for n in THREADS]
    for s in settings_of(program):
        for w in (None, *([] if program.name == "spin" else WORKERS), "native"):
            if w is None and program.name == "tasks" and s["OMP_NUM_THREADS"] == 16:
                continue  # on two busy processors it does not always end within the time; on tine it does, and libgomp shows the checks with fewer threads
            # libgomp spins by default, which takes minutes if it has more threads than there are processors
            here = s | ({"OMP_WAIT_POLICY": "passive"} if w is None else {"LD_PRELOAD": LIBRARY})
            if w is not None:
                here |= {"TINE_OMP_THREADS": w} if w == "native" else {"TINE_NUM_THREADS": w}
            words = " ".join(f"{k}={v}" for k, v in here.items() if k != "LD_PRELOAD")
            jobs.append((f"{program.name} on {'libgomp' if w is None else 'tine'}, {words}", lambda here=here: succeeds(**here)))
    return jobs


def exports_versions():
    """Every function has the symbol version that libgomp gives it, as far as libgomp has it."""
    def versions(library):
        return {name: v for v, name in re.findall(r"^\S.*DF .*\s(G?OMP_[\d.]+)\s+(\w+)$", checks.must("objdump", "-T", library), re.MULTILINE)}

    found = subprocess.run(["gcc-12", "-print-file-name=libgomp.so.1"], stdout=subprocess.PIPE, text=True).stdout.strip()
    ours, theirs = versions(LIBRARY), versions(found)
    theirs = {name: v for name, v in theirs.items() if not re.match("omp_.*lock", name) and "PLUGIN" not in name}
    wrong = sorted(name for name, v in theirs.items() if ours.get(name) != v)
    checks.check("symbol versions", len(theirs) > 250 and not wrong, f"{len(theirs)} functions of libgomp; without, or with another version: {wrong}")


BUILD.mkdir(parents=True, exist_ok=True)
sources = sorted(p for p in (HERE / "programs").iterdir() if p.suffix in COMPILERS and (len(sys.argv) < 4 or p.stem in sys.argv[3:]))
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    programs = [p for p in pool.map(compiled, sources) if p is not None]
    jobs = [job for program in programs for job in jobs_of(program)]
    for (name, _), (holds, output) in zip(jobs, pool.map(lambda job: job[1](), jobs)):
        checks.check(name, holds, output)
exports_versions()
checks.end()
