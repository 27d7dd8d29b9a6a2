#!/usr/bin/env python3
"""Benchmarks run with TINE_PROFILE, as a user's CI would, and `tine check` on what they write. The limits are generous: they
fail if forks or most of a program's work are lost, and not if a machine is busy."""

import json
import os
import pathlib
import subprocess
import sys

from driver import Driver

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "bench/harness"))

import catalogue  # noqa: E402

# Program, variant, and the least parallelism, a small part of that of the sizes. Making inputs and checking answers is
# serial.
LIMITS = [("nqueens", "managed", 5), ("uts-t1", "managed", 5), ("uts-t1", "coro", 5), ("merge-sort", "managed", 5), ("primes", "managed", 3)]
# Its forks do so little work that the profile's own cost prevents a verdict.
DEAR = ("fib", "managed")
# The cost of the profile for a fork and a loop, in nanoseconds, in place of the machine's: whether a cost prevents a
# verdict must not depend on the speed of the machine.
LOW, HIGH = 5, 1000


def measured(d: Driver, name: str, variant: str, cost: int) -> pathlib.Path:
    program = catalogue.PROGRAMS[name]
    file = d.at / f"{name}-{variant}.profile"
    command = [d.folder / "bench" / program.executable, *catalogue.arguments(program, "quick"), "--variant", variant,
               "--workers", "2", "--repeat", "3", "--json"]
    calibration = d.at / "calibration"
    calibration.write_text(f"profiled_fork_cost.work = {cost}\nprofiled_loop_cost.work = {cost}\n")
    run = subprocess.run(command, env={**os.environ, "TINE_PROFILE": f"work,span:{file}", "TINE_CALIBRATION": str(calibration)},
                         capture_output=True, text=True, timeout=120)
    d.expect(run, 0)
    d.check(json.loads(run.stdout)["verified"] is True, f"{name}: the right answer", run.stdout)
    return file


if __name__ == "__main__":
    driver = Driver()
    for name, variant, parallelism in LIMITS:
        file = measured(driver, name, variant, LOW)
        driver.expect(driver.tine("check", file, "--min-parallelism", parallelism, "--max-serial-share", "95%"), 0, "good")
        driver.expect(driver.tine("check", file, "--min-parallelism", "1e9"), 1, "parallelism is")
    driver.expect(driver.tine("check", measured(driver, *DEAR, HIGH), "--min-parallelism", "5"), 3, "cannot judge")
    driver.end()
