#!/usr/bin/env python3
"""The bridge between the proofs and C++: programs that Coq makes of the proofs find the same as tine.

    bridge_test.py build PROOFS WORK                      makes the OCaml programs; proofs/check.py has compiled the proofs in WORK
    bridge_test.py labels WORK label_relations            relations of strands, by all schemes of labels
    bridge_test.py spork WORK spork_programs FILE...      verdicts and answers of the programs in the files, of random programs, and of changes of them
    bridge_test.py mistakes WORK label_relations spork_programs FILE...
                                                          each deliberate mistake in C++ must be found

--count N and --seed N: how many random computations or programs, and from which seed on."""
import argparse
import pathlib
import re
import shutil
import signal
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
# Rules without which the verifier of C++ must differ from Coq's.
RULES = ["entry", "unknown-block", "unknown-function", "unknown-temporary", "nesting", "return-inside-spork", "spoin-outside-spork",
         "block-arguments", "call-arguments", "return-values", "scope", "main"]
# Wrong rules of the semantics (spork/tests/unit/ir/mutants.hpp). Three more are about memory, traps and the beginning
# of threads, which the proofs do not model.
WRONG_RULES = ["promotes_the_newest_frame", "promotes_the_newest_spork", "promotes_without_marking", "promotes_without_a_child",
               "promotes_with_other_arguments", "promotes_without_arguments", "puts_the_child_first", "gives_the_child_to_the_root",
               "sporks_without_pushing", "sporks_twice", "spoins_without_popping", "spoins_the_oldest", "joins_and_keeps_the_child",
               "joins_and_forgets_the_values", "joins_and_stays_promoted", "joins_a_parent", "reclaims_and_leaves_open",
               "reclaims_and_leaves_the_child", "returns_other_values", "returns_to_the_entry", "returns_as_if_waiting",
               "calls_without_arguments", "assigns_in_turn", "inverts_conditions"]
WRONG_COMPARISONS = ["depths", "branches"]


def build(proofs, work):
    shutil.copy(pathlib.Path(proofs, "extraction.v"), work)
    commands = [["coqc", "-Q", ".", "tine", "extraction.v"]]
    for name in ["labels", "spork"]:
        shutil.copy(HERE / f"compare_{name}.ml", work)
        # the warnings are about the code that Coq makes
        commands.append(["ocamlopt", "-w", "-a", f"{name}.mli", f"{name}.ml", f"compare_{name}.ml", "-o", f"compare_{name}"])
    for command in commands:
        done = subprocess.run(command, cwd=work, capture_output=True, text=True)
        if done.returncode != 0:
            print(" ".join(command), done.stdout + done.stderr, "0 passed, 1 failed", sep="\n")
            return 1
    print("1 passed, 0 failed")
    return 0


def compare(work, kind, command):
    """Prints what the comparison finds. Returns its exit code, or that of the program of C++ if that one fails."""
    with subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE) as made:
        compared = subprocess.run([pathlib.Path(work, f"compare_{kind}")], stdin=made.stdout)
    return compared.returncode or made.returncode


def has_difference(work, kind, command):
    """Compares up to the first difference. Returns false if there is none, or if one of the programs fails by itself."""
    with subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE) as made:
        compared = subprocess.run([pathlib.Path(work, f"compare_{kind}"), "first"], stdin=made.stdout, stdout=subprocess.PIPE, text=True)
    last = re.fullmatch(r"\d+ passed, (\d+) failed", compared.stdout.rstrip().split("\n")[-1])
    # The comparison does not read all that the program of C++ writes, which then ends by SIGPIPE.
    return last is not None and int(last[1]) > 0 and made.returncode in (0, -signal.SIGPIPE)


def labels(given, work, program):
    count = given.count or 2000
    print(f"seed {given.seed}, {count} computations", flush=True)
    return compare(work, "labels", [program, given.seed, count])


def spork(given, work, program, *files):
    count = given.count or 500
    print(f"seed {given.seed}, {count} programs and 4 changes of each; {len(files)} files and 40 changes of each", flush=True)
    of_files = compare(work, "spork", [program, "--seed", given.seed, "--mutants", 40, *files])
    of_seeds = compare(work, "spork", [program, "--seed", given.seed, "--programs", count, "--mutants", 4])
    return of_files or of_seeds


def mistakes(given, work, label_relations, spork_programs, *files):
    cases = [("labels", f"comparison by {wrong}", [label_relations, given.seed, 50, wrong]) for wrong in WRONG_COMPARISONS]
    programs = [spork_programs, "--seed", given.seed, "--programs", given.count or 100]
    cases += [("spork", f"verifier without the rule {rule}", [*programs, "--mutants", 10, "--without", rule, *files]) for rule in RULES]
    cases += [("spork", f"semantics that {rule}", [*programs, "--rules", rule, *files]) for rule in WRONG_RULES]
    missed = [name for kind, name, command in cases if not has_difference(work, kind, command)]
    for name in missed:
        print(f"failed: the bridge does not notice a {name}")
    print(f"{len(cases) - len(missed)} passed, {len(missed)} failed")
    return len(missed) != 0


def main():
    a = argparse.ArgumentParser()
    a.add_argument("what", choices=["build", "labels", "spork", "mistakes"])
    a.add_argument("words", nargs="+")
    a.add_argument("--count", type=int)
    a.add_argument("--seed", type=int, default=1)
    given = a.parse_args()
    if given.what == "build":
        return build(*given.words)
    return {"labels": labels, "spork": spork, "mistakes": mistakes}[given.what](given, *given.words)


if __name__ == "__main__":
    sys.exit(main())
