"""The study of quickhull: measures the memory of its index sequences in the worst schedule, and of the process on two workers."""

import functools
import json
import math
import statistics
import subprocess

from study import MEASURED, ROOT, print_table, spread

SIZES = [100_000, 200_000, 400_000, 800_000, 1_300_000, 2_000_000, 3_200_000, 5_000_000]
QUICK_SIZES = [20_000]
WORKERS = [1, 2, 8]
PLAIN_RUNS = 7
INDEX_BYTES = 4
# The formula with the logarithm omits a term below half an index a point.
NEAR = 0.5
PLOT = ROOT / "docs" / "images" / "study-quickhull.svg"


def formula(n, clear):
    """Returns an estimate of the bytes that the worst schedule holds: n indices on each level, or twelve bytes a point."""
    return 12 * n if clear else INDEX_BYTES * n * math.log2(n)


def worst_peak(n, clear):
    """Returns the exact number of bytes that the worst schedule holds. The region begins with n indices, and a part frees the
    indices that it received or made."""
    return INDEX_BYTES * (n + _above(n, clear))


@functools.cache
def _above(m, clear):
    """Returns the greatest number of indices that a part of m points may hold beyond its own m indices: before its recursive calls,
    in both calls at their worst, or when the results have been copied twice."""
    if m < 2:
        return 0
    below = _above((m - 1) // 2, clear) + _above(m - 1 - (m - 1) // 2, clear)
    kept = 0 if clear else m
    return max(m - 1, kept - 1 + below, kept + 2 * m - 1)


def run(study, quick):
    study.measured = MEASURED | {"n", "space"}
    lines = [_space(study, n, clear) for n in (QUICK_SIZES if quick else SIZES) for clear in (False, True)]
    print_table(
        ("n", "incoming", "S∞ bytes", "formula", "S∞ / formula", "S₁ bytes", "for filtered, copied, flattened"),
        [_space_row(line) for line in lines])
    if quick:
        return
    peaks = [_plain(study, n, clear) for n in SIZES for clear in (False, True)]
    print_table(("n", "incoming", "before the run, MiB", "beyond that, MiB"), [_peak_row(runs) for runs in peaks])
    if study.json_path is not None:
        _draw(lines)


def _draw(lines):
    """Draws the plot by Debian's Python: it has Debian's matplotlib, but need not be the Python that runs this script."""
    command = ["/usr/bin/python3", str(ROOT / "bench/harness/quickhull_plot.py"), str(PLOT)]
    if subprocess.run(command, input=json.dumps(lines), text=True, check=False).returncode != 0:
        raise RuntimeError("the plot could not be drawn; `./dev setup studies` installs what that needs")
    print(f"\nplot: {PLOT.relative_to(ROOT)}")


def _options(n, clear):
    return ["--n", n] + ["--clear"] * clear


def _space(study, n, clear):
    """Returns the run on one worker. Checks that S∞ is equal on other numbers of workers, and equals the computed value."""
    runs = {workers: study.run(*_options(n, clear), "--workers", workers)[0] for workers in WORKERS}
    for workers, line in runs.items():
        space, what = line["space"], f"n = {n}, {_incoming(clear)}, {workers} workers"
        peak, expected = space["worst_peak"], worst_peak(n, clear)
        study.check(peak == expected, f"S∞ is {expected}, got {peak}: {what}")
        study.check(abs(peak - formula(n, clear)) <= (1 if clear else NEAR * n) * INDEX_BYTES, f"S∞ is as the formula: {what}")
        study.check(space["held"] == 0, f"nothing is left, got {space['held']}: {what}")
        study.check(space == runs[1]["space"], f"all figures are as on one worker: {what}")
    return runs[1]


def _plain(study, n, clear):
    return [study.run(*_options(n, clear), "--workers", 2, "--plain")[0] for _ in range(PLAIN_RUNS)]


def _incoming(clear):
    return "cleared" if clear else "kept"


def _space_row(line):
    n, clear, space = line["n"], line["clear"], line["space"]
    parts = ", ".join(f"{100 * part / space['worst_peak']:.0f} %" for part in
                      (space["worst_by_purpose"][name] for name in ("filtered", "copied", "flattened")))
    ratio = space["worst_peak"] / formula(n, clear)
    return (f"{n:,}", _incoming(clear), f"{space['worst_peak']:,}", f"{formula(n, clear):,.0f}", f"{ratio:.4f}",
            f"{space['serial_peak']:,}", parts)


def _peak_row(runs):
    base = statistics.median(line["base_rss_kib"] for line in runs) / 1024
    beyond = [(line["max_rss_kib"] - line["base_rss_kib"]) / 1024 for line in runs]
    return f"{runs[0]['n']:,}", _incoming(runs[0]["clear"]), f"{base:.1f}", spread(beyond, 1)
