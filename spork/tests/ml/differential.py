#!/usr/bin/env python3
"""Compares generated programs on `tine ml` and on Poly/ML: both accept them, and they print the same and end in the same way.

    differential.py TINE [--first SEED] [--count N]       # `tine ml run`, on --workers 1,2,8
    differential.py TINE --check                          # only that both accept them
    differential.py TINE --answers FILE                   # without Poly/ML: compares with answers that --record FILE has written
    differential.py TINE --program FILE                   # this program; with `!` in front, it is a test for cvise, which makes the program smaller

Each program has a seed, which is printed when it differs; `generate_programs.py SEED` prints the program. A program that takes Poly/ML longer than
`--seconds`, or on which its compiler fails, is left out and counted. The exit code is 1 if a program differs.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import hashlib
import pathlib
import sys

import poly
import tine_ml
from generate_programs import generated

BATCH = 100  # programs in a process of Poly/ML
NO_ANSWER = ("timeout", "crashed")


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:12]


def answer_of(result: poly.Result) -> str:
    """Returns what must be equal: the ending, and a digest of the output."""
    return f"{result.ending.replace(' ', ':')} {digest(result.output)}"


class Subject:
    """`tine ml`, which is tested: runs programs or, with `check`, only elaborates them."""

    def __init__(self, tine: str, workers: str | None, level: str):
        self.tine, self.workers, self.level = tine, workers, level

    def complaint(self, text: str, right: str | None) -> str:
        """Returns how the program differs from the right answer, or "". None: it must only be accepted."""
        if self.workers is None or right is None:
            done = tine_ml.served.run(self.tine, ["ml", "check", "--color", "never", "-"], input=text.encode(), timeout=60)
            errors = [line for line in done.stderr.decode(errors="replace").split("\n") if " error: " in line]
            return "" if done.returncode == 0 else f"tine ml check: exit code {done.returncode}: {' '.join(errors[:2])}"
        for number in self.workers.split(","):
            result = tine_ml.run(self.tine, poly.Program(text), number, level=self.level)
            if answer_of(result) != right:
                return f"with {number} workers: {result.ending} after {len(result.output)} bytes; {result.messages[-200:]}"
        return ""


class Oracle:
    """The right answers: from Poly/ML, or from a file with a line `seed digest-of-program ending digest-of-output` for each program."""

    def __init__(self, answers: pathlib.Path | None, seconds: float):
        self.poly = None if answers else poly.Poly()
        self.seconds = seconds
        self.recorded = {}
        for line in answers.read_text().splitlines() if answers else []:
            seed, program, answer = line.split(" ", 2)
            self.recorded[int(seed)] = (program, answer)

    def answers(self, seeds: list[int], texts: list[str]) -> list[str]:
        if self.poly:
            return [answer_of(result) for result in self.poly.run([poly.Program(text) for text in texts], self.seconds)]
        found = []
        for seed, text in zip(seeds, texts):
            program, answer = self.recorded.get(seed, ("", ""))
            if program != digest(text):
                raise SystemExit(f"the answers have no program of seed {seed} like the generator's; write them anew with --record")
            found.append(answer)
        return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tine")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=BATCH)
    parser.add_argument("--workers", default="1,2,8")
    parser.add_argument("--level", default="2", help="of LLVM's passes; they take two thirds of the time")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--answers", type=pathlib.Path)
    parser.add_argument("--record", type=pathlib.Path)
    parser.add_argument("--program", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=5)
    options = parser.parse_args()
    subject = Subject(str(pathlib.Path(options.tine).resolve()), None if options.check else options.workers, options.level)
    oracle = Oracle(options.answers, options.seconds)
    unanswered = NO_ANSWER
    if options.program:  # cvise also tries programs that are none
        options.count, unanswered = 1, (*NO_ANSWER, "rejected")
    bad = unknown = 0
    lines = []
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        for first in range(options.first, options.first + options.count, BATCH):
            seeds = list(range(first, min(first + BATCH, options.first + options.count)))
            texts = [options.program.read_text() if options.program else generated(seed) for seed in seeds]
            rights = oracle.answers(seeds, texts)
            lines += [f"{seed} {digest(text)} {right}" for seed, text, right in zip(seeds, texts, rights)]
            complaints = threads.map(lambda job: "Poly/ML rejects it" if job[1].startswith("rejected") else subject.complaint(*job), zip(texts, rights))
            for seed, text, right, complaint in zip(seeds, texts, rights, complaints):
                if right.startswith(unanswered):
                    unknown += 1
                elif complaint:
                    bad += 1
                    print(f"seed {seed}: {complaint}", flush=True)
    if options.record:
        options.record.write_text("\n".join(lines) + "\n")
    print(f"{options.count - bad - unknown} programs agree, {bad} differ, {unknown} have no answer (seeds {options.first} to {options.first + options.count - 1})")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
