"""The study of Parallel ML: the sixteen programs of the Spork paper in it (spork/bench/ml), over their elision, over a grain chosen by hand, over divide and
conquer (the paper's Tables 2 to 4), over their twins in C++, and over Poly/ML where that is installed."""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from served import Served
from study import ROOT, print_table, spread

sys.path[:0] = [str(ROOT / "spork" / "tests" / "ml"), str(ROOT / "spork" / "bench" / "ml")]
import poly  # noqa: E402
from programs import close  # noqa: E402

# A run of the sequential program takes a tenth of a second or so; to make its input takes longer.
SIZES = {
    "bfs": ["--scale", "17"], "bignum-add": ["--n", "10000000"], "delaunay": ["--n", "200000"], "grep": ["--n", "50000000"],
    "line-fit": ["--n", "5000000"], "mandelbrot": ["--n", "800"], "map-heavy": ["--n", "200000"], "map-light": ["--n", "10000000"],
    "merge-sort": ["--n", "3000000"], "nearest-nbrs": ["--n", "500000"], "nqueens": ["--n", "12"], "primes": ["--n", "100000000"],
    "sparse-mxv": ["--n", "500000"], "suffix-array": ["--n", "1000000"], "triangle-count": ["--scale", "15"], "word-count": ["--n", "30000000"]}
QUICK = {"line-fit": ["--n", "5000"], "nqueens": ["--n", "7"]}
VERSIONS = ["managed", "elision", "tuned", "dac"]
WORKERS = [1, 2]
ROUNDS = 9
TIMEOUT = 120
MOST_OVER_ELISION, WORST_OVER_ELISION, MOST_OVER_TWIN = 1.05, 1.20, 2.0


def run(study, quick):
    sizes = QUICK if quick else SIZES
    ratios, rows = {}, []
    with tempfile.TemporaryDirectory() as folder:
        for name, size in sizes.items():
            programs = {version: _built(study, name, version, Path(folder)) for version in VERSIONS}
            sequential = _on_poly(name, size) if shutil.which("poly") else None
            for workers in WORKERS:
                rows.append(_row(study, name, size, programs, workers, sequential, 1 if quick else ROUNDS, ratios))
    print_table(("program", "P", "managed, s", "over elision", "over tuned", "over divide and conquer", "over C++", "Poly/ML over managed"), rows)
    for workers in WORKERS:
        for what in ("elision", "tuned", "dac", "cpp", "poly"):
            given = ratios.get((what, workers))
            if given:
                print(f"P = {workers}: {what}: geometric mean {statistics.geometric_mean(given):.2f}, {min(given):.2f} to {max(given):.2f}")
    if quick:
        return
    study.check(statistics.geometric_mean(ratios["elision", 1]) <= MOST_OVER_ELISION, "over the elision at P = 1: the geometric mean")
    study.check(max(ratios["elision", 1]) <= WORST_OVER_ELISION, f"over the elision at P = 1: the worst, {max(ratios['elision', 1]):.2f}")
    study.check(statistics.geometric_mean(ratios["cpp", 1]) <= MOST_OVER_TWIN, "over the twin in C++ at P = 1: the geometric mean")
    if ("poly", 1) in ratios:
        study.check(min(ratios["poly", 1]) > 1, f"Poly/ML over managed at P = 1: {min(ratios['poly', 1]):.2f}")


def _files(name, version):
    return [ROOT / "spork" / "bench" / "ml" / file for file in (f"loops/{version}.sml", "harness.sml", f"{name}.sml")]


def _built(study, name, version, folder):
    app = folder / f"{name}.{version}"
    subprocess.run([study.tine, "ml", "build", *_files(name, version), "-o", app, "--march=native"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return app


def _row(study, name, size, programs, workers, sequential, rounds, ratios):
    """One row of the table. The processes wait while another one runs, and all make their run in each round."""
    twin = [study.program_path(name), "--variant", "managed", "--json", "--serve", "--workers", str(workers), *size]
    commands = {version: [app, "--serve", *size] for version, app in programs.items()} | {"cpp": twin}
    served = {what: Served(name, what, workers, list(map(str, command)), TIMEOUT,
                           environment={**os.environ, "TINE_NUM_THREADS": "1" if what == "elision" else str(workers)})
              for what, command in commands.items()}
    for one in served.values():
        one.start()
    for _ in range(rounds):
        for one in served.values():
            one.run()
    for one in served.values():
        one.finish()
    right = served["cpp"].report.get("answer")
    for what, one in served.items():
        study.check(one.report.get("verified") and close(one.report["answer"], right), f"the answer is right: {name}, {what}, P = {workers} {one.failure}")
    seconds = {what: one.seconds for what, one in served.items()}

    def over(what):
        each = [ours / other for ours, other in zip(seconds["managed"], seconds[what])]
        ratios.setdefault((what, workers), []).append(statistics.median(each))
        return spread(each, 2)
    cells = [over(what) for what in ("elision", "tuned", "dac", "cpp")]
    managed = statistics.median(seconds["managed"])
    if sequential:
        ratios.setdefault(("poly", workers), []).append(sequential / managed)
    study.append([{"program": name, "params": size, "workers": workers, "seconds": seconds, "poly_s": sequential}])
    return (name, workers, f"{managed:.3f}", *cells, f"{sequential / managed:.1f}" if sequential else "")


def _on_poly(name, size):
    """Returns the seconds of one run of the sequential program on Poly/ML, with that system's own int; None if it takes longer than a minute."""
    program = poly.Program("\n".join(file.read_text() for file in _files(name, "elision")), size)
    [result] = poly.Poly(basis="native").run([program], 60)
    return json.loads(result.output.splitlines()[-1])["median_s"] if result.ending == "ok" and result.output.startswith("{") else None
