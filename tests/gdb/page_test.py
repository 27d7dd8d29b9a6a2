#!/usr/bin/env python3
"""Compiles the program of docs/reference/debugging.md, runs the page's session in gdb, and compares the output with the page.

usage: page_test.py PAGE SCRIPT COMPILER WORD...

In a block `gdb` each line behind "(gdb) " is a command, and the lines up to the next one are its output; … stands for any text, and a line that
is only … for any lines."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def pattern(expected):
    """A regular expression for the output that the page shows."""
    lines = []
    for line in expected.rstrip("\n").split("\n"):
        lines.append(r"(?:.*\n)*" if line == "…" else re.escape(line).replace("…", ".*").replace(r"\ ", " ") + "\n")
    return re.compile("".join(lines))


def main():
    page, script, compiler = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), sys.argv[3:]
    if shutil.which("gdb") is None:
        return 77
    text = pathlib.Path(page).read_text()
    program = re.search(r"^```cpp\n(.*?)^```$", text, re.M | re.S)[1]
    session = re.search(r"^```gdb\n(.*?)^```$", text, re.M | re.S)[1]
    steps = re.findall(r"^\(gdb\) (.*)\n((?:(?!\(gdb\) ).*\n)*)", session, re.M)
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "orders.cpp").write_text(program)
        # the words with the program's name come first, because the libraries have to be behind it
        built = subprocess.run([compiler[0], "-std=c++20", "-O2", "-g", "orders.cpp", *compiler[1:], "-o", "orders"], cwd=folder, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, timeout=200)
        if built.returncode != 0:
            print(built.stdout)
            print("0 passed, 1 failed")
            return 1
        words = ["gdb", "-q", "-batch", "-nx", "-iex", "set pagination off", "-iex", "set width 0", "-iex", "set auto-load no", "-ex", f"source {script}"]
        for i, (command, _) in enumerate(steps):
            words += ["-ex", f"echo =={i}==\\n", "-ex", command]
        out = subprocess.run([*words, "orders"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=100, stdin=subprocess.DEVNULL).stdout
    if "ptrace" in out:
        print("gdb may not trace processes here: skipped")
        return 77
    parts = re.split(r"^==\d+==\n", out, flags=re.M)[1:]
    for (command, expected), got in zip(steps, parts):
        good = pattern(expected).fullmatch(got) is not None
        passed, failed = passed + good, failed + (not good)
        if not good:
            print(f"failed: {command}: the page shows\n{expected}but gdb prints\n{got}")
    failed += len(parts) != len(steps)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


sys.exit(main())
