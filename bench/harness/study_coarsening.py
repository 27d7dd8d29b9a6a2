"""The study of dynamic coarsening: compares programs of phases that begin with their smallest blocks and keep the large steals of
their schedules with plain stealing over blocks of each size (constrained stealing, §VI)."""

import statistics

import catalogue
import rounds
from served import Served
from study import print_table, spread

# The smallest block of each program, as in its problem.hpp, in the units of --block.
SMALLEST = {"heat": 4, "floyd-warshall": 1, "cg": 16, "scan": 1 << 12}
QUICK = ["heat", "scan"]  # one whose phases are forked in halves, and one whose phases are loops
TIMES = [1, 2, 4, 8, 16, 32, 64, 128]
RUNS, QUICK_RUNS = 25, 2
TIMEOUT_SECONDS = 300


def run(study, quick):
    """Measures the programs on two workers, and prints a row for each."""
    rows = []
    for name, smallest in SMALLEST.items():
        if quick and name not in QUICK:
            continue
        processes = _processes(study, catalogue.PROGRAMS[name], smallest, TIMES[:2] if quick else TIMES, quick)
        rounds.take_turns(processes, QUICK_RUNS if quick else RUNS)
        for process in processes:
            study.check(not process.failure and process.report["verified"], f"the answer is right: {name}, {process.variant}")
        study.append([process.report for process in processes])
        rows.append(_row(name, smallest, *processes))
    print_table(("program", "smallest block", "coarsened, ms", "over the smallest", "best block", "over the best", "over the worst"),
                rows)


def _processes(study, program, smallest, times, quick):
    """Returns the processes of the coarsened variant, then of plain stealing over blocks of each size."""
    command = [str(study.program_path(program.executable)), "--serve", *catalogue.arguments(program, "quick" if quick else "")]

    def served(variant, *more):
        return Served(program.name, variant, 2, [*command, "--variant", variant, "--workers", "2", *more], TIMEOUT_SECONDS)

    return [served("coarsened")] + [served("managed", "--block", str(factor * smallest)) for factor in times]


def _row(name, smallest, coarsened, *static):
    rounds_ = range(len(coarsened.seconds))
    best, worst = _extremes(static, rounds_)
    ratios = [_over(coarsened, [other] * len(rounds_)) for other in (static[0], worst)]
    over_best = _over(coarsened, _best_by_other_rounds(static, rounds_))
    return (name, smallest, spread(coarsened.seconds, 1, 1e3), ratios[0], TIMES[static.index(best)] * smallest, over_best, ratios[1])


def _extremes(static, of_rounds):
    """Returns the fastest and the slowest process in these rounds."""
    by_time = sorted(static, key=lambda process: statistics.median(process.seconds[i] for i in of_rounds))
    return by_time[0], by_time[-1]


def _best_by_other_rounds(static, rounds_):
    """Returns for each round the process whose block is best in the rounds of the other parity. (If the same rounds selected the
    best of eight blocks and judged it, it would also be the luckiest of eight.)"""
    best = [_extremes(static, [i for i in rounds_ if i % 2 != parity])[0] for parity in (0, 1)]
    return [best[i % 2] for i in rounds_]


def _over(mine, others):
    """Returns the ratios pair by pair, with the given other process in each round."""
    return spread([seconds / other.seconds[i] for i, (seconds, other) in enumerate(zip(mine.seconds, others))], 2)
