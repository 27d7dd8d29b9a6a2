#!/usr/bin/env python3
"""Makes plausible mistakes in the product, one after the other, and expects that the tests named for each fail.

    run.py                    every break; ends with "N passed, N failed", and prints the breaks that no test noticed
    run.py --list             the breaks: room, id, file, what goes wrong
    run.py --check            only whether the sources have what each entry names
    run.py --only ID...       these breaks; --room ROOM... those of some rooms
    run.py --build FOLDER     where the copy of the sources is built (build/breaks by default); --jobs N compiles with N processes

The breaks are in list/*.toml. The checkout is never changed: the runner copies its files to FOLDER, and builds there, with one
configuration. First it runs the tests without a break, because a test that fails anyway proves nothing. entry.py describes an entry.
"""

import argparse
import difflib
import json
import os
import pathlib
import subprocess
import sys
import time

from copy_of_sources import Copy, Result
from entry import BadEntry, Break, read_all, unit_tests

ROOT = pathlib.Path(__file__).resolve().parents[2]


def ordered(breaks: list[Break]) -> list[Break]:
    """Breaks of one file follow each other: then each file that includes it is compiled once for each break, and not twice."""
    first_of = {}
    for number, b in enumerate(breaks):
        first_of.setdefault(b.file, number)
    return sorted(breaks, key=lambda b: first_of[b.file])


Failures = dict[str, str]  # by the break's id: what is wrong


def outdated(breaks: list[Break]) -> Failures:
    """Returns the entries that the sources have outgrown."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    sources = {program: "".join((ROOT / f).read_text() for f in files) for program, files in unit_tests(set(listed)).items()}
    faults = {b.id: b.fault(ROOT, sources) for b in breaks}
    return {name: fault for name, fault in faults.items() if fault}


def failing_anyway(breaks: list[Break], copy: Copy) -> Failures:
    """Builds and runs all tests without a break. Returns the breaks whose tests prove nothing."""
    is_built = copy.build(sorted({t for b in breaks for t in b.targets})) is None
    found: Failures = {}
    by_test: dict[tuple, str] = {}  # each test runs once
    for b in breaks:
        if not is_built and (output := copy.build(b.targets)) is not None:
            found[b.id] = f"without a break, its test does not compile:\n{output}"
            continue
        if b.test_key not in by_test:
            by_test[b.test_key] = "" if b.compiler else proves_nothing(copy.run_test(b))
        if by_test[b.test_key]:
            found[b.id] = by_test[b.test_key]
    return found


def proves_nothing(without_break: Result) -> str:
    """Returns why a test proves nothing, or an empty text."""
    if without_break.kind != "passed":
        return f"without a break, its test {without_break.kind}:\n{without_break.output[-3000:]}"
    return "its test runs nothing" if without_break.is_empty else ""


def try_break(b: Break, copy: Copy) -> tuple[bool, str]:
    """Returns whether the break was caught, and how, or why not."""
    path = copy.folder / b.file
    before = path.read_text()
    after = b.applied_to(before)
    path.write_text(after)
    try:
        built = copy.build(b.targets)
        if built is not None:
            return b.compiler, "the compiler refuses it" + ("" if b.compiler else f", which the entry does not say:\n{built}")
        if b.compiler:
            return False, "it compiles"
        result = copy.run_test(b)
    finally:
        path.write_text(before)
    if result.kind == "failed" or (result.kind == "hung" and b.hangs):
        return True, result.kind
    if result.kind == "hung":
        return False, f"the test hung for {b.seconds} s, which the entry does not say:\n{result.output[-2000:]}"
    name = str(path.relative_to(copy.folder))
    diff = difflib.unified_diff(before.splitlines(), after.splitlines(), name, name, lineterm="", n=2)
    return False, "no test noticed it:\n" + "\n".join(diff)


def run(breaks: list[Break], copy: Copy, log: pathlib.Path) -> int:
    failures = outdated(breaks)
    copy.configure()
    failures |= failing_anyway([b for b in breaks if b.id not in failures], copy)
    tried = ordered([b for b in breaks if b.id not in failures])
    for number, b in enumerate(tried, 1):
        began = time.monotonic()
        caught, how = try_break(b, copy)
        seconds = time.monotonic() - began
        print(f"[{number}/{len(tried)}] {b.room} {b.id}: {how.splitlines()[0]}, {seconds:.0f} s", flush=True)
        with log.open("a") as file:
            json.dump({"id": b.id, "caught": caught, "how": how.splitlines()[0], "test": b.test_text(), "seconds": round(seconds, 1)}, file)
            file.write("\n")
        if not caught:
            failures[b.id] = how
    for b in breaks:
        if b.id in failures:
            print(f"\n{b.room} {b.id}: {b.wrong}\n  {b.test_text()}\n{failures[b.id]}")
    print(f"{len(breaks) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--list", action="store_true")
    arguments.add_argument("--check", action="store_true")
    arguments.add_argument("--only", nargs="+", metavar="ID")
    arguments.add_argument("--room", nargs="+")
    arguments.add_argument("--build", type=pathlib.Path, default=ROOT / "build/breaks", metavar="FOLDER")
    arguments.add_argument("--jobs", type=int, default=os.cpu_count())
    chosen = arguments.parse_args()
    try:
        every = read_all(pathlib.Path(__file__).parent / "list")
        breaks = [b for b in every if (not chosen.only or b.id in chosen.only) and (not chosen.room or b.room in chosen.room)]
        unknown = (set(chosen.only or ()) - {b.id for b in every}) | (set(chosen.room or ()) - {b.room for b in every})
        if unknown:
            raise BadEntry(f"there is no {', '.join(sorted(unknown))} in the list")
        if chosen.list:
            for b in breaks:
                print(f"{b.room:10} {b.id:36} {b.file}: {b.wrong}")
            print(f"{len(breaks)} breaks")
            return 0
        if chosen.check:
            failures = outdated(breaks)
            print("".join(f"{fault}\n" for fault in failures.values()) + f"{len(breaks) - len(failures)} passed, {len(failures)} failed")
            return 1 if failures else 0
        copy = Copy(ROOT, chosen.build.resolve(), chosen.jobs)
        copy.refresh(every)
        return run(breaks, copy, chosen.build / "build/breaks.jsonl")
    except (BadEntry, subprocess.CalledProcessError) as error:
        print(f"run.py: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
