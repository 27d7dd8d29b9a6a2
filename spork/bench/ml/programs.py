#!/usr/bin/env python3
"""Checks the benchmarks in Parallel ML at small sizes, in all four versions: their answers must be right and equal.

    programs.py --check TINE                      # the front end accepts them
    programs.py --run TINE [--workers 1,2,8]      # `tine ml run`, with more options of it: --options=--promotion=stackmap
    programs.py --run TINE --quick                # two versions of each program, and LLVM's passes for the first one: they take most of the time
    programs.py --poly                            # Poly/ML, by hand; see spork/tests/ml/poly.py
    programs.py --native                          # Poly/ML with its own, faster int, which has 63 bits

Each line has the answer and the median time of a run. `--arguments "--n 1000000"` replaces the small sizes. With `--twins FOLDER` (build/release/bench), the answers of the twins in C++ must be the same. Names choose programs.
The exit code is 1 if anything is wrong.
"""

import argparse
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "tests" / "ml"))
import poly  # noqa: E402
from tine_ml import served  # noqa: E402

# Sizes that Poly/ML takes a second or so for.
SMALL = {
    "bfs": ["--scale", "10"],
    "bignum-add": ["--n", "50000", "--passes", "1"],
    "delaunay": ["--n", "1000"],
    "grep": ["--n", "300000"],
    "line-fit": ["--n", "5000", "--passes", "1"],
    "mandelbrot": ["--n", "24"],
    "map-heavy": ["--n", "100"],
    "map-light": ["--n", "20000", "--passes", "1"],
    "merge-sort": ["--n", "10000"],
    "nearest-nbrs": ["--n", "2000"],
    "nqueens": ["--n", "7"],
    "primes": ["--n", "1000000"],
    "sparse-mxv": ["--n", "2048", "--passes", "1"],
    "suffix-array": ["--n", "4000"],
    "triangle-count": ["--scale", "8"],
    "word-count": ["--n", "200000"],
}
VERSIONS = ["managed", "tuned", "dac", "elision"]


def twin_answer(folder: str, name: str):
    done = subprocess.run([str(pathlib.Path(folder, name)), "--variant", "serial", "--json", "--repeat", "1", *SMALL[name]],
                          capture_output=True, text=True, timeout=60, check=False)
    return json.loads(done.stdout.splitlines()[-1])["answer"]


def close(a, b) -> bool:
    if isinstance(a, list):
        return len(a) == len(b) and all(close(x, y) for x, y in zip(a, b))
    return a == b or (isinstance(a, float) and abs(a - b) <= 1e-9 * abs(b))


def parts(name: str, version: str) -> list[str]:
    return [str(HERE / file) for file in (f"loops/{version}.sml", "harness.sml", f"{name}.sml")]


def on_poly(jobs: list[tuple[str, str]], basis: str) -> list[tuple[str, str]]:
    programs = [poly.Program("\n".join(pathlib.Path(part).read_text() for part in parts(*job)), SMALL[job[0]]) for job in jobs]
    return [(result.output, f"{result.ending} {result.messages}") for result in poly.Poly(basis=basis).run(programs, 60)]


def checked(tine: str, files: list[str]) -> str:
    done = served.run(tine, ["ml", "check", *files], timeout=120)
    return done.stderr.decode() if done.returncode else ""


def on_tine(tine: str, more: list[str], workers: str, name: str, version: str) -> tuple[str, str]:
    loops, harness, program = parts(name, version)
    done = served.run(tine, ["ml", "run", *more, "--with", loops, "--with", harness, "--workers", workers, program, *SMALL[name]], timeout=120)
    return done.stdout.decode(), done.stderr.decode() if done.returncode else ""


def report_of(output: str, errors: str) -> dict:
    if not output.startswith("{"):
        return {"answer": None, "median_s": None, "mistake": errors or f"it printed '{output}'"}
    return json.loads(output)


def compare(jobs: list[tuple[str, str]], results: list[tuple[str, str]], what: str) -> tuple[int, dict]:
    bad, answers = 0, {}
    for (name, version), result in zip(jobs, results):
        report = report_of(*result)
        answer, wrong = report["answer"], report["mistake"]
        first = answers.setdefault(name, answer)
        if not wrong and not close(answer, first):
            wrong = f"the answer is {answer}, that of {VERSIONS[0]} is {first}"
        bad += wrong != ""
        print(f"{name} {version} {what}: {wrong or answer} {report['median_s']} s", flush=True)
    return bad, answers


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", metavar="TINE")
    parser.add_argument("--run", metavar="TINE")
    parser.add_argument("--workers", default="1,2,8")
    parser.add_argument("--options", metavar="TEXT", default="")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--poly", action="store_true")
    parser.add_argument("--native", action="store_true")
    parser.add_argument("--twins", metavar="FOLDER")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--arguments", metavar="TEXT")
    options = parser.parse_args()
    if options.arguments:
        SMALL.update({name: options.arguments.split() for name in options.names})
    jobs = [(name, version) for name in options.names or SMALL for version in VERSIONS]
    if options.quick:  # each other version has a third of the programs
        jobs = [job for number, name in enumerate(options.names or SMALL) for job in ((name, VERSIONS[0]), (name, VERSIONS[1 + number % 3]))]
    if options.check:
        errors = [checked(options.check, parts(*job)) for job in jobs]
        print("".join(errors) + f"{errors.count('')} accepted, {len(errors) - errors.count('')} not")
        return 0 if errors.count("") == len(errors) else 1
    more = options.options.split()
    rounds = [(f"workers={number}", [on_tine(options.run, more + ["--level=0"] * (options.quick and job[1] != VERSIONS[0]), number, *job) for job in jobs])
              for number in options.workers.split(",")] if options.run else []
    rounds += [("Poly/ML", on_poly(jobs, "basis"))] if options.poly else []
    rounds += [("Poly/ML's int", on_poly(jobs, "native"))] if options.native else []
    bad = 0
    for what, results in rounds:
        wrong, answers = compare(jobs, results, what)
        bad += wrong
        for name in answers if options.twins else []:
            twin = twin_answer(options.twins, name)
            if not close(answers[name], twin):
                bad += 1
                print(f"{name} {what}: the answer is {answers[name]}, that of the twin in C++ is {twin}")
    print("all answers are right" if not bad else f"{bad} mistakes")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
