"""The common part of the studies behind ./dev bench --study: runs a study's program and counts the checks."""

import json
import statistics
import subprocess
import sys
from pathlib import Path

import machine

ROOT = Path(__file__).resolve().parent.parent.parent


# Values that a run measures. Lines that agree in everything else are rounds of one measurement, and one row of the
# results.
MEASURED = {"seconds", "ns", "more_kib", "efficiency", "idle_seconds", "messages", "bytes", "requests", "refusals", "lifelines", "steals",
            "given", "waves", "max_rss_kib", "base_rss_kib"}


class Study:
    """One run of a study. Each process runs alone, after the previous process has ended."""

    def __init__(self, name, build_dir, json_path=None):
        self.json_path = json_path
        self.passed = self.failed = 0
        self._name = name
        self.built, self.tine = build_dir.resolve() / "bench", build_dir.resolve() / "tine"
        self.measured = MEASURED  # a study whose rows have several sizes adds what depends on the size
        self._rows = {}  # what was asked for -> the rounds
        self._facts = {"commit": machine.commit(ROOT), "machine": machine.machine()}

    def run(self, *options):
        """Runs the program with these options, checks its answers, keeps its lines of JSON for the results, and returns the lines."""
        return self.run_program(f"studies/{self._name}", *options)

    def run_program(self, name, *options):
        """As `run`, for a study with several programs."""
        command = [str(self.program_path(name)), *map(str, options)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):
            raise RuntimeError(f"{' '.join(command[1:])}: ended with status {done.returncode}: {done.stderr.strip()}")
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        for line in lines:
            self.check(line["verified"], f"the answer is right: {' '.join(command[1:])}")
        self.append(lines)
        return lines

    def program_path(self, name):
        """Returns the path of the program. Raises ValueError if it was not built."""
        path = self.built / name
        if not path.is_file():
            raise ValueError(f"there is no program bench/{name} in --build-dir; `./dev build release` makes it")
        return path

    def check(self, claim, what):
        self.passed += bool(claim)
        self.failed += not claim
        if not claim:
            print(f"failed: {what}", file=sys.stderr)

    def end(self):
        """Appends the rows to the results, if these are wanted. Prints how many checks passed and failed; returns the exit status."""
        if self.json_path:
            self.json_path.parent.mkdir(parents=True, exist_ok=True)
            with self.json_path.open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(in_one_row(lines) | self._facts) + "\n" for lines in self._rows.values())
        print(f"\n{self.passed} passed, {self.failed} failed")
        return 1 if self.failed or not self.passed else 0

    def append(self, lines):
        """Keeps lines of JSON for the results."""
        for line in lines:
            asked = json.dumps({key: value for key, value in line.items() if key not in self.measured}, sort_keys=True)
            self._rows.setdefault(asked, []).append(line)


def in_one_row(lines):
    """Returns the lines of several rounds as one: a value that is the same in all rounds stands once, and others are lists."""
    if len(lines) == 1:
        return lines[0]
    values = {key: [line.get(key) for line in lines] for key in lines[0]}
    return {key: rounds[0] if all(value == rounds[0] for value in rounds) else rounds for key, rounds in values.items()}


def spread(values, digits, factor=1):
    """Returns the median, the least and the greatest value as text."""
    median, low, high = (f"{factor * v:.{digits}f}" for v in (statistics.median(values), min(values), max(values)))
    return f"{median} [{low}..{high}]"


def print_table(header, rows):
    """Prints a table in Markdown, which the documentation includes unchanged."""
    print(f"\n| {' | '.join(header)} |\n{'|---' * len(header)}|")
    for row in rows:
        print(f"| {' | '.join(str(cell) for cell in row)} |", flush=True)
