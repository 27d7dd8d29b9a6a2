#!/usr/bin/env python3
"""tine race around a real program that ends in every way that there is: its report has the races found until then."""

import json
import os
import subprocess

from driver import EMULATED, Driver

PATIENCE = 120  # seconds; the machine may be busy

# For each way to end: the program's exit code, which a report with races replaces by 1, or minus the signal; and parts
# of the report.
ENDS = {
    "return": (0, []),
    "segv": (-11, ["race_app was killed by signal 11", "Signal 11 ended the program: what ran until then was checked.\n"]),
    "segv-outside": (-11, ["Signal 11 ended the program"]),
    "segv-sent": (-11, ["Signal 11 ended the program"]),
    "segv-on-thread": (-11, ["Signal 11 ended the program"]),
    "bus": (-7, ["Signal 7 ended the program"]),
    "fpe": (-8, ["Signal 8 ended the program"]),
    "ill": (-4, ["Signal 4 ended the program"]),
    "pipe": (-13, ["Signal 13 ended the program"]),
    "alarm": (-14, ["Signal 14 ended the program"]),
    "abort": (-6, ["Signal 6 ended the program"]),
    "throw": (-6, ["The program ended by an exception"]),
    "throw-noexcept": (-6, ["The program ended by an exception"]),
    "overflow": (-6, ["stack overflow", "Signal 6 ended the program"]),
    "overflow-on-thread": (-11, ["Signal 11 ended the program"]),
    "exit": (7, ["race_app ended with exit code 7"]),
    "_exit": (7, ["race_app ended with exit code 7"]),
    "_Exit": (7, ["race_app ended with exit code 7"]),
    "quick_exit": (7, ["race_app ended with exit code 7"]),
    "_exit-on-thread": (7, ["race_app ended with exit code 7"]),
    "_exit-in-handler": (7, ["race_app ended with exit code 7"]),
    "handler-that-returns": (-11, ["Signal 11 ended the program"]),
    "handler-that-raises": (-11, ["Signal 11 ended the program"]),
    "execl": (0, ["replaced it\n", "The profile is a snapshot of a run"]),
    "execlp": (0, ["replaced it\n"]),
    "execle": (0, ["replaced is it\n"]),
    "execvp": (0, ["replaced it\n"]),
    "handled-before": (0, ["3 faults handled\n", "the end\n"]),
    "handled-after": (0, ["3 faults handled\n", "the end\n"]),
    "threads": (0, ["the end\n"]),
}


class Races:
    def __init__(self, d: Driver):
        self.d = d
        self.app = d.folder / "tools/tests/cli/race_app"

    def run(self, way: str, *options, **more) -> subprocess.CompletedProcess:
        return self.d.tine("race", *options, "--", self.app, way, timeout=PATIENCE, **more)

    def processes(self, way: str) -> tuple[list[list[str]], str]:
        """Returns the variables with a race, for each process that left a profile; and what the program printed."""
        run = self.run(way, "--json")
        try:
            all_of_them = json.loads(run.stdout)["processes"]
        except json.JSONDecodeError:
            return [], f"{run.stdout}{run.stderr}"
        found = [sorted({race["memory"].get("variable", "?").split("::")[-1] for race in each["races"]}) for each in all_of_them]
        return sorted(found), run.stderr

    def expect(self, way: str, found: list[list[str]], *parts: str) -> None:
        said, text = self.processes(way)
        self.d.check(said == found, f"{way}: races of {found}", (said, text))
        for part in parts:
            self.d.check(part in text, f"{way}: says {part!r}", text)


def ends(d: Driver) -> None:
    races = Races(d)
    for way, (code, parts) in ENDS.items():
        d.expect(races.run(way), 1, "the global `racy_total`\n", *parts)
        env = {**os.environ, "TINE_PROFILE": f"race:{d.at}/{way}.profile"}
        plain = subprocess.run([races.app, way], cwd=d.at, env=env, capture_output=True, timeout=PATIENCE)
        d.check(plain.returncode == code, f"{way}: the process ends with {code}", plain)
        d.check((d.at / f"{way}.profile").exists(), f"{way}: a profile by hand, too", plain)


def continued(d: Driver) -> None:
    races = Races(d)
    both = ["late_total", "racy_total"]
    races.expect("exec-fails", [both], "continued\n", "the end\n")
    races.expect("vfork", [both], "the end\n")
    races.expect("system", [both], "3\n", "the end\n")


def children(d: Driver) -> None:
    races = Races(d)
    races.expect("fork", [["racy_total"]], "the end\n")
    races.expect("fork-then-race", [["child_total"], ["racy_total"]], "the end\n")
    races.expect("fork-inside", [["child_total"], ["racy_total"]], "the end\n")
    races.expect("fork-and-crash", [["child_total"], ["racy_total"]], "the end\n")
    races.expect("exec-again", [["child_total"], ["racy_total"]], "the end\n")
    run = races.run("fork-then-race", "--json")
    totals = sorted(each["totals"]["writes"] for each in json.loads(run.stdout)["processes"])
    d.check(0 < totals[0] and totals[1] < 2 * totals[0], "a forked process counts its own accesses", totals)


def unwritten(d: Driver) -> None:
    """A profile that cannot be written is reported, and the program ends as without it."""
    races = Races(d)
    for way, code in ("return", 0), ("_exit", 7), ("segv", -11):
        env = {**os.environ, "TINE_PROFILE": "race:/nowhere/at/all.profile"}
        run = subprocess.run([races.app, way], cwd=d.at, env=env, capture_output=True, text=True, timeout=PATIENCE)
        d.check(run.returncode == code and "/nowhere/at/all.profile" in run.stderr, f"{way}: unwritten", run)
    run = races.run("_exit", "-o", "/nowhere/at/all.profile")
    d.expect(run, 2, "tine: ", "/nowhere/at/all.profile")


def other_sanitizer(d: Driver) -> None:
    app = d.folder / "tools/tests/cli/race_app_with_asan"
    if EMULATED:
        print("skipped: other_sanitizer (the compiler has no AddressSanitizer for another architecture)")
        return
    why = "linked with libtine_race and with AddressSanitizer"
    d.expect(d.tine("race", "--", app, "return"), 2, why)
    for way in "return", "check":
        run = subprocess.run([app, way], cwd=d.at, capture_output=True, text=True, timeout=PATIENCE)
        d.check(run.returncode == 2 and why in run.stderr and not run.stdout, f"{way}: refused without the command, too", run)


def blocks_of_the_c_library(d: Driver) -> None:
    """Blocks of the program's malloc that the C library enlarges and frees, and the other way round."""
    races = Races(d)
    run = subprocess.run([races.app, "blocks"], cwd=d.at, input="x" * 5000 + "\n", capture_output=True, text=True, timeout=PATIENCE)
    d.check(run.returncode == 0 and run.stdout == "5001 characters\nthe end\n", "getline, open_memstream, strdup", run)


if __name__ == "__main__":
    driver = Driver()
    for part in ends, continued, children, unwritten, other_sanitizer, blocks_of_the_c_library:
        part(driver)
    driver.end()
