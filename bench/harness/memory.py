"""Peak memory over the number of workers, and the power of P that fits it."""

import json
import math
import statistics
import subprocess
import sys
from dataclasses import dataclass

import catalogue

WORKERS = [1, 2, 4, 8]
REPEAT = 5
RUNS = 5  # of each process, including the unmeasured run: in a single run not every worker gets to steal
# Smaller sizes for the programs whose usual size would only take longer, and hardly run deeper.
SIZES = {"fib": ("--n", "33"), "nqueens": ("--n", "11"), "integrate": ("--n", "700"), "skynet": ("--leaves", "10000000")}
LARGEST_POWER = 4.0  # fits are searched between minus this and this
LARGEST_ERROR = 0.5  # the greatest standard error of a power that is worth printing


@dataclass
class Fit:
    """peak = a + b * M1 * P^n (libfork, eq. 17), where `bm1` is b * M1 and `error` is the standard error of n."""

    a: float
    bm1: float
    n: float
    error: float


def sweep(plan):
    """Measures and prints one row for each program and variant; returns the exit status."""
    print(f"| program | variant | M1 KiB | {' | '.join(f'P={p}' for p in plan.workers)} | a MiB | b | n |")
    print("|---" * (6 + len(plan.workers)) + "|")
    failed = False
    for program in plan.programs:
        for variant in program.variants:
            if variant not in plan.variants or variant == "serial":
                continue
            try:
                peaks, m1 = _measure(program, variant, plan)
            except RuntimeError as error:
                print(f"bench: {program.name}, {variant}: {error}", file=sys.stderr)
                failed = True
                continue
            _print_row(program.name, variant, peaks, m1)
    return 1 if failed else 0


def _measure(program, variant, plan):
    """Returns the peaks in KiB by number of workers, one for each repeat; and M1, the memory that a run on one worker needs
    beyond the peak of its process with the inputs made and before the workers started."""
    peaks = {workers: [] for workers in plan.workers}
    needed = []
    for _ in range(plan.repeat):
        for workers in plan.workers:
            told = _run(program, variant, workers, plan)
            peaks[workers].append(told["max_rss_kib"])
            if workers == 1:
                needed.append(told["max_rss_kib"] - told["base_rss_kib"])
    return peaks, statistics.median(needed) if needed else None


def _run(program, variant, workers, plan):
    sizes = catalogue.arguments(program, plan.sizes) + list(() if plan.sizes else SIZES.get(program.name, ()))
    command = [str(plan.build_dir / "bench" / program.executable), *sizes, "--variant", variant,
               "--workers", str(workers), "--repeat", str(RUNS - 1), "--json"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=plan.timeout, check=False)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"no answer within {plan.timeout:g} s") from None
    if done.returncode != 0:
        raise RuntimeError(f"ended with status {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def _print_row(program, variant, peaks, m1):
    medians = " | ".join(f"{statistics.median(kib) / 1024:.2f}" for kib in peaks.values())
    fitted = fit([(workers, kib) for workers, all_kib in peaks.items() for kib in all_kib])
    if fitted is None or fitted.error > LARGEST_ERROR:
        growth = max(map(max, peaks.values())) - min(map(min, peaks.values()))
        tail = f"- | - | constant: growth below {growth / 1024:.2f} MiB"
    else:
        b = f"{fitted.bm1 / m1:.2f}" if m1 else "-"
        tail = f"{fitted.a / 1024:.2f} | {b} | {fitted.n:.2f} ± {fitted.error:.2f}"
    print(f"| {program} | {variant} | {'-' if m1 is None else f'{m1:.0f}'} | {medians} | {tail} |", flush=True)


def fit(points):
    """Returns the least squares fit to pairs (workers, KiB); None if they determine no power between the limits."""
    if len(points) < 4 or len({p for p, _ in points}) < 3:
        return None
    steps = 800
    powers = [LARGEST_POWER * (2 * i / steps - 1) for i in range(1, steps)]
    best = min((n for n in powers if abs(n) > 1e-3), key=lambda n: _line(points, n)[2])
    width = 2 * LARGEST_POWER / steps
    if LARGEST_POWER - abs(best) < 2 * width:
        return None
    n = min((best + width * i / steps for i in range(-steps, steps + 1)), key=lambda n: _line(points, n)[2])
    a, c, squares = _line(points, n)
    error = _error_of_power(points, c, n, squares)
    return None if error is None else Fit(a, c, n, error)


def _line(points, n):
    """Returns a, c and the sum of squares of y = a + c * P^n with this n, by linear least squares."""
    c, a = statistics.linear_regression([p**n for p, _ in points], [y for _, y in points])
    return a, c, sum((y - a - c * p**n) ** 2 for p, y in points)


def _error_of_power(points, c, n, squares):
    """Returns the square root of n's entry in the covariance matrix s² (JᵀJ)⁻¹; None if the matrix is singular."""
    rows = [(1.0, p**n, c * p**n * math.log(p)) for p, _ in points]
    m = [[sum(row[i] * row[j] for row in rows) for j in range(3)] for i in range(3)]
    minor = m[0][0] * m[1][1] - m[0][1] * m[1][0]
    determinant = (m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
                   + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]))
    if determinant <= 1e-12 * m[0][0] * m[1][1] * m[2][2]:
        return None
    return math.sqrt(squares / (len(points) - 3) * minor / determinant)
