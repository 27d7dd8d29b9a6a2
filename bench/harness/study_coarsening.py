"""The study of dynamic coarsening: programs of phases that begin with their smallest blocks and keep the large steals of their
schedules, beside plain stealing over blocks of each size (constrained stealing, §VI)."""

import statistics

import catalogue
import rounds
from served import Served
from study import print_table, spread

# The smallest block of each program, as its problem.hpp has it, in the units of --block. (A block of mg is a plane always.)
SMALLEST = {"heat": 4, "fdtd-2d": 2, "floyd-warshall": 1, "cg": 16, "scan": 1 << 12}
TIMES = [1, 2, 4, 8, 16, 32, 64, 128]
RUNS, QUICK_RUNS = 9, 1
TIMEOUT_SECONDS = 300


def run(study, quick):
    """Measures, on two workers, and prints a row for each program."""
    rows = []
    for name, smallest in SMALLEST.items():
        processes = _processes(study, catalogue.PROGRAMS[name], smallest, TIMES[:2] if quick else TIMES, quick)
        rounds.take_turns(processes, QUICK_RUNS if quick else RUNS)
        for process in processes:
            study.check(not process.failure and process.report["verified"], f"the answer is right: {name}, {process.variant}")
        study.append([process.report for process in processes])
        rows.append(_row(name, smallest, *processes))
    print_table(("program", "smallest block", "coarsened, ms", "over the smallest", "best block", "over the best", "over the worst"),
                rows)


def _processes(study, program, smallest, times, quick):
    """The coarsened variant, then plain stealing over blocks of each size."""
    command = [str(study.program_path(program.executable)), "--serve", *catalogue.arguments(program, "quick" if quick else "")]

    def served(variant, *more):
        return Served(program.name, variant, 2, [*command, "--variant", variant, "--workers", "2", *more], TIMEOUT_SECONDS)

    return [served("coarsened")] + [served("managed", "--block", str(factor * smallest)) for factor in times]


def _row(name, smallest, coarsened, *static):
    by_time = sorted(static, key=lambda process: statistics.median(process.seconds))
    best = TIMES[static.index(by_time[0])] * smallest
    ratios = [_over(coarsened, other) for other in (static[0], by_time[0], by_time[-1])]
    return (name, smallest, spread(coarsened.seconds, 1, 1e3), ratios[0], best, ratios[1], ratios[2])


def _over(mine, other):
    return spread([a / b for a, b in zip(mine.seconds, other.seconds)], 2)
