#!/usr/bin/env python3
"""Compiles the programs of the guide's page about races, runs them under `tine race`, and compares the reports with the page.

    guide_test.py PAGE TINE LIBRARY... -- COMPILER... -- FLAGS...

Each block `cpp` of the page is a program, and the block `text` behind it is the output of `tine race`; the words behind `text` are its
options. `…` stands for any characters of a line."""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```(cpp|text)([^\n]*)\n(.*?)^```$", re.M | re.S)
SOURCE = "histogram.cpp"  # the name of the file in the page


def programs(page: str) -> list[tuple[str, list[str], str]]:
    """Returns the source, the options and the expected output of each program."""
    found, source = [], None
    for language, options, text in BLOCK.findall(page):
        if language == "cpp":
            source = text
        elif source is not None:
            found.append((source, options.split(), text))
            source = None
    return found


def matches(expected: str, output: str) -> bool:
    pattern = re.escape(expected.strip()).replace("…", "[^\n]*")
    lines = "\n".join(line.rstrip() for line in output.split("\n") if line.strip())
    return re.fullmatch(re.sub(r"(\\\n)+", "\n", pattern), lines) is not None


def check(tine: str, libraries: list[str], compiler: list[str], flags: list[str], program: tuple[str, list[str], str]) -> str:
    """Returns an empty text, or what is wrong."""
    source, options, expected = program
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / SOURCE).write_text(source)
        detection = ["-std=c++20", "-O2", "-g", "-fsanitize=thread", "-fno-tree-vectorize", "-fno-tree-slp-vectorize", "-DTINE_RACE_DETECTION"]
        compiled = subprocess.run([*compiler, *flags, *detection, "-c", SOURCE], cwd=folder, capture_output=True, text=True, check=False)
        linked = subprocess.run([compiler[-1], "histogram.o", "-o", "histogram", *libraries, "-pthread"], cwd=folder, capture_output=True, text=True, check=False)
        if compiled.returncode or linked.returncode:
            return f"it does not compile:\n{compiled.stderr}{linked.stderr}"
        # A program that checks itself asks the command for the text.
        checks_itself = "check_races" in source
        command = ["./histogram"] if checks_itself else [tine, "race", *options, "--", "./histogram"]
        run = subprocess.run(command, cwd=folder, env={**os.environ, "TINE_COMMAND": tine}, capture_output=True, text=True, timeout=60, check=False)
    output = run.stdout + run.stderr
    if run.returncode != ("race 1" in expected and not checks_itself):
        return f"exit code {run.returncode}:\n{output}"
    return "" if matches(expected, output) else f"the page has\n{expected}and the program printed\n{output}"


def main() -> int:
    first, second = (i for i, word in enumerate(sys.argv) if word == "--")
    page, tine, *libraries = sys.argv[1:first]
    compiler, flags = sys.argv[first + 1:second], sys.argv[second + 1:]
    found = programs(pathlib.Path(page).read_text())
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        problems = list(pool.map(lambda each: check(tine, libraries, compiler, flags, each), found))
    for number, problem in enumerate(problems, 1):
        if problem:
            print(f"failed: program {number}: {problem}", file=sys.stderr)
    failed = sum(map(bool, problems))
    print(f"{len(found) - failed} passed, {failed} failed")
    return 1 if failed or not found else 0


sys.exit(main())
