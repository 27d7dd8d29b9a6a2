"""Measures the cost of a profile: runs each program without and with a profile, one run of each in turn."""

import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import catalogue
import rounds
from served import Served

ANALYSES = "work,span"
VARIANTS = ["managed", "coro"]
# These programs do nothing but fork, so a profile of them measures mostly the profile itself.
ONLY_FORKS = ("fib", "skynet")


def sweep(plan):
    """Measures and prints one row for each program, variant and number of workers; returns the exit status."""
    tine = plan.build_dir / "tine"
    if not tine.is_file():
        print("bench: --microscope needs the tine command, which -DTINE_TOOLS=ON builds", file=sys.stderr)
        return 2
    print(f"| program | variant | P | forks | loops | seconds | {plan.analyses} over none | [min..max] | predicted |")
    print("|---" * 9 + "|")
    rows, failed = [], False
    with tempfile.TemporaryDirectory() as folder:
        for program in plan.programs:
            for variant in [name for name in program.variants[1:] if name in plan.variants]:
                for workers in plan.workers:
                    row = _measure(program, variant, workers, plan, tine, Path(folder) / "profile")
                    failed |= row is None
                    if row and program.name not in ONLY_FORKS:
                        rows.append(row)
    if rows:
        measured, predicted = zip(*rows)
        print(f"\n{len(rows)} rows without {' and '.join(ONLY_FORKS)}, which do nothing but fork: geometric mean "
              f"{_mean(measured):.3f} measured, {_mean(predicted):.3f} predicted; worst {max(measured):.3f} measured, {max(predicted):.3f} predicted")
    return 1 if failed else 0


def _measure(program, variant, workers, plan, tine, profile):
    """Prints the row and returns the median ratio and the predicted one; None, with a complaint, if a process failed."""
    command = [str(plan.build_dir / "bench" / program.executable), "--serve", *catalogue.arguments(program, plan.sizes),
               "--variant", variant, "--workers", str(workers)]
    plain, seen = (Served(program.name, variant, workers, command, plan.timeout, environment=environment)
                   for environment in (None, {**os.environ, "TINE_PROFILE": f"{plan.analyses}:{profile}"}))
    rounds.take_turns([plain, seen], plan.repeat)
    for process in plain, seen:
        if process.failure or not process.report.get("verified"):
            print(f"bench: {program.name}, {variant}: {process.failure or 'wrong answer'}", file=sys.stderr)
            return None
    told = json.loads(subprocess.run([tine, "report", "--json", profile], capture_output=True, check=True).stdout)
    predicted = _predicted(told)
    _print_row(program, plain, seen, told, predicted)
    return statistics.median(_ratios(plain, seen)), predicted


def _mean(ratios):
    """Returns the geometric mean."""
    return math.exp(statistics.mean(map(math.log, ratios)))


def _predicted(told):
    """Returns the ratio that the profile predicts. Its cost is a sum over all workers, like the work; both are of the same runs."""
    cost, work = told["cost"]["profiling_ns"], told["roots"]["work_ns"]
    return work / (work - cost) if cost < work else math.inf  # the calibration ran on a busier machine


def _ratios(plain, seen):
    return [with_it / without for with_it, without in zip(seen.seconds, plain.seconds)]


def _print_row(program, plain, seen, told, predicted):
    ratios = _ratios(plain, seen)
    runs = len(seen.seconds) + 1  # the profile includes the unmeasured run
    print(f"| {program.name} | {plain.variant} | {plain.workers} | {told['forks'] // runs} | {told['loops'] // runs} "
          f"| {statistics.median(plain.seconds):.4f} | {statistics.median(ratios):.3f} "
          f"| [{min(ratios):.3f}..{max(ratios):.3f}] | {predicted:.3f} |", flush=True)
