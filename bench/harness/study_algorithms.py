"""The study of algorithms: tine's, and the standard library's parallel ones on oneTBB and on tine, beside the serial ones."""

import math
import statistics

from study import MEASURED, print_table, spread

SIZES, QUICK_SIZES = (1_000, 100_000, 10_000_000), (1_000, 50_000)
ROUNDS = 7
# library -> numbers of workers
LIBRARIES = {"tine": (1, 2), "par": (2,), "par-tine": (2,)}
COLUMNS = [(library, workers) for library, numbers in LIBRARIES.items() for workers in numbers]


def run(study, quick):
    study.measured = MEASURED | {"n", "check"}
    for n in QUICK_SIZES if quick else SIZES:
        _size(study, n, 1 if quick else ROUNDS)


def _size(study, n, rounds):
    """Measures all cases at one size. The libraries take turns, and a ratio is formed from two runs of one round."""
    times, checks, memory = {}, {}, {}
    for _ in range(rounds):
        for column in [("serial", 1), *COLUMNS]:
            for line in study.run_program(f"studies/algorithms-{column[0]}", "--n", n, "--workers", column[1]):
                case = line["case"]
                times.setdefault(case, {}).setdefault(column, []).append(line["ns"])
                memory.setdefault(case, {})[column] = line["more_kib"]
                study.check(checks.setdefault(case, line["check"]) == line["check"], f"{column[0]} has the same result: {case}, n = {n}")
    rows, all_ratios = [], {column: [] for column in COLUMNS}
    for case, by_column in times.items():
        serial = by_column["serial", 1]
        cells = []
        for column in COLUMNS:
            if column not in by_column:
                cells.append("")
                continue
            ratios = [mine / other for mine, other in zip(by_column[column], serial)]
            all_ratios[column].append(statistics.median(ratios))
            cells.append(spread(ratios, 2))
        rows.append((case, f"{statistics.median(serial):,.0f}", *cells, memory[case].get(("tine", 2), "")))
    means = [f"{math.exp(statistics.fmean(map(math.log, r))):.2f}" for r in all_ratios.values()]
    rows.append(("geometric mean", "", *means, ""))
    print(f"\nn = {n:,}: time over that of the serial algorithm")
    print_table(("algorithm", "serial ns", *(f"{library}, P={workers}" for library, workers in COLUMNS), "tine, more KiB"), rows)
