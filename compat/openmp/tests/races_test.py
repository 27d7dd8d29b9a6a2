#!/usr/bin/env python3
"""`tine race` on OpenMP programs: each case of races.cpp has a form with a race and one without.

    races_test.py TINE PROGRAM"""

import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tests"))
import checks  # noqa: E402

TINE, PROGRAM = sys.argv[1:]
ENVIRONMENT = {k: v for k, v in os.environ.items() if not re.match("OMP_|TINE_|LD_PRELOAD", k)}
ENVIRONMENT |= {"OMP_NUM_THREADS": "4", "OMP_MAX_ACTIVE_LEVELS": "2"}


def run(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60, env=ENVIRONMENT)


for name in run(PROGRAM).stdout.split():
    for form, code in ((), 0), (("racy",), 1):
        done = run(TINE, "race", "--", PROGRAM, name, *form)
        checks.check(f"{name} {' '.join(form)}", done.returncode == code, f"exit code {done.returncode}\n{done.stderr}")
        if form:
            checks.check(f"{name}: the line of the program", "races.cpp:" in done.stderr, done.stderr)
checks.end()
