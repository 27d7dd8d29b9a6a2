#!/usr/bin/env python3
"""The figures in the README and in docs/features.md, made from the raw results in bench/results.

The pages have blocks between `<!-- figures: NAME -->` and `<!-- end of figures -->`. `python3 bench/harness/figures.py` writes
each of them and the chart anew; lint (rule `figures`) fails if one differs from what the newest results give.
"""

import json
import math
import re
import statistics
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BLOCK = re.compile(r"(<!-- figures: (\w+) -->\n)(.*?)(<!-- end of figures -->)", re.DOTALL)
MISSING = "not measured"

FORKS = [
    ("fib", "fib({n}), nothing but forks", ["coro"]),
    ("nqueens", "n-queens, {n}", ["coro"]),
    ("uts-t1", "unbalanced tree search, T1", ["coro_alloc", "coro"]),
    ("uts-t3", "unbalanced tree search, T3", ["coro_alloc", "coro"]),
    ("skynet", "skynet, {leaves} leaves", ["coro"]),
    ("integrate", "adaptive integration", ["coro"]),
]
LOOPS = ["bfs", "bignum-add", "delaunay", "grep", "line-fit", "mandelbrot", "map-heavy", "map-light", "merge-sort",
         "nearest-nbrs", "nqueens", "primes", "sparse-mxv", "suffix-array", "triangle-count", "word-count"]


RIVALS = [("managed", "tine, no grain", "#0b5cad"), ("tbb", "oneTBB", "#c2410c"), ("openmp", "OpenMP", "#6b7280")]
CHART = "docs/images/loops-rivals.svg"
PAGES = ("README.md", "docs/features.md")


class Results:
    """The rows of the newest run of one suite: the last line of each program, variant and number of workers. A run is one file,
    whose name has its date and its suite, like the names that `./dev bench --json` chooses."""

    def __init__(self, root, suite):
        self.rows = {}
        files = sorted((root / "bench" / "results").glob(f"????-??-??-{suite}.jsonl"))
        for line in files[-1].read_text().splitlines() if files else []:
            row = json.loads(line)
            if row["verified"]:
                self.rows[row["program"], row["variant"], row["workers"]] = row

    def row(self, program, variants, workers):
        """Returns the row of the first of these variants that was measured; None if none was."""
        rows = (self.rows.get((program, variant, workers)) for variant in variants)
        return next((row for row in rows if row), None)

    def ratio(self, program, variants, workers):
        """Returns the median, least and greatest ratio of the time to serial; None if it was not measured."""
        row = self.row(program, variants, workers)
        return row.get("over_serial") if row else None


def forks(root):
    """Returns the table of forks, with a row for each program."""
    results = Results(root, "base")
    lines = ["| | one worker | two workers | coroutines, one worker | two workers |", "|---|---|---|---|---|"]
    for program, title, coroutines in FORKS:
        serial = results.row(program, ["serial"], 1)
        name = title.format(**{key: f"{value:,}" for key, value in serial["params"].items() if isinstance(value, int)}) if serial else program
        cells = [cell(results.ratio(program, variants, workers)) for variants in (["managed"], coroutines) for workers in (1, 2)]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def loops(root):
    """Returns the geometric means over the programs of parallel loops, as a sentence."""
    results = Results(root, "parallel-ml")

    def mean(variant, workers):
        ratios = [results.ratio(program, [variant], workers) for program in LOOPS]
        return MISSING if None in ratios else f"{math.exp(statistics.fmean(math.log(ratio['median']) for ratio in ratios)):.2f}"

    return (f"{len(LOOPS)} programs of parallel loops take {mean('managed', 1)} and {mean('managed', 2)} of serial code in the geometric mean,\n"
            f"without a grain; with grains chosen by hand over eager forks, {mean('tuned', 1)} and {mean('tuned', 2)} "
            "([loops](docs/measurements/performance.md#loops)).\n")


def limits(root):
    """Returns the cost of a program that does nothing but fork, as an item of a list of limitations."""
    results = Results(root, "base")
    combine, pair = (results.ratio("fib", [variant], 1) for variant in ("managed", "managed_pair"))
    times = [f"{ratio['median']:.1f}" if ratio else MISSING for ratio in (combine, pair)]
    return (f"- A program that does nothing but fork takes {times[0]} times as long as the same recursion without forks (fib with the combining\n"
            f"  form; {times[1]} with the form that returns both results). Real leaves hide that.\n")


def chart(root):
    """Returns the README's chart as SVG: a row for each program of loops, and a dot for each library on two workers."""
    results = Results(root, "parallel-ml")
    left, width, row, top, greatest = 130, 560, 22, 64, 1.4
    height = top + row * len(LOOPS) + 40

    def across(ratio):
        return left + width * ratio / greatest

    def label(x, y, text, anchor="start", colour="#374151"):
        return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{text}</text>'

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {height}" font-family="sans-serif" font-size="13">',
             f'<rect width="720" height="{height}" fill="#ffffff"/>']
    for i, (_, name, colour) in enumerate(RIVALS):
        parts += [f'<circle cx="{left + 6 + 150 * i}" cy="20" r="5" fill="{colour}"/>', label(left + 18 + 150 * i, 24.5, name)]
    for tenth in range(0, int(10 * greatest) + 1, 2):
        x = across(tenth / 10)
        parts += [f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top - 12}" y2="{height - 36}" stroke="#e5e7eb"/>',
                  label(x, top - 18, f"{tenth / 10:.1f}", "middle")]
    for i, program in enumerate(LOOPS):
        y = top + row * i + row / 2 - 8
        parts.append(label(left - 10, y + 4.5, program, "end"))
        for variant, _, colour in reversed(RIVALS):
            ratio = results.ratio(program, [variant], 2)
            if ratio is None or ratio["median"] > greatest:
                raise ValueError(f"the chart of loops has no place for {variant} in {program}")
            parts.append(f'<circle cx="{across(ratio["median"]):.1f}" cy="{y:.1f}" r="5" fill="{colour}" fill-opacity="0.85"/>')
    parts += [label(left, height - 12, "time on two workers / time of serial code; less is better, 0.5 is perfect"), "</svg>"]
    return "\n".join(parts) + "\n"


def cell(ratio):
    return "{median:.2f} [{min:.2f}..{max:.2f}]".format(**ratio) if ratio else MISSING


BLOCKS = {"forks": forks, "loops": loops, "limits": limits}


def written(text, root):
    """Returns the text with all its blocks written anew from the results below `root`. Raises ValueError for a block's name without
    a function."""
    def one(match):
        if match[2] not in BLOCKS:
            raise ValueError(f"no figures are called '{match[2]}'; there are {', '.join(BLOCKS)}")
        return match[1] + BLOCKS[match[2]](root) + match[4]

    return BLOCK.sub(one, text)


def main():
    for page in PAGES:
        before = (ROOT / page).read_text()
        after = written(before, ROOT)
        (ROOT / page).write_text(after)
        print(f"{page}: {'written anew' if after != before else 'unchanged'}")
    (ROOT / CHART).write_text(chart(ROOT))


if __name__ == "__main__":
    sys.exit(main())
