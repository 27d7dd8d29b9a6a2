"""The study of fork-join over MPI: what ranks cost beside workers of one process, how short tasks may be, and a projection to more ranks.

The ranks run on this machine. So the figures for more ranks than processors show messages, bytes and steals, and not speed."""

import json
import math
import os
import shutil
import statistics
import subprocess

from study import print_table, spread

ROUNDS = 7
TREE, QUICK_TREE = "t1l", "t1"
DELAY_US = 100
LENGTHS_US = [1, 10, 100, 1000, 10000]
SECONDS = 0.3
RANKS = [2, 3, 4, 8]
PROJECTED = [16, 64, 256, 1024]
# The cost model of the projection. A busy rank with short tasks looks for messages each 250 µs if few come, so a
# request waits half of that on average.
LOOK_S = 0.125e-3
LATENCY_S = 5e-6
BYTES_PER_S = 1e9
NODES = {"t1l": 102_181_082, "t1xxl": 4_230_646_601}


def run(study, quick):
    if shutil.which("mpirun") is None:
        raise ValueError("there is no mpirun; `./dev setup mpi` installs one")
    rounds = 1 if quick else ROUNDS
    one = _cost(study, QUICK_TREE if quick else TREE, rounds)
    if not quick:
        _lengths(study, rounds)
        _projection(study, one)


def _job(study, name, ranks, workers, *words):
    """Runs one job, or, for one rank, the program without mpirun; returns its line."""
    program = str(study.program_path(f"studies/{name}"))
    start = [] if ranks == 1 else ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)]
    environment = dict(os.environ, TINE_NUM_THREADS=str(workers), OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    done = subprocess.run([*start, program, *map(str, words)], env=environment, capture_output=True, text=True, check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0 or len(lines) != 1:
        raise RuntimeError(f"{' '.join(map(str, words))} on {ranks} ranks: ended with status {done.returncode}: {done.stderr.strip()}")
    study.check(lines[0]["verified"], f"the answer is right: {' '.join(map(str, words))} on {ranks} ranks")
    study.append(lines)
    return lines[0]


def _cost(study, tree, rounds):
    """One process with two workers beside two ranks with one worker each, pair by pair. Returns the lines of one process with one worker."""
    alone, together, apart, late = [], [], [], []
    for _ in range(rounds):
        alone.append(_job(study, "mpi", 1, 1, "uts", tree))
        together.append(_job(study, "mpi", 1, 2, "uts", tree))
        apart.append(_job(study, "mpi", 2, 1, "uts", tree))
        late.append(_job(study, "mpi_delayed", 2, 1, "uts", tree, "--delay", DELAY_US))
    rows = []
    for what, lines, base in (("1 process, 1 worker", alone, None), ("1 process, 2 workers", together, None),
                              ("2 ranks, 1 worker each", apart, together), (f"2 ranks, each message {DELAY_US} µs later", late, apart)):
        ratio = spread([a["seconds"] / b["seconds"] for a, b in zip(lines, base)], 3) if base else ""
        rows.append((what, spread([x["seconds"] for x in lines], 2), ratio, *(f"{statistics.median(x[k] for x in lines):,.0f}" for k in ("messages", "bytes", "steals"))))
    print_table((f"UTS {tree.upper()}", "seconds", "over the row it is compared with", "messages", "bytes", "steals"), rows)
    return alone


def _lengths(study, rounds):
    """The efficiency by the length of the tasks, on two ranks with one worker each."""
    ways = [("loop", "equal"), ("tree", "equal"), ("static", "equal"), ("loop", "linear"), ("tree", "linear"), ("static", "linear")]
    found = {}
    for _ in range(rounds):
        for length in LENGTHS_US:
            for way, shape in ways:
                line = _job(study, "mpi", 2, 1, "tasks", way, shape, length, SECONDS)
                found.setdefault((way, shape, length), []).append(line["efficiency"])
    rows = [(f"{length:,} µs", *(spread(found[way, shape, length], 2) for way, shape in ways)) for length in LENGTHS_US]
    print_table(("tasks of", *(f"{way}, {shape}" for way, shape in ways)), rows)


def _projection(study, alone):
    """Messages, bytes and steals by the number of ranks, and what the cost model makes of them for more ranks."""
    counted, rows = {}, []
    for ranks in RANKS:
        lines = [_job(study, "mpi", ranks, 1, "uts", TREE) for _ in range(3)]
        counted[ranks] = {k: statistics.median(x[k] for x in lines) / ranks for k in ("messages", "bytes", "steals")}
        rows.append((ranks, *(f"{counted[ranks][k]:,.0f}" for k in ("messages", "bytes", "steals"))))
    print_table(("ranks", "messages of a rank", "bytes of a rank", "steals of a rank"), rows)
    # The number of steals of a rank grows with the logarithm of the ranks: a line through the counts, by least squares.
    xs, ys = [math.log2(r) for r in RANKS], [counted[r]["steals"] for r in RANKS]
    mean_x, mean_y = statistics.mean(xs), statistics.mean(ys)
    slope = max(0.0, sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys)) / sum((x - mean_x) ** 2 for x in xs))
    a_steal = sum(counted[r]["bytes"] for r in RANKS) / sum(counted[r]["steals"] for r in RANKS)
    serial = statistics.median(x["seconds"] for x in alone)
    rows = []
    for ranks in PROJECTED:
        steals = max(0.0, mean_y + slope * (math.log2(ranks) - mean_x))
        loss = steals * (LOOK_S + 2 * LATENCY_S + a_steal / BYTES_PER_S) + 4 * math.log2(ranks) * LATENCY_S
        cells = []
        for tree in ("t1l", "t1xxl"):
            work = serial * NODES[tree] / NODES["t1l"] / ranks
            cells += [f"{work + loss:.3g}", f"{work / (work + loss):.2f}"]
        rows.append((f"{ranks:,}", f"{steals:,.0f}", *cells))
    print(f"\nProjected, not measured: time = work / ranks + steals × ({LOOK_S * 1e3:g} ms until the victim looks + 2 × {LATENCY_S * 1e6:g} µs + bytes / {BYTES_PER_S / 1e9:g} GB/s) "
          f"+ 4 × log2(ranks) × {LATENCY_S * 1e6:g} µs; steals of a rank from a line through those of {RANKS} ranks over log2(ranks).")
    print_table(("ranks (projected)", "steals of a rank", "T1L, seconds", "efficiency", "T1XXL, seconds", "efficiency"), rows)
