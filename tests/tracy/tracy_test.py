#!/usr/bin/env python3
"""Runs examples/tracy.cpp with a stand-in for Tracy that checks Tracy's rules, on several numbers of workers.

usage: tracy_test.py PROGRAM"""

import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from checks import check, end  # noqa: E402


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


for workers in (1, 2, 4, 8):
    for _ in range(5):
        run = subprocess.run([sys.argv[1]], env={**os.environ, "TINE_NUM_THREADS": str(workers)}, stdout=subprocess.PIPE, text=True, timeout=60)
        counts = {kind: int(n) for kind, n in re.findall(r"^([a-z ]+): (\d+)$", run.stdout, re.M)}
        forks = fib(13) - 1  # a call with n >= 2 forks; the calls that do not are fib(n + 1)
        check(f"{workers} workers: Tracy's rules", run.returncode == 0 and "broken" not in run.stdout and "left open" not in run.stdout, run.stdout)
        check(f"{workers} workers: a zone for each fork", counts.get("fork") == forks, run.stdout)
        check(f"{workers} workers: zones of branches", counts.get("first branch", 0) >= forks and counts.get("second branch", 0) >= forks, run.stdout)
        check(f"{workers} workers: the root and the loop", counts.get("root", 0) >= 1 and counts.get("subrange", 0) >= 1, run.stdout)
        check(f"{workers} workers: timelines are used again", 1 <= counts.get("timelines", 0) <= forks, run.stdout)
end()
