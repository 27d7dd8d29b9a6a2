#!/usr/bin/env python3
"""The figures in the README and on two pages of docs, made from the raw results in bench/results.

The pages have blocks between `<!-- figures: NAME -->` and `<!-- end of figures -->`. `python3 bench/harness/figures.py` writes each of them
and the chart anew; lint (rule `figures`) fails if one differs from what the newest row of each program and variant gives.
"""

import json
import math
import re
import statistics
import sys
from pathlib import Path

import catalogue

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
# Program, variant, and the greatest ratios on one worker and on two that are aimed at.
AIMS = [("fib", "managed", "1.9", "1.0"), ("fib", "managed_pair", "2.3", "1.2"), ("fib", "coro", "7.6", "3.8"),
        ("uts-t1", "serial_stored"), ("uts-t1", "managed", "1.04", "0.53"), ("uts-t1", "coro"), ("uts-t1", "coro_alloc", "1.00", "0.51"),
        ("uts-t3", "serial_stored"), ("uts-t3", "managed", "1.05", "0.54"), ("uts-t3", "coro"), ("uts-t3", "coro_alloc", "1.02", "0.52"),
        ("skynet", "managed", "1.4", "0.72"), ("skynet", "coro", "4.3", "2.0"), ("matmul", "managed", "1.02", "0.52"),
        ("matmul", "coro", "1.02", "0.52"), ("nqueens", "managed", "1.03", "0.52"), ("nqueens", "coro", "1.10", "0.55"),
        ("integrate", "managed", "1.06", "0.54"), ("integrate", "coro", "1.9", "0.97")]

PAGES = ("README.md", "docs/features.md", "docs/measurements/performance.md")
RIVALS = [("managed", "tine, no grain", "#0b5cad"), ("tbb", "oneTBB", "#c2410c"), ("openmp", "OpenMP", "#6b7280")]
CHART = "docs/images/loops-rivals.svg"


class Results:
    """The newest row of each program, variant and number of workers, over all files of results: a file's name begins with its date, and
    rows are appended. Rows of wrong answers and of other sizes than the usual ones do not count."""

    def __init__(self, root):
        self.rows = {}
        for file in sorted((root / "bench" / "results").glob("????-??-??-*.jsonl")):
            for line in file.read_text().splitlines():
                row = json.loads(line)
                if "over_serial" in row and row["verified"] and "sizes" not in row:
                    self.rows[row["program"], row["variant"], row["workers"]] = {**row, "date": file.name[:10], "run": file.name}

    def first_measured(self, program, variants):
        """Returns the first of these variants that was measured; the last one if none was."""
        return next((variant for variant in variants if (program, variant, 1) in self.rows), variants[-1])

    def ratio(self, program, variant, workers):
        """Returns the median, least and greatest ratio of the time to serial; None if it was not measured."""
        return self.rows.get((program, variant, workers), {}).get("over_serial")

    def medians(self, program, variant, digits=2):
        """Returns the medians on one worker and on two, as text; empty if they were not measured."""
        ratios = [self.ratio(program, variant, workers) for workers in (1, 2)]
        return "" if None in ratios else joined((ratio["median"] for ratio in ratios), digits)

    def over(self, program, variant, other):
        """Returns the median ratios of two variants' times in one round, on one worker and on two; None unless one run measured both."""
        pairs = [[self.rows.get((program, name, workers)) for name in (variant, other)] for workers in (1, 2)]
        if not all(mine and theirs and mine["run"] == theirs["run"] for mine, theirs in pairs):
            return None
        return [statistics.median(a / b for a, b in zip(mine["seconds"], theirs["seconds"])) for mine, theirs in pairs]

    def means(self, programs, variant, digits):
        """Returns the geometric means of the medians on one worker and on two, as text."""
        ratios = [[self.ratio(program, variant, workers) for workers in (1, 2)] for program in programs]
        if any(None in pair for pair in ratios):
            return MISSING
        return joined(map(geometric_mean, zip(*([ratio["median"] for ratio in pair] for pair in ratios))), digits)

    def source(self, programs, variants, rounds=False):
        """Returns the dates and commits of these programs' rows and, if wanted, how many rounds they have."""
        counts = {}
        for (program, variant, _), row in self.rows.items():
            if program in programs and variant in variants:
                counts.setdefault(f"{row['date']}, {row['commit']}", set()).add(len(row["seconds"]))
        return "; ".join(run + (f", {'–'.join(map(str, sorted({min(many), max(many)})))} rounds" if rounds else "") for run, many in sorted(counts.items()))


