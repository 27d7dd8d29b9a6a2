#!/usr/bin/env python3
"""Counts what `./dev test` ran, from the JUnit files of ctest, and ends with "N passed, N failed".

    count.py STEP:PRESET:STATUS:SECONDS...      STATUS is the exit status of the step's command; its JUnit file is build/log/STEP.xml

The result of a test is what ctest says. A test that passed counts as many checks as its program's closing line names: doctest's, or
"N passed, N failed". A test without such a line is one check. A failure never counts as passed: a test that failed is at least one
failure, and so is one that did not run, whose closing line names a failure or no check at all. So is a step whose command failed
without a failed test, and one without results.
"""

import pathlib
import re
import sys
import xml.etree.ElementTree as xml
from typing import NamedTuple

LOGS = pathlib.Path("build/log")
CLOSING_LINES = [
    re.compile(r"^\[doctest\] test cases: *\d+ \| *(\d+) passed \| *(\d+) failed", re.MULTILINE),
    re.compile(r"^(\d+) passed, (\d+) failed$", re.MULTILINE),
]


class Failure(NamedTuple):
    name: str  # of the test; empty if it is the step that failed
    why: str


class Step(NamedTuple):
    name: str
    preset: str
    seconds: int
    passed: int
    failed: int
    failures: list[Failure]


def checks(output: str) -> tuple[int, int] | None:
    """Returns the numbers of passed and failed checks in the last closing line; None if there is none."""
    lines = [match for pattern in CLOSING_LINES for match in pattern.finditer(output)]
    if not lines:
        return None
    last = max(lines, key=lambda match: match.start())
    return int(last[1]), int(last[2])


def judge(test: xml.Element) -> tuple[int, int, str]:
    """Returns the numbers of passed and failed checks of a test, and what was wrong."""
    status, output = test.get("status"), test.findtext("system-out") or ""
    skipped = test.find("skipped")
    if status == "disabled" or (skipped is not None and skipped.get("message", "").startswith("SKIP_")):
        return 0, 0, ""
    if status == "notrun":
        return 0, 1, "did not run: " + (skipped.get("message", "") if skipped is not None else "no reason given")
    passed, failed = checks(output) or (0 if status == "fail" else 1, 0)
    if status == "fail":
        what = f"{failed} checks failed" if failed else "it failed without counting a failed check; its output says why"
        return passed, max(failed, 1), what
    if status != "run":
        return 0, 1, f"ctest calls it '{status}'"
    if failed:
        return passed, failed, f"{failed} checks failed, but the exit status is that of success"
    return (passed, 0, "") if passed else (0, 1, "it passed without a check")


def read_step(name: str, preset: str, status: int, seconds: int, results: pathlib.Path) -> Step:
    try:
        tests = xml.parse(results).getroot().findall("testcase")
    except (OSError, xml.ParseError) as error:
        return Step(name, preset, seconds, 0, 1, [Failure("", f"no results, exit status {status}: {error}")])
    passed = failed = 0
    failures = []
    for test in tests:
        good, bad, why = judge(test)
        passed, failed = passed + good, failed + bad
        if bad:
            failures.append(Failure(test.get("name", ""), why))
    if not failures and (status or not passed):
        what = f"exit status {status} without a failed test" if status else "no test ran"
        failed, failures = failed + 1, [Failure("", what)]
    return Step(name, preset, seconds, passed, failed, failures)


def repeat(step: Step, test: str) -> str:
    """Returns the command that repeats a test. Under a sanitizer ./dev sets its options."""
    if step.preset in ("asan", "tsan"):
        return f"./dev {step.preset} -R '^{test}$'"
    return f"ctest --test-dir build/{step.preset} -R '^{test}$' --output-on-failure"


def table(steps: list[Step], out=None) -> bool:
    """Prints the failures, the steps and the sum. Returns true if there is no failure."""
    for step in steps:
        for failure in step.failures:
            print(f"failed: {step.name}{': ' + failure.name if failure.name else ''}: {failure.why}", file=out)
            print(f"    {repeat(step, failure.name)}" if failure.name else f"    the output is in {LOGS / step.name}.log", file=out)
    print(f"\n{'step':12} {'passed':>8} {'failed':>8} {'seconds':>8}", file=out)
    passed, failed, seconds = (sum(getattr(step, what) for step in steps) for what in ("passed", "failed", "seconds"))
    for step in [*steps, Step("all", "", seconds, passed, failed, [])]:
        print(f"{step.name:12} {step.passed:8} {step.failed:8} {step.seconds:8}", file=out)
    print(f"\n{passed} passed, {failed} failed", file=out)
    return passed > 0 and failed == 0


def main() -> int:
    steps = []
    for word in sys.argv[1:]:
        name, preset, status, seconds = word.split(":")
        steps.append(read_step(name, preset, int(status), int(seconds), LOGS / f"{name}.xml"))
    return 0 if table(steps) else 1


if __name__ == "__main__":
    sys.exit(main())
