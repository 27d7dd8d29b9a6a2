"""The study of predictions: the change of time that `tine whatif` predicts for a call site, beside the change when the site is really made faster or slower."""

import json
import os
import statistics
import subprocess
import tempfile
from pathlib import Path

from study import print_table, spread

PROGRAMS = 8
SCALES = [0.5, 2]  # the site takes half of its time, or twice its time
WORKERS = [1, 2]
RUNS, QUICK_RUNS = 9, 1
MOST_ERROR = 0.1


def run(study, quick):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(1, 3 if quick else PROGRAMS + 1):
            rows += _rows(study, number, Path(folder), quick)
    print_table(("program", "the site's time", "P", "measured change, %", "predicted, %", "error of the predicted time, %"), rows)


def _rows(study, number, folder, quick):
    profile = folder / f"{number}.profile"
    name, site = _profiled(study, number, profile)
    rows = []
    for scale in SCALES:
        predicted = _predicted(study, profile, site, scale)
        for workers in WORKERS:
            ratios = [_seconds(study, number, workers, scale) / _seconds(study, number, workers, 1) for _ in range(QUICK_RUNS if quick else RUNS)]
            error = predicted[workers] / statistics.median(ratios) - 1
            if not quick:
                study.check(abs(error) <= MOST_ERROR, f"{name}, {scale} times, {workers} workers: the predicted time is within 10 %: {error:+.1%}")
            rows.append((name, f"× {scale}", workers, spread([ratio - 1 for ratio in ratios], 1, 100), f"{100 * predicted[workers] - 100:.1f}", f"{100 * error:+.1f}"))
    return rows


def _profiled(study, number, profile):
    """Runs the program on one worker with a trace, and keeps the trace of the shortest of three runs, which was disturbed least. Returns the names of the
    program and of its site."""
    command = [study.program_path("studies/whatif"), "--program", str(number), "--workers", "1"]
    shortest = None
    for _ in range(3):
        another = profile.with_suffix(".another")
        done = subprocess.run(command, env={**os.environ, "TINE_PROFILE": f"trace:{another}"}, capture_output=True, text=True, check=True)
        line = json.loads(done.stdout)
        study.check(line["verified"], f"the answer is right: {line['program']}, profiled")
        if shortest is None or line["seconds"] < shortest["seconds"]:
            shortest = line
            another.rename(profile)
    return shortest["program"], shortest["site"]


def _predicted(study, profile, site, scale):
    """Returns the ratio of the predicted time after the change to that before, by number of workers."""
    command = [study.tine, "whatif", profile, "--site", f"bench::whatif::{site}", "--speedup", str(1 / scale), "--workers", "1,2", "--of", "roots", "--json"]
    said = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return {then["workers"]: (then["low_ns"] + then["high_ns"]) / (now["low_ns"] + now["high_ns"])
            for now, then in zip(said["now"]["times"], said["then"]["times"])}


def _seconds(study, number, workers, scale):
    [line] = study.run("--program", number, "--workers", workers, "--scale", scale)
    return line["seconds"]