def forks(root):
    """Returns the table of forks, with a row for each program."""
    results = Results(root)
    lines = ["| | one worker | two workers | coroutines | one worker | two workers | measured |", "|---|---|---|---|---|---|---|"]
    for program, title, variants in FORKS:
        serial = results.rows.get((program, "serial", 1))
        name = title.format(**{key: f"{value:,}" for key, value in serial["params"].items() if isinstance(value, int)}) if serial else program
        coroutine = results.first_measured(program, variants)
        ours, theirs = ([cell(results.ratio(program, variant, workers)) for workers in (1, 2)] for variant in ("managed", coroutine))
        lines.append(f"| {' | '.join([name, *ours, f'`{coroutine}`', *theirs, results.source([program], ['managed', coroutine])])} |")
    return "\n".join(lines) + "\n"


def loops(root):
    """Returns the geometric means over the programs of parallel loops, as a sentence."""
    results = Results(root)
    managed, tuned = (results.means(LOOPS, variant, 2).replace(",", " and") for variant in ("managed", "tuned"))
    return (f"{len(LOOPS)} programs of parallel loops take {managed} of serial code in the geometric mean,\n"
            f"without a grain; with grains chosen by hand over eager forks, {tuned} ([loops](docs/measurements/performance.md#loops)).\n"
            f"Measured: {results.source(LOOPS, ['managed', 'tuned'])}.\n")


def limits(root):
    """Returns the cost of a program that does nothing but fork, as an item of a list of limitations."""
    results = Results(root)
    combine, pair = (results.ratio("fib", variant, 1) for variant in ("managed", "managed_pair"))
    times = [f"{ratio['median']:.1f}" if ratio else MISSING for ratio in (combine, pair)]
    return (f"- A program that does nothing but fork takes {times[0]} times as long as the same recursion without forks (fib with the combining\n"
            f"  form; {times[1]} with the form that returns both results). Real leaves hide that.\n")


def over_serial(root):
    """Returns the table of forks with aims and peak memory."""
    results = Results(root)
    lines = ["| program | variant | P=1 | aim, at most | P=2 | aim, at most | peak MiB, P=2 | measured |", "|---|---|---|---|---|---|---|---|"]
    for program, variant, *aims in AIMS:
        ratios = [results.ratio(program, variant, workers) for workers in (1, 2)]
        cells = [text for ratio, aim in zip(ratios, aims or ["", ""]) for text in (cell(ratio) if ratio else "", aim)]
        peak = results.rows.get((program, variant, 2), {}).get("max_rss_kib")
        lines.append(f"| {' | '.join([program, variant, *cells, f'{peak / 1024:.1f}' if peak else '', results.source([program], [variant], True)])} |")
    return "\n".join(lines) + "\n"


def table(results, programs, variants, titles, spread=(), over=None):
    """Returns the lines of a table of the serial time and of ratios to it, with a row for each program. `over` is a pair of variants whose
    ratio is in the last column but one."""
    lines = [f"| program | serial s | {' | '.join(titles)} | measured |", "|---" * (len(titles) + 3) + "|"]
    for program in programs:
        serial = results.rows.get((program, "serial", 1))
        seconds = f"{serial['median_s']:.3f}" if serial else MISSING
        cells = [", ".join(cell(results.ratio(program, variant, workers)) for workers in (1, 2)) if variant in spread
                 else results.medians(program, variant) for variant in variants]
        if over:
            cells.append(joined(results.over(program, *over) or [], 2))
        lines.append(f"| {' | '.join([program, seconds, *cells, results.source([program], ['serial', *variants], True)])} |")
    return lines


def loop_programs(root):
    results = Results(root)
    variants = ["managed", "heartbeat", "tuned", "dac", "tbb", "openmp"]
    lines = table(results, LOOPS, variants, ["managed", "heartbeat", "tuned", "dac", "oneTBB", "OpenMP", "managed over tuned"], ["managed"],
                  ("managed", "tuned"))
    means = [results.means(LOOPS, variant, 3) if variant != "dac" else "" for variant in variants]  # delaunay has none
    return "\n".join([*lines, f"| geometric mean | | {' | '.join(means)} | {joined(over_tuned(results), 3)} | |"]) + "\n"


