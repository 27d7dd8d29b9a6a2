"""The study of locality: measures sweeps over arrays that forks have written, on two workers with a core each."""

from study import MEASURED, print_table, spread

KIB = [256, 512, 768, 1024, 1280, 1536, 2048, 4096, 8192, 16384, 32768]
RUNS = 9
# KiB that the sweeps of one measurement cover, so that a measurement takes some milliseconds.
SWEPT_KIB = 131_072


WAYS = [([], "in ascending order, which the processor fetches beforehand"), (["--linked"], "from line to line by links")]


def run(study, quick):
    study.measured = MEASURED | {"kib", "sweeps", "steals", "diverged"}
    for options, what in WAYS:
        print(f"\nSweeps {what}:")
        print_table(("KiB a worker", "greedy, µs", "plain, µs", "pinned root, µs", "strict, µs", "relaxed, µs", "greedy over strict",
                     "plain over strict", "pinned root over strict"),
                    [_row(study, kib, options, quick) for kib in (KIB[:1] if quick else KIB)])


def _row(study, kib, options, quick):
    sweeps = 3 if quick else max(4, SWEPT_KIB // kib // (8 if options else 1))
    lines = study.run("--kib", kib, "--sweeps", sweeps, "--repeat", 2 if quick else RUNS, *options)
    greedy, plain, pinned, ordered, _ = lines
    study.check(not any(ordered["diverged"]), f"the sweeps follow the schedule: {kib} KiB")
    return (f"{kib:,}", *(spread(line["seconds"], 0, 1e6) for line in lines),
            *(_gain(slow, fast) for slow, fast in ((greedy, ordered), (plain, ordered), (pinned, ordered))))


def _gain(slow, fast):
    return spread([a / b for a, b in zip(slow["seconds"], fast["seconds"])], 2)
