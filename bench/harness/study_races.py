"""The study of the race detector: every tine variant of every program under `tine race`, and what the detector costs.

The programs are built by the target `bench_checked`. With `TINE_BENCH_TSAN=FOLDER`, a build of the same programs under ThreadSanitizer
(`cmake --preset tsan -B FOLDER -DTINE_BENCH=ON`), the table has its costs, too.
"""

import json
import math
import os
import statistics
import subprocess
from pathlib import Path

import catalogue
from study import print_table, spread

# The variants whose code is tine's. A schedule is recorded and followed without the detector.
VARIANTS = ["managed", "managed_pair", "heartbeat", "tuned", "dac", "std_par_tine", "coro", "coro_alloc"]
# Sizes at which the detector takes some seconds at most, where the quick size takes longer.
SIZES = {"fib": ("--n", "22"), "skynet": ("--leaves", "10000"), "integrate": ("--n", "100"), "matmul": ("--n", "128"),
         "grep": ("--n", "2000000"), "word-count": ("--n", "2000000"), "primes": ("--n", "2000000"),
         "map-light": ("--n", "200000", "--passes", "1"), "bignum-add": ("--n", "200000", "--passes", "1"), "merge-sort": ("--n", "100000"),
         "bfs": ("--scale", "12"), "floyd-warshall": ("--n", "120"), "nqueens": ("--n", "8")}
RUNS = 7


def run(study, quick):
    programs = [catalogue.PROGRAMS[name] for name in catalogue.SUITES["all"].programs if (study.built / "checked" / catalogue.PROGRAMS[name].executable).is_file()]
    study.check(programs, "the target bench_checked is built")
    for program in programs:
        for variant in [v for v in VARIANTS if v in program.variants]:
            _check(study, program, variant)
    if not quick:
        _costs(study, programs)


def _arguments(program, variant, repeat):
    size = SIZES.get(program.name, program.quick)
    return [*program.arguments, *size, "--variant", variant, "--workers", "1", "--repeat", str(repeat)]


def _check(study, program, variant):
    """Checks that the program has no data race."""
    command = [str(study.tine), "race", "--", str(study.built / "checked" / program.executable), *_arguments(program, variant, 1)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    study.check(done.returncode == 0 and "verified" in done.stdout, f"{program.name}, {variant}: no race\n{done.stdout}{done.stderr}")


def _once(path, program, variant, environment):
    """Returns the seconds and the peak of memory in KiB of one process with two runs, or None."""
    command = [str(path), *_arguments(program, variant, 2), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **environment})
    if not done.stdout.startswith("{"):
        return None
    told = json.loads(done.stdout)
    return (told["min_s"], told["max_rss_kib"]) if told["verified"] else None


def _costs(study, programs):
    """Prints time and memory over the same program without the detector, of processes in turn."""
    tsan = os.environ.get("TINE_BENCH_TSAN")
    kinds = {"checked": (study.built / "checked", {"TINE_PROFILE": f"race:{os.devnull}"})}
    if tsan:
        kinds["tsan"] = (Path(tsan) / "bench", {"TSAN_OPTIONS": "exitcode=0"})
    rows, all_ratios = [], {kind: ([], []) for kind in kinds}
    for program in programs:
        variant = next(v for v in program.variants if v in VARIANTS)
        rounds = []
        for _ in range(RUNS):
            plain = _once(study.built / program.executable, program, variant, {})
            rounds.append((plain, {kind: _once(folder / program.executable, program, variant, environment) for kind, (folder, environment) in kinds.items()}))
        row = [program.name, f"{1e3 * statistics.median(plain[0] for plain, _ in rounds):.2f}"]
        for kind in kinds:
            seen = [(plain, other[kind]) for plain, other in rounds if other[kind] is not None]
            study.check(len(seen) == RUNS, f"{program.name}: {kind} has an answer")
            if not seen:
                row += ["", ""]
                continue
            times = [other[0] / plain[0] for plain, other in seen]
            memory = [other[1] / plain[1] for plain, other in seen]
            row += [spread(times, 1), f"{statistics.median(memory):.1f}"]
            all_ratios[kind][0].append(statistics.median(times))
            all_ratios[kind][1].append(statistics.median(memory))
        rows.append(row)
        study.append([{"program": program.name, "variant": variant, "rounds": [[plain, other] for plain, other in rounds], "verified": True}])
    rows.append(["geometric mean", ""] + [f"{_mean(ratios):.2f}" for kind in kinds for ratios in all_ratios[kind]])
    print_table(("program", "ms", *(f"{what}, {kind}" for kind in kinds for what in ("time", "memory"))), rows)


def _mean(ratios):
    return math.exp(statistics.fmean(math.log(r) for r in ratios)) if ratios else math.nan
