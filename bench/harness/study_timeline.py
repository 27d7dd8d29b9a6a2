"""The study of timelines: the time that a profile with `trace` takes with and without `timeline`, in turns, and the memory of a long run.

Events are added only where tasks are promoted, stolen and joined, and where workers sleep and wake, so the cost depends on their number, which the table has."""

import json
import os
import statistics
import subprocess
import tempfile
from pathlib import Path

import catalogue
from study import print_table, spread

# By program, the arguments that let a profiled run take less than a second.
PROGRAMS = {"fib": ["--n", "30"], "nqueens": ["--n", "12"], "integrate": ["--n", "500"], "uts-t1": [], "merge-sort": [], "delaunay": [], "map-heavy": [],
            "word-count": []}
QUICK_PROGRAMS = {"nqueens": ["--n", "9"]}
WORKERS = [1, 2]
ROUNDS, QUICK_ROUNDS = 11, 1
PLAIN, WITH = "trace", "trace,timeline"
MOST_COST = 0.01

FORKS = 44  # fib(44) forks 1.1 billion times
LAST, MOST_MEMORY = "5s", 64 << 20


def run(study, quick):
    with tempfile.TemporaryDirectory() as name:
        profile = Path(name) / "profile"
        rows, ratios = [], []
        for program, arguments in (QUICK_PROGRAMS if quick else PROGRAMS).items():
            for workers in WORKERS:
                command = [study.program_path(catalogue.PROGRAMS[program].executable), *catalogue.PROGRAMS[program].arguments, *arguments, "--variant", "managed",
                           "--workers", str(workers), "--repeat", "1" if quick else "3", "--passes", "1", "--json"]
                pairs = [_pair(study, command, profile) for _ in range(QUICK_ROUNDS if quick else ROUNDS)]
                costs = [pair[1] / pair[0] - 1 for pair in pairs]
                ratios.append(statistics.median(costs))
                rows.append((program, workers, f"{1e3 * statistics.median(pair[0] for pair in pairs):.1f}", spread(costs, 1, 100), _events(study, profile)))
                study.append([{"program": program, "workers": workers, "seconds": [pair[0] for pair in pairs], "seconds_with_timeline": [pair[1] for pair in pairs]}])
        print_table(("program", "P", "with trace, ms", "more with timeline, %", "events"), rows)
        print(f"\nmedian over all rows: {100 * statistics.median(ratios):.2f} %")
        if quick:
            return
        study.check(statistics.median(ratios) <= MOST_COST, f"a timeline adds at most {MOST_COST:.0%} to a profile with trace: {statistics.median(ratios):.2%}")
        _long_run(study, profile)


def _pair(study, command, profile):
    return [min(_seconds(study, command, f"{analyses}:{profile}")) for analyses in (PLAIN, WITH)]


def _seconds(study, command, request):
    done = subprocess.run(command, env={**os.environ, "TINE_PROFILE": request}, capture_output=True, text=True, check=True)
    line = json.loads(done.stdout)
    study.check(line["verified"], f"the answer is right: {command[0]} with {request}")
    return line["seconds"]


def _events(study, profile):
    """Returns the number of promotions and steals in the profile."""
    said = json.loads(subprocess.run([study.tine, "report", "--json", profile], capture_output=True, text=True, check=True).stdout)
    counts = [worker["events"] for worker in said["timeline"]["workers"]]
    return f"{sum(c['promotions'] for c in counts):,} promotions, {sum(c['steals'] for c in counts):,} steals"


def _long_run(study, profile):
    """A run with a billion forks, of which the last five seconds are kept: its memory is bounded."""
    command = [study.program_path("fib"), "--n", str(FORKS), "--variant", "managed", "--workers", "2", "--repeat", "1", "--passes", "1", "--json"]
    running = subprocess.Popen(command, env={**os.environ, "TINE_PROFILE": f"timeline:{profile}", "TINE_PROFILE_LAST": LAST}, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(running.pid, 0)
    study.check(os.waitstatus_to_exitcode(status) == 0, "the long run ends well")
    memory = 1024 * usage.ru_maxrss
    said = json.loads(subprocess.run([study.tine, "report", "--json", profile], capture_output=True, text=True, check=True).stdout)
    kept = (said["timeline"]["end_ns"] - said["timeline"]["begin_ns"]) / 1e9
    print(f"\n{said['forks']:,} forks in {said['wall_ns'] / 1e9:.1f} s: {memory / 2**20:.0f} MiB of memory, "
          f"{profile.stat().st_size / 2**20:.1f} MiB of file, the last {kept:.1f} s")
    study.check(said["forks"] >= 10**9, "the run has a billion forks")
    study.check(memory <= MOST_MEMORY, f"its memory is at most {MOST_MEMORY >> 20} MiB: {memory >> 20} MiB")
