#!/usr/bin/env python3
"""Checks all proofs, and prints the assumptions of each main theorem.

    check.py FOLDER [--cached]     FOLDER gets a copy of the sources and what Coq makes of them

With --cached, Coq's compiled files are taken from the user's cache folder if the same Coq has made them of the same sources before, as a
compiler's cache does. The assumptions are asked for in any case.
"""
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
MOST_LINES = 600
# Words by which a proof could be left out.
UNPROVEN = re.compile(r"\b(Admitted|admit|Axiom|Axioms|Parameter|Parameters|Conjecture|Unset Guard Checking|Unset Positivity Checking)\b")


def sources():
    return [line for line in (HERE / "_CoqProject").read_text().split() if line.endswith(".v")]


def copy_to(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ["_CoqProject", "theorems.v", *sources()]:
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(HERE / name, folder / name)


def run(folder, *command):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        print(done.stdout + done.stderr)
    return done


def cache_folder(folder):
    """Returns the folder of what this Coq makes of the sources that were copied to the folder."""
    version = run(folder, "coqc", "--version").stdout
    texts = [f"{name}\n{(folder / name).read_text()}" for name in ["_CoqProject", *sources()]]
    key = hashlib.sha256("\0".join([version, *texts]).encode()).hexdigest()
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache", "tine", "proofs", key)


def compile_all(folder):
    made = run(folder, "coq_makefile", "-f", "_CoqProject", "-o", "Makefile.coq").returncode == 0
    return made and run(folder, "make", "-f", "Makefile.coq", "-j2").returncode == 0


def compile_cached(folder):
    kept = cache_folder(folder)
    if kept.exists():
        shutil.copytree(kept, folder, dirs_exist_ok=True)
        return True
    if not compile_all(folder):
        return False
    unfinished = kept.with_suffix(f".{os.getpid()}")
    for name in sources():
        file = unfinished / pathlib.Path(name).with_suffix(".vo")
        file.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(folder / pathlib.Path(name).with_suffix(".vo"), file)
    try:
        unfinished.rename(kept)
    except OSError:  # another run has kept the same
        shutil.rmtree(unfinished)
    return True


def check_sources(report):
    on_disk = {str(p.relative_to(HERE)) for p in HERE.rglob("*.v")} - {"theorems.v", "extraction.v"}
    report(on_disk == set(sources()), f"_CoqProject lists every file: {sorted(on_disk ^ set(sources()))}")
    for name in sources():
        text = (HERE / name).read_text()
        report(text.count("\n") <= MOST_LINES, f"{name} has at most {MOST_LINES} lines")
        found = UNPROVEN.search(re.sub(r"\(\*.*?\*\)", "", text, flags=re.S))
        report(found is None, f"{name} leaves out no proof: {found and found[0]}")


def check_theorems(folder, report):
    names = re.findall(r"^Print Assumptions (\S+)\.$", (HERE / "theorems.v").read_text(), re.M)
    done = run(folder, "coqc", "-Q", ".", "tine", "theorems.v")
    answers = re.split(r"^(?=Closed under|Axioms:)", done.stdout, flags=re.M)[1:]
    report(len(answers) == len(names), f"{len(names)} theorems have {len(answers)} answers")
    readme = (HERE / "README.md").read_text()
    for name, answer in zip(names, answers):
        closed = answer.startswith("Closed under the global context")
        print(f"{name}: {'no assumptions' if closed else answer.strip()}")
        report(closed, f"{name} rests on no axiom")
        report(f"`{name.split('.')[-1]}`" in readme, f"README.md names {name}")


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    counts = [0, 0]

    def report(holds, fact):
        counts[not holds] += 1
        if not holds:
            print(f"failed: {fact}")

    check_sources(report)
    copy_to(folder)
    made = compile_cached(folder) if "--cached" in sys.argv else compile_all(folder)
    report(made, "Coq accepts every file")
    if made:
        check_theorems(folder, report)
    print(f"{counts[0]} passed, {counts[1]} failed")
    return counts[1] != 0


if __name__ == "__main__":
    sys.exit(main())
