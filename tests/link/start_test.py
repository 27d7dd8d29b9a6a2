#!/usr/bin/env python3
"""A program reaches its first fork in few instructions, which callgrind counts in `main`: those of the dynamic loader are not tine's.

usage: start_test.py PROGRAM      minimal.cpp, with one fork

The exit code 77 says that there is no valgrind.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

# The system has files for each processor and lines for each mount, which a pool reads.
MOST = 200_000
MOST_FOR_EACH_PROCESSOR = 6_000

WHAT_TO_DO = """
The start of the default pool takes more instructions than it may. `valgrind --tool=callgrind --toggle-collect=main PROGRAM` and
`callgrind_annotate --inclusive=yes` show where they are. Streams, locales and hwloc are not for programs that only fork
(docs/internals/decisions/059-a-pool-starts-without-hwloc.md).
"""


def main(program):
    if not shutil.which("valgrind"):
        print("skipped: there is no valgrind (./dev setup test)")
        return 77
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("TINE_", "HWLOC_"))}
    with tempfile.TemporaryDirectory() as folder:
        # valgrind 3.19 does not understand the debug information of clang 19, but needs the names.
        plain = os.path.join(folder, "minimal")
        subprocess.run(["objcopy", "--strip-debug", program, plain], check=True)
        run = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=main", plain],
                             capture_output=True, text=True, timeout=50, env={**environment, "TINE_NUM_THREADS": "2"})
    found = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode != 0 or not found:
        sys.exit(f"valgrind has failed:\n{run.stderr}")
    count = int(found.group(1))
    most = MOST + MOST_FOR_EACH_PROCESSOR * os.cpu_count()
    print(f"{'ok  ' if count <= most else 'FAIL'} {count} instructions until the end of a program with one fork; at most {most}")
    if count > most:
        print(WHAT_TO_DO)
    return count > most


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
