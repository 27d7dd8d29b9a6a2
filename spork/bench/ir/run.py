#!/usr/bin/env python3
"""Compares the programs in Spork IR with their twins in C++, serial and managed, and with their own elision, pair by pair.

`run.py TINE` measures: it prints a row for each program with its time over that of the elision (plain LLVM code of the same kernel,
without sporks), of the serial twin, and of the managed twin on as many workers; with records, and with stack maps (m). It prints
medians of --rounds, with minimum and maximum. --json adds the raw times. The twins are those that were built with TINE.
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
sys.path.insert(0, str(HERE.parent.parent / "tests"))
import filetests  # noqa: E402
import served  # noqa: E402

STACK_MAPS = ["--promotion=stackmap"]


def twin_beside(tine: str, variant: str) -> pathlib.Path:
    return pathlib.Path(tine).resolve().parent / "spork" / "bench" / "ir" / variant


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
        served.run(self.tine, ["ir", "build", self.file, "-o", app, "--level", "3", "--march=native", *options], timeout=600).check_returncode()
        return [app]

    def twin(self, variant: str) -> list[str]:
        return [str(twin_beside(self.tine, variant)), self.name, self.size]

    def run(self, *arguments: str) -> str:
        done = served.run(self.tine, ["ir", "run", self.file, *arguments], timeout=600)
        return said(done.returncode, done.stdout.decode(), done.stderr.decode())


def said(code: int, output: str, errors: str) -> str:
    return output.strip() if code == 0 else f"exit code {code}: {errors.strip()}"


def answer(command: list[str], workers: int = 1) -> tuple[float, str]:
    began = time.perf_counter()
    done = subprocess.run(command, env={**os.environ, "TINE_NUM_THREADS": str(workers)}, capture_output=True, text=True, check=False)
    took = time.perf_counter() - began
    return took, said(done.returncode, done.stdout, done.stderr)


def same(a: str, b: str) -> bool:
    try:
        return float(a) == float(b)
    except ValueError:
        return a == b


def check(programs: list[Program]) -> int:
    tally = filetests.Tally()
    for p in programs:
        _, expected = answer(p.twin("serial"))
        commands = {"managed twin": p.twin("managed"), "app": p.build(), "app with stack maps": p.build(*STACK_MAPS)}
        runs = {f"{how}, {w} workers": answer(command, w)[1] for how, command in commands.items() for w in (1, 2, 4)}
        runs["elided app"] = answer(p.build("--elide"))[1]
        # The executables run the same code on all numbers of workers.
        runs["jit, 2 workers"] = p.run("--engine=jit", "-O", "--workers=2")
        runs["jit with stack maps, 4 workers"] = p.run("--engine=jit", "-O", "--workers=4", *STACK_MAPS)
        runs |= {f"interpreter, {s}": p.run(f"--schedule={s}") for s in ("none", "seed:1")}
        for how, got in runs.items():
            tally.check(f"{p.name}: {how}", expected, expected if same(expected, got) else got)
    return tally.end()


def over(times: list[float], base: list[float]) -> str:
    ratios = sorted(t / b for t, b in zip(times, base))
    return f"{statistics.median(ratios):.2f} ({ratios[0]:.2f}–{ratios[-1]:.2f})"


# The runs of each round: (name, form of the program, workers).
RUNS = [("serial", "serial", 1), ("elided", "elided", 1), *((f"{how}_{w}", how, w) for how in ("records", "maps", "managed") for w in (1, 2))]
# The columns of the table: title, and the names of the two runs whose ratio it shows.
COLUMNS = [("P=1/elided", "records_1", "elided"), ("m", "maps_1", "elided"), ("P=1/serial", "records_1", "serial"),
           ("P=2/serial", "records_2", "serial"), ("m", "maps_2", "serial"), ("P=1/managed", "records_1", "managed_1"),
           ("P=2/managed", "records_2", "managed_2"), ("m", "maps_2", "managed_2")]


def measure(programs: list[Program], rounds: int, raw) -> int:
    print(f"{'':16}" + "".join(f" {title:>17}" for title, _, _ in COLUMNS))
    for p in programs:
        commands = {"serial": p.twin("serial"), "managed": p.twin("managed"), "elided": p.build("--elide"), "records": p.build(),
                    "maps": p.build(*STACK_MAPS)}
        times: dict[str, list[float]] = {name: [] for name, _, _ in RUNS}
        for _ in range(rounds):
            runs = {name: answer(commands[how], workers) for name, how, workers in RUNS}
            for name, (took, got) in runs.items():
                times[name].append(took)
                if not same(got, runs["serial"][1]):
                    print(f"{p.name}: {name}: {got}, but the serial twin says {runs['serial'][1]}", file=sys.stderr)
                    return 1
        print(f"{p.name:16}" + "".join(f" {over(times[a], times[b]):>17}" for _, a, b in COLUMNS), flush=True)
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
    for variant in ("serial", "managed"):
        if not twin_beside(given.tine, variant).exists():
            parser.error(f"{twin_beside(given.tine, variant)} is missing; build it, too: ninja bench_ir_{variant}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        programs = [Program(f, str(pathlib.Path(given.tine).resolve()), folder, given.quick) for f in files]
        return check(programs) if given.quick else measure(programs, given.rounds, given.json)


if __name__ == "__main__":
    sys.exit(main())
