"""Counts the functions and the lines of code that one stolen fork passes, and compares them with docs/internals/way-of-a-fork.md.

usage: way_test.py PROGRAM PROJECT [--list]        (as ctest calls it; --list prints the functions)

A function counts if a worker enters it (entered.cpp), it is tine's own, and it has more than 3 lines of code: one-liners, the atomic
words and casts of `detail/base`, the instructions of `src/base/arch`, and the standard library are what a reader need not open. A line of code is one that is neither empty
nor a comment. Functions that the compiler would inline count like all others.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

PROGRAM, PROJECT = sys.argv[1], Path(sys.argv[2]).resolve()
sys.path[:0] = [str(PROJECT / "lint"), str(PROJECT / "lint" / "rules")]
from functions import functions  # noqa: E402
from tree import Tree  # noqa: E402

MOST = {"finished": (60, 510), "suspended": (92, 790)}  # functions, lines
SMALL = 3


def entered(scenario):
    """Returns (path in the project, line) of each function entered."""
    run = subprocess.run([PROGRAM, scenario], capture_output=True, text=True, timeout=60, check=True)
    if not run.stdout:
        sys.exit(f"{scenario}: no attempt went as it should")
    symbols = subprocess.run(["llvm-symbolizer-19", f"--obj={PROGRAM}", "--no-inlines", "-f", "--output-style=GNU"],
                             input=run.stdout, capture_output=True, text=True, timeout=100, check=True).stdout
    for place in re.findall(r"^(/.*):(\d+)(?::\d+)?$", symbols.replace(" (discriminator", ":"), re.MULTILINE):
        path = os.path.realpath(place[0])
        if path.startswith(str(PROJECT) + "/"):
            yield path[len(str(PROJECT)) + 1:], int(place[1])


def passed(scenario, tree):
    """Returns {(path, name, first line): lines of code} of the functions that count."""
    found = {}
    for path, line in entered(scenario):
        if path.startswith(("include/tine/detail/base/", "src/base/arch/")) or not path.startswith(("include/", "src/")):
            continue
        around = [f for f in functions(tree.source(path)) if f.first <= line <= f.last]
        if not around:
            continue  # the compiler wrote it
        inner = max(around, key=lambda f: f.first)
        lines = tree.source(path).lines[inner.first - 1:inner.last]
        code = sum(1 for text in lines if text.strip() and not text.strip().startswith("//"))
        if code > SMALL:
            found[(path, inner.name, inner.first)] = code
    return found


def main():
    tree = Tree(PROJECT)
    text = " ".join((PROJECT / "docs" / "internals" / "way-of-a-fork.md").read_text().split())
    failed = 0
    for scenario, (most_functions, most_lines) in MOST.items():
        found = passed(scenario, tree)
        lines = sum(found.values())
        good = 20 < len(found) <= most_functions and lines <= most_lines
        said = f"{most_functions} functions and {most_lines} lines" in text
        failed += not (good and said)
        print(f"{'ok  ' if good else 'FAIL'} {scenario:10} {len(found)} functions, {lines} lines; at most {most_functions} and {most_lines}"
              + ("" if said else "; docs/internals/way-of-a-fork.md says other numbers"))
        if not good or "--list" in sys.argv:
            for (path, name, line), size in sorted(found.items(), key=lambda each: -each[1]):
                print(f"  {size:3} {path}:{line} {name}")
    print(f"{len(MOST) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
