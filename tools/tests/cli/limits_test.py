#!/usr/bin/env python3
"""Counts the wrong answers in the last paragraph of `tine profile`, for 20 programs with one known limit each."""

from driver import Driver, line_of

# by program: the limit, and the place that the answer has to name
LIMITS = {
    "read_first": ("outside", "read_input"),
    "merge_between": ("outside", "merge_results"),
    "write_last": ("outside", "write_output"),
    "serial_before": ("serial strand", ""),
    "serial_after": ("serial strand", ""),
    "serial_between": ("serial strand", ""),
    "long_branch": ("narrow", None),
    "two_iterations": ("narrow", None),
    "long_iteration": ("narrow", None),
    "serial_partition": ("narrow", None),
    "long_chain": ("narrow", None),
    "uneven_rows": ("narrow", None),
    "fine_fib": ("too fine", None),
    "fine_tree": ("too fine", None),
    "fine_sum": ("too fine", None),
    "short_branches": ("too short", None),
    "short_groups": ("too short", None),
    "even_loop": ("none", ""),
    "even_tree": ("none", ""),
    "no_fork": ("never forks", ""),
}
# Programs that are profiled with one worker. With four, many of their branches are stolen, which makes strands of
# microseconds up to three times as long. Then the answer may be "narrow" (docs/reference/profiling.md says so).
WITH_ONE_WORKER = {"short_branches", "short_groups"}
WORDS = {
    "outside": "the time outside of roots",
    "serial strand": "a serial part inside of calls into pools limits",
    "narrow": "too little parallelism limits",
    "too fine": "forks that are too fine limit",
    "too short": "parallel pieces that are too short limit",
    "none": "nothing limits this program on 4 workers",
    "never forks": "nothing ran in parallel",
}


def answer_of(d: Driver, case: str) -> tuple[dict, str]:
    """Profiles a program; returns its answer, and the last line that `tine profile` wrote."""
    path = d.at / f"{case}.profile"
    workers = 1 if case in WITH_ONE_WORKER else 4
    env = {"TINE_NUM_THREADS": workers, "TINE_CALIBRATION": d.at / "none"}  # the usual costs, on every machine
    said = d.tine("profile", "-o", path, "--", d.programs / "limits_app", case, env=env)
    last = said.stderr.strip().splitlines()[-1] if said.stderr.strip() else ""
    return d.json("report", path, "--json", env=env)["answer"], last


def limits(d: Driver) -> None:
    wrong = []
    for case, (limit, where) in LIMITS.items():
        place = f"limits_app.cpp:{line_of('limits_app.cpp', case)}" if where is None else where
        # Strands of microseconds become much longer if another process takes their processor, so there are three runs.
        for _ in range(3):
            answer, last = answer_of(d, case)
            is_right = answer["limit"] == limit and (place in answer["where"] if place else answer["where"] == "")
            says_so = last.startswith("limit ") and WORDS[limit] in last.lower() and place in last
            if is_right and says_so:
                break
        else:
            wrong.append((case, answer, last))
    d.check(len(LIMITS) == 20 and wrong == [], f"{len(wrong)} of {len(LIMITS)} answers are wrong", wrong)


def sampled(d: Driver) -> None:
    """The answers of a sampled profile, whose span is an interval."""
    wanted = {"read_first": "outside", "long_branch": "narrow", "even_loop": "none", "no_fork": "never forks"}
    env = {"TINE_NUM_THREADS": 4}
    for case, limit in wanted.items():
        path = d.at / f"{case}-sampled.profile"
        d.expect(d.tine("profile", "-q", "--analyses", "work,span,sample", "-o", path, "--", d.programs / "limits_app", case, env=env), 0)
        report = d.json("report", path, "--json", env=env)
        span = report["roots"]["span_ns"]
        d.check(report["answer"]["limit"] == limit, f"{case}: {limit}", report["answer"])
        d.check(span["low"] <= span["high"] <= report["roots"]["work_ns"], f"{case}: an interval", report["roots"])
    d.check(report["forks"] == 0, "no forks", report["forks"])
    text = d.tine("report", d.at / "even_loop-sampled.profile")
    d.expect(text, 0, "observed; a sampled profile does not count the others")
    # A threshold above all branches: on one worker, the first branch of the tree is beside all of the second one.
    doubtful = d.tine("profile", "-q", "--analyses", "sample", "--threshold", "10s", "-o", "doubt.profile", "--", d.programs / "limits_app", "even_tree", env={"TINE_NUM_THREADS": 1})
    d.expect(doubtful, 0)
    d.check(d.json("report", "doubt.profile", "--json")["answer"]["limit"] == "unknown", "an interval with both answers", "")


def what_if(d: Driver) -> None:
    """The effect that the answer states is the one that `tine whatif` computes."""
    path = d.at / "long_iteration.profile"
    text = d.json("report", path, "--json")["answer"]["text"]
    change = text.rsplit("(", 1)[1].split(")")[0]
    place = text.rsplit("--parallelise '", 1)[1].split("'")[0]
    shown = d.expect(d.tine("whatif", path, "--parallelise", place, "--workers", "4"), 0).stdout
    d.check(change in shown and change.startswith("-"), "the same effect", (change, shown))


if __name__ == "__main__":
    Driver.run(limits, sampled, what_if)
