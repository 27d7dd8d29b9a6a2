"""The study of releasing shared trees: measures forks and work per fork with both cut-offs, and their effect on time."""

from study import print_table, spread

BITS, QUICK_BITS = 17, 13
RUNS = 7


def run(study, quick):
    _grain(study, QUICK_BITS if quick else BITS)
    if not quick:
        _times(study)


def _grain(study, bits):
    """Measures forks and work on one worker. There the number of forks is the same in every run; on several workers it depends on
    the order in which holders release nodes at the same time."""
    observed = study.run("--bits", bits, "--watch")
    print_table(("cut-off", "forks", "work ms", "work per fork"),
                [(w["cut_off"], f"{w['forks']:,}", f"{w['work_ns'] / 1e6:.1f}", _duration(w["work_per_fork_ns"])) for w in observed])
    by_size, by_holders = observed
    study.check(by_holders["forks"] * 20 <= by_size["forks"],
                f"far fewer forks by holders: {by_holders['forks']} of {by_size['forks']}")


def _times(study):
    rows = []
    for policy in ([], ["--eager"]):
        for workers in (1, 2):
            by_size, by_holders = study.run("--bits", BITS, "--workers", workers, "--repeat", RUNS, *policy)
            ratios = [new / old for new, old in zip(by_holders["seconds"], by_size["seconds"])]
            rows.append((by_size["policy"], workers, spread(by_size["seconds"], 1, 1e3),
                         spread(by_holders["seconds"], 1, 1e3), spread(ratios, 2)))
    print_table(("promotion", "workers", "by size, ms", "by holders, ms", "ratio of the same round"), rows)


def _duration(ns):
    return f"{ns:.0f} ns" if ns < 1e3 else f"{ns / 1e3:.1f} µs"