def over_tuned(results):
    """Returns the geometric means of the times of `managed` over those of `tuned`; nothing unless each program's were measured in one run."""
    ratios = [results.over(program, "managed", "tuned") for program in LOOPS]
    return [] if None in ratios else list(map(geometric_mean, zip(*ratios)))


def loop_aims(root):
    """Returns the table of the aims for loops without a grain."""
    results = Results(root)
    names = [program for program in LOOPS if results.ratio(program, "managed", 1)]
    worst = max(names, key=lambda program: results.ratio(program, "managed", 1)["median"])
    of_tuned = [f"{mean:.3f}" for mean in over_tuned(results)] or [MISSING] * 2
    of_serial = results.means(LOOPS, "managed", 3).split(", ")
    return ("| `managed`, of the table above | P=1 | aim, at most | P=2 | aim, at most |\n|---|---|---|---|---|\n"
            f"| over serial, geometric mean | {of_serial[0]} | 1.05 | {of_serial[-1]} | 0.56 |\n"
            f"| over serial, worst program | {results.ratio(worst, 'managed', 1)['median']:.2f} ({worst}) | 1.20 | | |\n"
            f"| over tuned, geometric mean | {of_tuned[0]} | 1.00 | {of_tuned[1]} | 1.02 |\n")


def pbbs_programs(root):
    results = Results(root)
    every = sorted(catalogue.SUITES["pbbs"].programs)
    with_std = [name for name in every if "std_par_tine" in catalogue.PROGRAMS[name].variants]
    variants = ["managed", "std_par_tine", "std_par_tbb", "tbb", "openmp"]
    lines = table(results, every, variants, ["managed", "`std::par` on tine", "`std::par` on oneTBB", "oneTBB", "OpenMP"])
    for title, programs, named in ((f"of {len(every)}", every, ["managed", "tbb", "openmp"]),
                                   (f"of the {len(with_std)} with `std::par`", with_std, ["managed", "std_par_tine", "std_par_tbb"])):
        means = [results.means(programs, variant, 3) if variant in named else "" for variant in variants]
        lines.append(f"| geometric mean {title} | | {' | '.join(means)} | |")
    return "\n".join(lines) + "\n"


def chart(root):
    """Returns the README's chart as SVG: a row for each program of loops, and a dot for each library on two workers."""
    results = Results(root)
    left, width, row, top, greatest = 130, 560, 22, 64, 1.4
    height = top + row * len(LOOPS) + 58

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
        parts += [f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top - 12}" y2="{height - 54}" stroke="#e5e7eb"/>',
                  label(x, top - 18, f"{tenth / 10:.1f}", "middle")]
    for i, program in enumerate(LOOPS):
        y = top + row * i + row / 2 - 8
        parts.append(label(left - 10, y + 4.5, program, "end"))
        for variant, _, colour in reversed(RIVALS):
            ratio = results.ratio(program, variant, 2)
            if ratio is None or ratio["median"] > greatest:
                raise ValueError(f"the chart of loops has no place for {variant} in {program}")
            parts.append(f'<circle cx="{across(ratio["median"]):.1f}" cy="{y:.1f}" r="5" fill="{colour}" fill-opacity="0.85"/>')
    parts += [label(left, height - 30, "time on two workers / time of serial code; less is better, 0.5 is perfect"),
              label(left, height - 12, "measured: " + results.source(LOOPS, [variant for variant, _, _ in RIVALS])), "</svg>"]
    return "\n".join(parts) + "\n"


def geometric_mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def joined(values, digits):
    return ", ".join(f"{value:.{digits}f}" for value in values)


def cell(ratio):
    return "{median:.2f} [{min:.2f}..{max:.2f}]".format(**ratio) if ratio else MISSING


BLOCKS = {"forks": forks, "loops": loops, "limits": limits, "over_serial": over_serial, "loop_programs": loop_programs,
          "loop_aims": loop_aims, "pbbs_programs": pbbs_programs}


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
