"""The study of schedules: measures the cost of recording and of each mode, and how replays adapt to another size, to other numbers
of workers and to a slow worker (the experiments of the constrained stealing paper's Figure 2)."""

from study import print_table, spread

RUNS, QUICK_RUNS = 9, 2
SIZE = ["--n", 40, "--kernel", 26]
QUICK_SIZE = ["--n", 24, "--kernel", 12]


def run(study, quick):
    size = QUICK_SIZE if quick else SIZE
    rows = []
    for name, options in _experiments(size[1]):
        lines = study.run(*size, *options, "--repeat", QUICK_RUNS if quick else RUNS)
        _check(study, name, lines)
        rows += [_row(name, line, lines[0]) for line in lines]
    print_table(("schedule", "way", "ms", "over plain", "steals", "matched", "voided", "diverged", "kernels on other workers, %"), rows)


def _experiments(n):
    """Returns names and options. The smaller problem is six numbers below, as in the paper, and the slow worker is eight times
    slower."""
    return [
        ("the same", ["--template-n", n]),
        ("of a smaller problem", ["--template-n", n - 6]),
        ("of 2 workers, on 8", ["--template-n", n, "--workers", 8, "--template-workers", 2]),
        ("of 8 workers, on 2", ["--template-n", n, "--workers", 2, "--template-workers", 8]),
        ("one worker is slow", ["--template-n", n, "--slowness", 8]),
    ]


def _check(study, name, lines):
    """Checks the properties that do not depend on time. A strict replay of the same work on as many workers follows the whole
    schedule, even if workers are slow."""
    for line in lines:
        study.check(line["kernels"] > 1, f"there are forks: {name}, {line['way']}")
        is_same = line["template_n"] == line["n"] and line["template_workers"] == line["workers"]
        if is_same and line["way"].startswith("strict"):
            study.check(not any(line["diverged"]) and not any(line["voided"]), f"nothing diverged and nothing was void: {name}")
            study.check(line["kernels_elsewhere"] == line["template_kernels_elsewhere"], f"each kernel on its worker: {name}")


def _row(name, line, plain):
    ratios = [mine / other for mine, other in zip(line["seconds"], plain["seconds"])]
    away = [100 * elsewhere / line["kernels"] for elsewhere in line["kernels_elsewhere"]]
    counters = [spread(line[what], 0) if line[what] else "" for what in ("steals", "matched", "voided", "diverged")]
    return (name, line["way"], spread(line["seconds"], 1, 1e3), spread(ratios, 3), *counters, spread(away, 0))
