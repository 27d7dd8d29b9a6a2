#!/usr/bin/env python3
"""Labels in C++ and in Coq: random computations run in parallel, and the program that Coq makes of the proofs compares the relations of all pairs of strands.

    labels_test.py PROOFS WORK PROGRAM [--count N] [--seed N]

PROOFS is the folder of the sources, WORK that in which proofs/check.py has compiled them, and PROGRAM is label_relations."""
import argparse
import pathlib
import shutil
import subprocess
import sys


def main():
    a = argparse.ArgumentParser()
    a.add_argument("proofs", type=pathlib.Path)
    a.add_argument("work", type=pathlib.Path)
    a.add_argument("program")
    a.add_argument("--count", type=int, default=2000)
    a.add_argument("--seed", type=int, default=1)
    given = a.parse_args()
    shutil.copy(given.proofs / "extraction.v", given.work)
    shutil.copy(pathlib.Path(__file__).parent / "compare_labels.ml", given.work)
    for command in [["coqc", "-Q", ".", "tine", "extraction.v"], ["ocamlopt", "-w", "-a", "labels.mli", "labels.ml", "compare_labels.ml", "-o", "compare_labels"]]:
        done = subprocess.run(command, cwd=given.work, capture_output=True, text=True)
        if done.returncode != 0:
            print(" ".join(command), done.stdout + done.stderr, "0 passed, 1 failed", sep="\n")
            return 1
    print(f"seed {given.seed}, {given.count} computations", flush=True)
    with subprocess.Popen([given.program, str(given.seed), str(given.count)], stdout=subprocess.PIPE) as made:
        compared = subprocess.run([given.work / "compare_labels"], stdin=made.stdout)
        return compared.returncode or made.wait()


if __name__ == "__main__":
    sys.exit(main())
