#!/usr/bin/env python3
"""Checks the benchmarks in Parallel ML at small sizes, in all four versions: they must have the answers of their twins in C++.

    programs.py --check TINE                      # the front end accepts them
    programs.py --run TINE [--workers 1,2,8]      # `tine ml run`, with more options of it: --options=--promotion=stackmap
    programs.py --run TINE --quick                # two versions of each program, and LLVM's passes for the first one: they take most of the time

Each line has the answer and the median time of a run. Names choose programs. The exit code is 1 if anything is wrong.
"""

import argparse
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "tests"))
import served  # noqa: E402

# Small sizes, and the answers of the twins (`build/release/bench/NAME --variant serial --json` and these options).
SMALL = {
    "bfs": ("--scale 10", 887),
    "bignum-add": ("--n 50000 --passes 1", 6385518511116717085),
    "delaunay": ("--n 1000", 2976),
    "grep": ("--n 300000", 45),
    "line-fit": ("--n 5000 --passes 1", [3.00063145975, 6.99576979257]),
    "mandelbrot": ("--n 24", 144554),
    "map-heavy": ("--n 100", 9534587347919654469),
    "map-light": ("--n 20000 --passes 1", 16545642528216047312),
    "merge-sort": ("--n 10000", 8933625059086269948),
    "nearest-nbrs": ("--n 2000", 21138203184708441),
    "nqueens": ("--n 7", 40),
    "primes": ("--n 1000000", 78498),
    "sparse-mxv": ("--n 2048 --passes 1", -149459019.0),
    "suffix-array": ("--n 4000", 12117426089859302607),
    "triangle-count": ("--scale 8", 10532),
    "word-count": ("--n 200000", 30212),
}
VERSIONS = ["managed", "tuned", "dac", "elision"]


def close(a, b) -> bool:
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(close(x, y) for x, y in zip(a, b))
    return a == b or (isinstance(a, float) and abs(a - b) <= 1e-9 * abs(b))


def parts(name: str, version: str) -> list[str]:
    return [str(HERE / file) for file in (f"loops/{version}.sml", "harness.sml", f"{name}.sml")]


def checked(tine: str, files: list[str]) -> str:
    done = served.run(tine, ["ml", "check", *files], timeout=120)
    return done.stderr.decode() if done.returncode else ""


def mistake(tine: str, more: list[str], workers: str, name: str, version: str) -> str:
    """Runs a program, prints its answer and its time, and returns what is wrong."""
    loops, harness, program = parts(name, version)
    size, right = SMALL[name]
    done = served.run(tine, ["ml", "run", *more, "--with", loops, "--with", harness, "--workers", workers, program, *size.split()], timeout=120)
    if not done.stdout.startswith(b"{"):
        return f"exit code {done.returncode}: {done.stdout.decode()}{done.stderr.decode()}"
    report = json.loads(done.stdout)
    print(f"{name} {version} workers={workers}: {report['answer']} {report['median_s']} s", flush=True)
    return report["mistake"] or ("" if close(report["answer"], right) else f"the answer is {report['answer']}, that of the twin in C++ is {right}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", metavar="TINE")
    parser.add_argument("--run", metavar="TINE")
    parser.add_argument("--workers", default="1,2,8")
    parser.add_argument("--options", metavar="TEXT", default="")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    jobs = [(name, version) for name in options.names or SMALL for version in VERSIONS]
    if options.quick:  # each other version has a third of the programs
        jobs = [job for number, name in enumerate(options.names or SMALL) for job in ((name, VERSIONS[0]), (name, VERSIONS[1 + number % 3]))]
    if options.check:
        wrong = [checked(options.check, parts(*job)) for job in jobs]
    else:
        wrong = [mistake(options.run, options.options.split() + ["--level=0"] * (options.quick and job[1] != VERSIONS[0]), number, *job)
                 for number in options.workers.split(",") for job in jobs]
    bad = [f"{' '.join(job)}: {text}" for job, text in zip(jobs * len(wrong), wrong) if text]
    print("\n".join(bad), f"{len(wrong) - len(bad)} good, {len(bad)} bad", sep="\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
