#!/usr/bin/env python3
"""The programs in Spork IR beside their serial twins in C++ and beside their own elision, pair by pair.

`run.py TINE` measures: a row for each program with time over the elision's (plain LLVM code of the same kernel, without sporks)
on one worker, with records and with stack maps, and over the twin's on one and two, with records; medians of --rounds, with minimum and maximum. --json adds the raw times.
`run.py TINE --quick` only checks answers, on small sizes and in every engine, and ends with a count.
"""

import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
STACK_MAPS = ["--promotion=stackmap"]
CXX = os.environ.get("CXX", "clang++-19")


class Program:
    def __init__(self, file: pathlib.Path, tine: str, folder: pathlib.Path, quick: bool):
        self.name, self.tine, self.folder = file.stem, tine, folder
        text = file.read_text()
        self.size = re.search(r"\bn = (\d+)", text)[1]
        if quick:
            self.size = re.search(r"// quick: (\d+)", text)[1]
            text = re.sub(r"\bn = \d+", f"n = {self.size}", text, count=1)
        self.file = folder / file.name
        self.file.write_text(text)

    def build(self, *options: str) -> list[str]:
        app = str(self.folder / (self.name + "".join(options)))
        subprocess.run([self.tine, "ir", "build", self.file, "-o", app, "--level", "3", *options], check=True)
        return [app]

    def serial(self) -> list[str]:
        return [str(self.folder / "serial"), self.name, self.size]

    def run(self, *arguments: str) -> list[str]:
        return [self.tine, "ir", "run", str(self.file), *arguments]


def answer(command: list[str], workers: int = 1) -> tuple[float, str]:
    began = time.perf_counter()
    done = subprocess.run(command, env={**os.environ, "TINE_NUM_THREADS": str(workers)}, capture_output=True, text=True, check=False)
    took = time.perf_counter() - began
    return took, done.stdout.strip() if done.returncode == 0 else f"exit code {done.returncode}: {done.stderr.strip()}"


def same(a: str, b: str) -> bool:
    try:
        return float(a) == float(b)
    except ValueError:
        return a == b


def check(programs: list[Program]) -> tuple[int, int]:
    good = bad = 0
    for p in programs:
        _, expected = answer(p.serial())
        app = p.build()
        runs = {f"app, {w} workers": answer(app, w) for w in (1, 2, 4)}
        maps = p.build(*STACK_MAPS)
        runs |= {f"app with stack maps, {w} workers": answer(maps, w) for w in (1, 2, 4)}
        runs["elided app"] = answer(p.build("--elide"))
        runs |= {f"jit, {w} workers": answer(p.run("--engine=jit", "-O", f"--workers={w}")) for w in (1, 2, 4)}
        runs |= {f"jit with stack maps, {w} workers": answer(p.run("--engine=jit", "-O", f"--workers={w}", *STACK_MAPS)) for w in (1, 2, 4)}
        runs |= {f"interpreter, {s}": answer(p.run(f"--schedule={s}")) for s in ("none", "seed:1", "seed:2")}
        for how, (_, got) in runs.items():
            if same(expected, got):
                good += 1
            else:
                bad += 1
                print(f"{p.name}: {how}: {got}, but the serial twin says {expected}")
    return good, bad


def over(times: list[float], base: list[float]) -> str:
    ratios = sorted(t / b for t, b in zip(times, base))
    return f"{statistics.median(ratios):.2f} ({ratios[0]:.2f}–{ratios[-1]:.2f})"


def measure(programs: list[Program], rounds: int, raw) -> int:
    titles = ["P=1 / elided", "with stack maps", "P=1 / twin", "P=2 / twin", "with stack maps"]
    print(f"{'':16}" + "".join(f" {title:>20}" for title in titles))
    for p in programs:
        app, maps, elided = p.build(), p.build(*STACK_MAPS), p.build("--elide")
        columns = ["serial", "elided", "one", "two", "maps_one", "maps_two"]
        times: dict[str, list[float]] = {column: [] for column in columns}
        for _ in range(rounds):
            runs = {"serial": answer(p.serial()), "elided": answer(elided), "one": answer(app, 1), "two": answer(app, 2),
                    "maps_one": answer(maps, 1), "maps_two": answer(maps, 2)}
            for how, (took, got) in runs.items():
                times[how].append(took)
                if not same(got, runs["serial"][1]):
                    print(f"{p.name}: {how}: {got}, but the serial twin says {runs['serial'][1]}", file=sys.stderr)
                    return 1
        pairs = [("one", "elided"), ("maps_one", "elided"), ("one", "serial"), ("two", "serial"), ("maps_two", "serial")]
        print(f"{p.name:16}" + "".join(f" {over(times[a], times[b]):>20}" for a, b in pairs), flush=True)
        if raw:
            raw.write(json.dumps({"program": p.name, "size": p.size, "seconds": times}) + "\n")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tine", help="the command, build/release/tine")
    parser.add_argument("programs", nargs="*", help="names; all if none is given")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", type=argparse.FileType("w"))
    given = parser.parse_intermixed_args()
    files = [f for f in sorted(HERE.glob("*.spork")) if not given.programs or f.stem in given.programs]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([CXX, "-std=c++20", "-O3", "-march=native", "-fwrapv", "-ffp-contract=off", HERE / "serial.cpp", "-o", folder / "serial"], check=True)
        programs = [Program(f, str(pathlib.Path(given.tine).resolve()), folder, given.quick) for f in files]
        if not given.quick:
            return measure(programs, given.rounds, given.json)
        good, bad = check(programs)
    print(f"{good} passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
