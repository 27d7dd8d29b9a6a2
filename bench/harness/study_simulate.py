"""The study of simulations: the time that `tine simulate` finds for programs on one and on two workers, beside the time that they take.

Other programs only ever make a run longer. So the profile is that of the shortest of several runs, and the time that a program takes is that of its shortest
run. Profiled and unprofiled runs take turns. The costs are those of `tine calibrate`, or of the file that $TINE_CALIBRATION names.

The allocator of the C library gives memory back to the system when the top of the heap is free, and takes it again, page by page, in the next run. In a
profiled process the profile lies at the top, so the program is the faster one there (by up to 12 %). Here the allocator keeps its memory in both."""

import json
import os
import statistics
import subprocess
import tempfile
from pathlib import Path

import catalogue
import rounds
from served import Served
from study import print_table, spread

PROGRAMS = ["mandelbrot", "map-heavy", "primes", "matmul", "merge-sort", "delaunay", "nearest-nbrs", "triangle-count", "word-count", "grep",
            "jump-up", "jump-down", "heavy-first", "comparison-sort", "remove-duplicates"]
QUICK_PROGRAMS = ["merge-sort", "primes"]
WORKERS = [1, 2]
ROUNDS, QUICK_ROUNDS = 15, 1
KEEPS_MEMORY = {"MALLOC_TRIM_THRESHOLD_": str(1 << 40), "MALLOC_MMAP_THRESHOLD_": str(1 << 32)}
MOST_ERROR, MOST_MEDIAN_ERROR = 0.1, 0.04
WRONG = ["--cost", "steal=50000000", "--cost", "wake_up=50000000"]  # a calibration that is wrong on purpose: 50 ms
TIMEOUT = 300


def run(study, quick):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = {**os.environ, **KEEPS_MEMORY, "TINE_CALIBRATION": os.environ.get("TINE_CALIBRATION") or _calibrated(study, folder, quick)}
        measured = [_measured(study, catalogue.PROGRAMS[program], folder, environment, quick) for program in (QUICK_PROGRAMS if quick else PROGRAMS)]
        errors = _table(study, measured, environment, quick)
        wrong = [_errors(one, _simulated(study, one, environment, WRONG)) for one in measured]
        if quick:
            return
        study.check(_is_good(errors), f"the median error is at most {MOST_MEDIAN_ERROR:.0%}, and no error is above {MOST_ERROR:.0%}")
        study.check(not _is_good([error for one in wrong for error in one]), "a calibration that is wrong on purpose is noticed")


def _calibrated(study, folder, quick):
    """Returns the file of the costs of this machine, now. A quick study takes usual ones."""
    file = folder / "calibration"
    if not quick:
        subprocess.run([study.tine, "calibrate"], env={**os.environ, **KEEPS_MEMORY, "TINE_CALIBRATION": str(file)}, capture_output=True, check=True)
    return str(file)


def _measured(study, program, folder, environment, quick):
    """Returns the program's name, the profile of its shortest profiled run, and its times by number of workers."""
    command = [str(study.program_path(program.executable)), *catalogue.arguments(program, "quick" if quick else ""), "--variant", "managed", "--passes", "1"]
    profile, profiled_seconds = folder / f"{program.name}.profile", []

    def make_profile():
        another = folder / "another"
        done = subprocess.run([*command, "--workers", "1", "--repeat", "1", "--json"], env={**environment, "TINE_PROFILE": f"trace:{another}"},
                              capture_output=True, text=True, check=True)
        line = json.loads(done.stdout)
        study.check(line["verified"], f"the answer is right: {program.name}, profiled")
        profiled_seconds.append(line["seconds"][0])
        if profiled_seconds[-1] == min(profiled_seconds):
            another.rename(profile)

    processes = [Served(program.name, "managed", workers, [*command, "--serve", "--workers", str(workers)], TIMEOUT, environment=environment)
                 for workers in WORKERS]
    rounds.take_turns(processes, QUICK_ROUNDS if quick else ROUNDS, before_round=make_profile)
    for process in processes:
        study.check(not process.failure and process.report.get("verified"), f"the answer is right: {program.name} on {process.workers}: {process.failure}")
    return {"program": program.name, "profile": str(profile), "profiled_seconds": min(profiled_seconds),
            "seconds": {process.workers: process.seconds for process in processes}}


def _simulated(study, one, environment, costs=()):
    """Returns what `tine simulate` says of the last root, which is the measured run."""
    command = [study.tine, "simulate", one["profile"], "--of", "roots", "--last", "1", "--workers", ",".join(map(str, WORKERS)), "--json", *costs]
    return json.loads(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)


def _errors(one, said):
    return [row["time_ns"] / 1e9 / min(one["seconds"][row["workers"]]) - 1 for row in said["rows"]]


def _is_good(errors):
    return max(map(abs, errors)) <= MOST_ERROR and statistics.median(map(abs, errors)) <= MOST_MEDIAN_ERROR


def _table(study, measured, environment, quick):
    """Prints the table and returns all errors."""
    rows, all_errors = [], []
    for one in measured:
        said = _simulated(study, one, environment)
        errors = _errors(one, said)
        all_errors += errors
        for row, error in zip(said["rows"], errors):
            seconds = one["seconds"][row["workers"]]
            rows.append((one["program"], row["workers"], f"{1e3 * min(seconds):.1f}", spread(seconds, 1, 1e3), f"{row['time_ns'] / 1e6:.1f}", f"{100 * error:+.1f}",
                         row["steals"], f"{100 * said['profiling_ns'] / max(said['work_ns'], 1):.1f}"))
            if not quick:
                study.check(abs(error) <= MOST_ERROR, f"{one['program']} on {row['workers']}: the simulated time is within {MOST_ERROR:.0%}: {error:+.1%}")
            study.append([{"program": one["program"], "workers": row["workers"], "seconds": seconds, "simulated_seconds": row["time_ns"] / 1e9, "error": error,
                           "profiled_seconds": one["profiled_seconds"], "costs_ns": said["costs_ns"]}])
    print_table(("program", "P", "shortest run, ms", "runs, ms", "simulated, ms", "error, %", "steals", "profiling taken out, %"), rows)
    print(f"\nmedian of the errors' sizes: {100 * statistics.median(map(abs, all_errors)):.1f} %; greatest: {100 * max(map(abs, all_errors)):.1f} %")
    return all_errors
