"""The study of the race detector: every tine variant of every program under `tine race`, and what the detector costs.

The programs are built by the target `bench_checked`. With `TINE_BENCH_TSAN=FOLDER`, a build of the same programs under ThreadSanitizer
(`cmake --preset tsan -B FOLDER -DTINE_BENCH=ON`), the table has its costs, too. With `TINE_BENCH_COUNTED=FOLDER`, a build of both for processors that
valgrind knows (`cmake --preset release -B FOLDER -DTINE_BENCH_MARCH=x86-64-v3`), it has the ratio of the instructions, which callgrind counts as the
difference of a process with three runs and one with a single run.
"""

import concurrent.futures
import json
import math
import os
import re
import shutil
import statistics
import subprocess
import tempfile
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
# Programs whose strands claim vertices, edges or slots by atomic operations. Their answers are right whichever strand
# comes first, and `--determinism` reports the claims.
CLAIMS = {"bfs", "maximal-independent-set", "maximal-matching", "maximal-matching-grid", "remove-duplicates", "spanning-forest",
          "spanning-forest-grid"}
# Sizes at which runs under callgrind take some seconds at most; those of all other programs are a tenth of the quick
# ones.
COUNTED = {"fib": ("--n", "16"), "integrate": ("--n", "20"), "matmul": ("--n", "64"), "nqueens": ("--n", "7"), "floyd-warshall": ("--n", "60"),
           "heat": ("--n", "128", "--steps", "4")}
COUNTING_SECONDS = 100  # a process that takes longer has no count
RUNS = 7


def run(study, quick):
    programs = [catalogue.PROGRAMS[name] for name in catalogue.SUITES["all"].programs if (study.built / "checked" / catalogue.PROGRAMS[name].executable).is_file()]
    study.check(programs, "the target bench_checked is built")
    for program in programs:
        for variant in [v for v in VARIANTS if v in program.variants]:
            _check(study, program, variant)
        _check_determinism(study, program)
    if not quick:
        _costs(study, programs)


def _arguments(program, variant, repeat, size=None):
    size = size or SIZES.get(program.name, program.quick)
    return [*program.arguments, *size, "--variant", variant, "--workers", "1", "--repeat", str(repeat)]


def _counted_size(program):
    if program.name in COUNTED:
        return COUNTED[program.name]
    size = list(SIZES.get(program.name, program.quick))
    for i in range(len(size) - 1):
        if size[i] in ("--n", "--leaves"):
            size[i + 1] = str(int(size[i + 1]) // 10)
        elif size[i] == "--scale":
            size[i + 1] = str(int(size[i + 1]) - 3)
    return size


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


def _check_determinism(study, program):
    """Checks that the order of accesses matters in the programs with claims only, and there only in atomic accesses."""
    variant = next(v for v in program.variants if v in VARIANTS)
    command = [str(study.tine), "race", "--determinism", "--", str(study.built / "checked" / program.executable), *_arguments(program, variant, 1)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    titles = [line for line in done.stderr.splitlines() if line.startswith("race ")]
    atomic = [line for line in titles if re.fullmatch(r"race \d+: atomic (read|write) and atomic (read|write) of .*", line)]
    study.check(done.returncode == (program.name in CLAIMS) and titles == atomic, f"{program.name}, {variant}, --determinism:\n{done.stderr}")


def _instructions(path, program, variant, environment):
    """Returns the instructions of one run, or None if they cannot be counted."""
    with tempfile.TemporaryDirectory() as folder:
        stripped = str(Path(folder) / "program")  # valgrind 3.19 does not read clang's debug information
        subprocess.run(["strip", "-o", stripped, str(path)], check=True)
        seen = []
        for repeat in 1, 3:
            command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={os.devnull}", stripped, *_arguments(program, variant, repeat, _counted_size(program))]
            try:
                done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **environment}, timeout=COUNTING_SECONDS)
            except subprocess.TimeoutExpired:
                return None
            match = re.search(r"Collected : (\d+)", done.stderr)
            if done.returncode or "verified" not in done.stdout or not match:
                return None
            seen.append(int(match[1]))
    return (seen[1] - seen[0]) / 2


def _count_all(programs, environment):
    """Returns for each program the instructions without and with the detector. They do not depend on what else runs."""
    folder = os.environ.get("TINE_BENCH_COUNTED")
    if not folder or not shutil.which("valgrind"):
        return {}
    built = Path(folder) / "bench"

    def count(program):
        variant = next(v for v in program.variants if v in VARIANTS)
        return (_instructions(built / program.executable, program, variant, {}),
                _instructions(built / "checked" / program.executable, program, variant, environment))

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip((p.name for p in programs), pool.map(count, programs)))


def _costs(study, programs):
    """Prints time and memory over the same program without the detector, of processes in turn."""
    tsan = os.environ.get("TINE_BENCH_TSAN")
    kinds = {"checked": (study.built / "checked", {"TINE_PROFILE": f"race:{os.devnull}"})}
    if tsan:
        kinds["tsan"] = (Path(tsan) / "bench", {"TSAN_OPTIONS": "exitcode=0"})
    counts = _count_all(programs, kinds["checked"][1])
    rows, all_ratios = [], {kind: ([], []) for kind in kinds}
    all_counted = []
    for program in programs:
        variant = next(v for v in program.variants if v in VARIANTS)
        rounds = []
        for _ in range(RUNS):
            plain = _once(study.built / program.executable, program, variant, {})
            rounds.append((plain, {kind: _once(folder / program.executable, program, variant, environment) for kind, (folder, environment) in kinds.items()}))
        plain, checked = counts.get(program.name, (None, None))
        counted = checked / plain if plain and checked else None
        if counted:
            all_counted.append(counted)
        row = [program.name, f"{1e3 * statistics.median(plain[0] for plain, _ in rounds):.2f}", f"{counted:.1f}" if counted else ""]
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
        study.append([{"program": program.name, "variant": variant, "rounds": [[plain, other] for plain, other in rounds],
                       "instructions": counts.get(program.name), "verified": True}])
    rows.append(["geometric mean", "", f"{_mean(all_counted):.2f}"] + [f"{_mean(ratios):.2f}" for kind in kinds for ratios in all_ratios[kind]])
    # ThreadSanitizer's shadow does not fit into valgrind's address space.
    print_table(("program", "ms", "instructions, checked", *(f"{what}, {kind}" for kind in kinds for what in ("time", "memory"))), rows)


def _mean(ratios):
    return math.exp(statistics.fmean(math.log(r) for r in ratios)) if ratios else math.nan
