#!/usr/bin/env python3
"""Runs the commands of pages for users, and compares their output with the pages.

    commands_test.py TINE PAGE...

A block whose first line is ```spork NAME is written to the file NAME. In a block `console` each line that begins with `$ ` is a command, and
the lines up to the next one are its output. `tine` is TINE."""

import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```(spork|console)(?: (\S+))?\n(.*?)^```$", re.M | re.S)


def main() -> None:
    tine, pages = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    environment = {**os.environ, "PATH": f"{tine.parent}:{os.environ['PATH']}"}
    passed, failures = 0, []
    for page in pages:
        with tempfile.TemporaryDirectory() as folder:
            for language, name, text in BLOCK.findall(pathlib.Path(page).read_text()):
                if language == "spork":
                    (pathlib.Path(folder) / name).write_text(text)
                    continue
                for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.M):
                    done = subprocess.run(shlex.split(command), cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                          text=True, timeout=60, check=False)
                    if done.stdout == expected:
                        passed += 1
                    else:
                        failures.append(f"{page}: {command}: the page shows\n{expected}but it prints\n{done.stdout}")
    for failure in failures:
        print(f"failed: {failure}")
    print(f"{passed} passed, {len(failures)} failed")
    sys.exit(1 if failures or passed == 0 else 0)


if __name__ == "__main__":
    main()
