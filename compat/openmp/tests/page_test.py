#!/usr/bin/env python3
"""Compiles the C programs of the guide's page about OpenMP with gcc, runs them on tine, and compares what they print with the page.

    page_test.py LIBRARY BUILD-FOLDER

Each block `c` is a program, and the block `text` behind it its output."""

import os
import pathlib
import re
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "tests"))
import checks  # noqa: E402

LIBRARY, BUILD = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
PAGE = HERE.parents[2] / "docs/guide/openmp.md"

BUILD.mkdir(parents=True, exist_ok=True)
blocks = re.findall(r"^```c\n(.*?)^```\n\n```text\n(.*?)^```$", PAGE.read_text(), re.M | re.S)
checks.check("each program has its output behind it", len(blocks) == PAGE.read_text().count("\n```c\n") > 0, len(blocks))
for number, (text, output) in enumerate(blocks):
    source, program = BUILD / f"{number}.c", BUILD / str(number)
    source.write_text(text)
    checks.must(shutil.which("gcc-12") or "gcc", "-O2", "-Wall", "-Werror", "-fopenmp", source, "-o", program, "-lm")
    got = checks.run(program, timeout=60, env=os.environ | {"LD_PRELOAD": str(LIBRARY), "OMP_NUM_THREADS": "8"})
    checks.check(f"program {number}", got == (0, output), got)
checks.end()
