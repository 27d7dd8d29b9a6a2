#!/usr/bin/env python3
"""`tine perturb` finds the error in each of fifteen programs, and the order that it keeps fails again.

Options: --full (as the manual promises: 100 replays of each order, and any of 1,000 seeds), --seed N, --programs N,N,…"""

import os
import re
import subprocess
import sys

from driver import Driver, option

HANGS = (13, 14)  # these programs do not fail, but hang


def runs_well(app, n: int) -> bool:
    try:
        return subprocess.run([app, str(n)], capture_output=True, timeout=5).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def finds_all(d: Driver, seed: int, replays: int, programs: list[int]) -> None:
    app = d.programs / "order_bugs"
    runs = 20 if seed == 1 else 1000  # a seed is a run, and of the first ones the tenth finds the last error
    for n in programs:
        d.check(any(runs_well(app, n) for _ in range(10)), f"program {n} runs well by itself, if not always")
        times = max(1, replays // 10) if n in HANGS and replays < 100 else replays
        run = d.tine("perturb", "--runs", runs, "--seed", seed, "--timeout", "300ms" if n in HANGS else "10s",
                     "--replays", times, "-o", f"{n}.journal", "--", app, n, timeout=600)
        how = "ran for longer than 300ms" if n in HANGS else "ended with exit code 1"
        d.expect(run, 1, f"the program {how}", " runs/s", f"TINE_REPLAY={n}.journal,serial {app} {n}")
        again = re.search(r"(\d+) of (\d+) serial replays fail, too", run.stderr)
        d.check(again and int(again[1]) >= 0.95 * int(again[2]), f"program {n}: the replays fail, too", run.stderr)
        found = re.search(r"run (\d+) of ", run.stderr)
        print(f"program {n}: run {found and found[1]}, {again and again[0]}, {re.search('.* runs/s|$', run.stderr)[0]}")
        d.check(not (d.at / f"{n}.journal.running").exists(), "nothing else is left")


def says_what_happened(d: Driver) -> None:
    good = d.programs / "journal_app"
    d.expect(d.tine("perturb", "--runs", 3, "--", good, "tree", 1), 0, "3 runs from seed 1 on: none failed")
    d.check(not (d.at / "failed.journal").exists(), "nothing is kept")
    d.expect(d.tine("perturb", "--", "true"), 2, "true ended with exit code 0 and wrote no journal")
    d.expect(d.tine("perturb", "--", "/nowhere/app"), 2, "cannot run /nowhere/app")
    d.expect(d.tine("perturb", "--timeout", "soon", "--", "true"), 2, "--timeout: 'soon' is not a time")
    d.expect(d.tine("perturb"), 2, "COMMAND")
    perturbed_only = ["sh", "-c", f"{good} tree 1 && test -z \"$TINE_PERTURB\""]  # the order is not the cause
    run = d.tine("perturb", "--runs", 2, "--replays", 2, "--", *perturbed_only)
    d.expect(run, 3, "seed 1: the program ended with exit code 1", "not reproduced: none of 2 serial replays fails",
             "2 runs from seed 1 on: 2 failed, and no failure was reproduced")
    d.check(not (d.at / "failed.journal").exists(), "an order that is not the cause is not kept")
    run = d.tine("perturb", "--replays", 2, "--", good, "abort")
    d.expect(run, 1, "without perturbation, too, the program was killed by signal 6", "2 of 2 serial replays fail, too")
    d.expect(d.tine("schedule", "show", "failed.journal"), 0, "perturbed by seed 1", "has not ended")


FULL = "--full" in sys.argv
SEED = int(option("--seed", str(int.from_bytes(os.urandom(4), "little")) if FULL else "1"))
print(f"--seed {SEED}")
PROGRAMS = [int(n) for n in option("--programs", ",".join(map(str, range(15)))).split(",")]
Driver.run(lambda d: finds_all(d, SEED, 100 if FULL else 5, PROGRAMS), says_what_happened)
