#!/usr/bin/env python3
"""./dev VERB --help answers for each verb that ./dev knows, and ./dev help lists each of them.

usage: dev_test.py SOURCE      SOURCE is the folder of ./dev"""

import pathlib
import re
import subprocess
import sys

from checks import check, end


def run(dev, *words):
    return subprocess.run([dev, *words], capture_output=True, text=True, timeout=60)


def main():
    dev = pathlib.Path(sys.argv[1]).resolve() / "dev"
    accepted = re.findall(r"^verb_([a-z]+)\(\)", dev.read_text(), re.MULTILINE)
    listed = re.findall(r"^  ([a-z]+)(?: \[.*\])?  +\w", run(dev, "help").stdout, re.MULTILINE)
    check("./dev help lists the verbs, and no others", sorted(accepted) == sorted(listed), (accepted, listed))
    for verb in accepted:
        answer = run(dev, verb, "--help")
        own = verb == "help" or f"usage: ./dev {verb}" in answer.stdout
        check(f"./dev {verb} --help", answer.returncode == 0 and "usage: ./dev" in answer.stdout and own, answer)
    check("no other verb", run(dev, "frobnicate", "--help").returncode == 2)
    end()


if __name__ == "__main__":
    main()
