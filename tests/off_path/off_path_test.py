"""Features that are off cost no instruction: the instructions of forks and chunks, counted by callgrind, are those written here. A
fork in a recorded region takes at most MAX_RECORDED instructions more than a fork outside.

usage: off_path_test.py PROGRAM        (as ctest calls it; 77: there is no valgrind)
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

# Instructions of one more instance of each construct: the difference between two sizes, over the number of additional instances.
#   construct: (smaller size, larger size, how many more, instructions of all of them together)
EXPECTED = {
    "fork": (12, 16, 1364, 48384),
    "pair": (12, 16, 1364, 54560),
    "coroutine": (12, 16, 1364, 152768),
    "short_loop": (100, 1100, 1000, 15000),
    "chunk": (10, 30, 20, 760),
}
RECORDED = (12, 16, 1364)
MAX_RECORDED = 65  # for each fork

WHAT_TO_DO = """
A fork, loop or coroutine that is not observed, recorded or replayed executes other instructions than before. If that was not
meant, something has got onto the hot path: what is new belongs behind the limit test (docs/way-of-a-fork.md). If it was, or the
compiler's pinned release has changed, write the counts above into EXPECTED in tests/off_path/off_path_test.py, and what has
changed and why into CHANGELOG.md and the table "Off" of docs/performance.md.
"""


def count(program, construct, size):
    """Instructions of `measured`, without those of `wait`."""
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=measured",
         "--toggle-collect=wait", program, construct, str(size)],
        capture_output=True, text=True, timeout=100)
    found = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode != 0 or not found:
        sys.exit(f"{construct} {size}: valgrind has failed:\n{run.stderr}")
    return int(found.group(1))


def main(program):
    if not shutil.which("valgrind"):
        print("skipped: there is no valgrind (./dev setup test)")
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        # valgrind 3.19 does not understand the debug information of clang 19, but needs the names.
        plain = os.path.join(folder, "off_path")
        subprocess.run(["objcopy", "--strip-debug", program, plain], check=True)
        for construct, (few, many, more, expected) in EXPECTED.items():
            found = count(plain, construct, many) - count(plain, construct, few)
            same = found == expected
            failed += not same
            print(f"{'ok  ' if same else 'FAIL'} {construct:12} {found:9} instructions for {more} more ({found / more:.2f} each)"
                  + ("" if same else f"; it was {expected} ({expected / more:.2f})"))
        few, many, more = RECORDED
        recorded = (count(plain, "recorded_fork", many) - count(plain, "recorded_fork", few)) / more
        over = recorded - EXPECTED["fork"][3] / EXPECTED["fork"][2]
        failed += over > MAX_RECORDED
        print(f"{'ok  ' if over <= MAX_RECORDED else 'FAIL'} recorded_fork {recorded:.2f} instructions each, {over:.2f} more than a fork; "
              f"at most {MAX_RECORDED} more")
    if failed:
        print(WHAT_TO_DO)
    print(f"{len(EXPECTED) + 1 - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
