#!/usr/bin/env python3
"""./dev VERB --help answers for each verb that ./dev knows, and ./dev help lists each of them.

usage: dev_test.py SOURCE      SOURCE is the folder of ./dev"""

import pathlib
import re
import subprocess
import sys


def run(dev, *words):
    return subprocess.run([dev, *words], capture_output=True, text=True, timeout=60)


def main():
    dev = pathlib.Path(sys.argv[1]).resolve() / "dev"
    accepted = re.findall(r"^verb_([a-z]+)\(\)", dev.read_text(), re.MULTILINE)
    listed = re.findall(r"^  ([a-z]+)(?: \[.*\])?  +\w", run(dev, "help").stdout, re.MULTILINE)
    checks = {"./dev help lists the verbs, and no others": sorted(accepted) == sorted(listed)}
    for verb in accepted:
        answer = run(dev, verb, "--help")
        own = verb == "help" or f"usage: ./dev {verb}" in answer.stdout
        checks[f"./dev {verb} --help"] = answer.returncode == 0 and "usage: ./dev" in answer.stdout and own
    checks["no other verb"] = run(dev, "frobnicate", "--help").returncode == 2
    for name, holds in checks.items():
        print(f"{'passed' if holds else 'failed'}: {name}")
    failed = list(checks.values()).count(False)
    print(f"{len(checks) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
