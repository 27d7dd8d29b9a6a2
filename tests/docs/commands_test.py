#!/usr/bin/env python3
"""Runs the commands of pages for users, and compares their output with the pages.

    commands_test.py TINE PAGE...

A block whose first line is ```spork NAME or ```sml NAME is written to the file NAME, which a command must use. In a block `console` each line that
begins with `$ ` is a command, behind variables as in a shell, and the lines up to the next one are its output: `…` stands for any characters of a
line, and a line `…` for any lines. `tine` is TINE. A block behind the comment `<!-- not run: REASON -->` is left alone."""

import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^(<!-- not run: [^\n]* -->\n)?```(spork|sml|console)(?: (\S+))?\n(.*?)^```$", re.M | re.S)
VARIABLE = re.compile(r"([A-Z_]+)=(.*)")


def run(command: str, folder: str, environment: dict) -> str:
    words, variables = shlex.split(command), {}
    while match := VARIABLE.fullmatch(words[0]):
        variables[match[1]] = match[2]
        words.pop(0)
    try:
        return subprocess.run(words, cwd=folder, env={**environment, **variables}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=60, check=False).stdout
    except OSError as error:  # an earlier command should have made the program
        return f"{error}\n"


def agrees(printed: str, page: str) -> bool:
    pattern = "".join("(?:.*\n)*" if line == "…\n" else re.escape(line).replace("…", ".*") for line in page.splitlines(keepends=True))
    return re.fullmatch(pattern, printed) is not None


def check_page(page: str, environment: dict) -> tuple[int, list[str]]:
    passed, failures, unused = 0, [], set()
    with tempfile.TemporaryDirectory() as folder:
        for is_left_alone, language, name, text in BLOCK.findall(pathlib.Path(page).read_text()):
            if is_left_alone:
                continue
            if language != "console":
                if not name:
                    failures.append(f"{page}: this block has no name:\n{text}")
                    continue
                (pathlib.Path(folder) / name).write_text(text)
                unused.add(name)
                continue
            for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.M):
                unused -= set(shlex.split(command))
                printed = run(command, folder, environment)
                if agrees(printed, expected):
                    passed += 1
                else:
                    failures.append(f"{page}: {command}: the page shows\n{expected}but it prints\n{printed}")
    return passed, failures + [f"{page}: no command uses {name}" for name in sorted(unused)]


def main() -> None:
    tine, pages = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    environment = {**os.environ, "PATH": f"{tine.parent}:{os.environ['PATH']}"}
    passed, failures = 0, []
    for page in pages:
        good, bad = check_page(page, environment)
        passed, failures = passed + good, failures + bad
    for failure in failures:
        print(f"failed: {failure}")
    print(f"{passed} passed, {len(failures)} failed")
    sys.exit(1 if failures or passed == 0 else 0)


if __name__ == "__main__":
    main()
