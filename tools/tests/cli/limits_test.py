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
# Programs whose answer may be wrong: the forks of one strand, one after the other, hide that the pieces are short.
KNOWN_WRONG = {"short_branches"}
WORDS = {
    "outside": "the time outside of roots",
    "serial strand": "a serial part inside of calls into pools limits",
    "narrow": "too little parallelism limits",
    "too fine": "forks that are too fine limit",
    "too short": "parallel pieces that are too short limit",
    "none": "nothing limits this program on 4 workers",
    "never forks": "nothing ran in parallel",
}


def limits(d: Driver) -> None:
    wrong = []
    env = {"TINE_NUM_THREADS": 4, "TINE_CALIBRATION": d.at / "none"}  # the usual costs, on every machine
    for case, (limit, where) in LIMITS.items():
        path = d.at / f"{case}.profile"
        said = d.tine("profile", "-o", path, "--", d.programs / "limits_app", case, env=env)
        last = said.stderr.strip().splitlines()[-1] if said.stderr.strip() else ""
        answer = d.json("report", path, "--json", env=env)["answer"]
        place = f"limits_app.cpp:{line_of('limits_app.cpp', case)}" if where is None else where
        is_right = answer["limit"] == limit and (place in answer["where"] if place else answer["where"] == "")
        says_so = last.startswith("limit ") and WORDS[limit] in last.lower() and place in last
        if not (is_right and says_so):
            wrong.append((case, answer, last))
    is_as_known = len(LIMITS) == 20 and {case for case, *_ in wrong} <= KNOWN_WRONG
    d.check(is_as_known, f"{len(wrong)} of {len(LIMITS)} answers are wrong", wrong)


def what_if(d: Driver) -> None:
    """The effect that the answer states is the one that `tine whatif` computes."""
    path = d.at / "long_iteration.profile"
    text = d.json("report", path, "--json")["answer"]["text"]
    change = text.rsplit("(", 1)[1].split(")")[0]
    place = text.rsplit("--parallelise '", 1)[1].split("'")[0]
    shown = d.expect(d.tine("whatif", path, "--parallelise", place, "--workers", "4"), 0).stdout
    d.check(change in shown and change.startswith("-"), "the same effect", (change, shown))


if __name__ == "__main__":
    Driver.run(limits, what_if)
