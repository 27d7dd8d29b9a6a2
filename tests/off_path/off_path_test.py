"""Features that are off cost no instruction: the instructions of forks and chunks, counted by callgrind, are those written here. A
fork or loop in a recorded or observed region takes at most as many instructions more than one outside as MOST_BEYOND says.

usage: off_path_test.py PROGRAM         forks and loops of C++, in an optimised build
       off_path_test.py --compiled TINE  forks in Spork IR, which TINE compiles; their code is the same in every build of TINE

The exit code 77 says that there is no valgrind.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

# Instructions of one more instance of each construct: the difference between two sizes, over the number of additional
# instances.
#   construct: (smaller size, larger size, how many more, instructions of all of them together)
EXPECTED = {
    "fork": (12, 16, 1364, 48384),
    "pair": (12, 16, 1364, 54560),
    "coroutine": (12, 16, 1364, 152768),
    "short_loop": (100, 1100, 1000, 15000),
    "chunk": (10, 30, 20, 760),
    "group": (12, 16, 1364, 1200340),
    "group_task": (100, 300, 200, 97328),
    "c_fork": (12, 16, 1364, 107756),
    "c_loop": (100, 1100, 1000, 101000),
    "phase": (100, 1100, 1000, 5000),
}
# Instructions of fib in Spork IR, in both ways of promotion, as above.
COMPILED = {
    "record": (12, 16, 1364, 42928),
    "stackmap": (12, 16, 1364, 30974),
}
FIB = """\
fun fib(n: i64) -> (i64) {
  block entry { if n < 2 then small else large }
  block small { return (n) }
  block large { par fib(n - 1), fib(n - 2) -> done }
  block done(a: i64, b: i64) { return (a + b) }
}
fun main() -> (i64) {
  block entry { call fib(SIZE) -> out }
  block out(r: i64) { return (r) }
}
"""
# A fork or loop in a recorded or observed region may execute that many instructions more than one outside. An observed one has an
# analysis of work and span.
#   construct: (smaller size, larger size, how many more, at most that many beyond if recorded, and if observed)
MOST_BEYOND = {
    "fork": (12, 16, 1364, 65, 255),
    "short_loop": (100, 1100, 1000, 175, 175),  # by the clock of callgrind, up to half of the loops are timed
    "queens": (4, 5, 1400, 185, 359),
    "loop": (10, 30, 20, 1600, 2500),  # ten iterations, each in a chunk of its own
}

MOST_BYTES = 1320  # of the slow paths of one fork (fork_elsewhere.hpp); they were 2,641 with an observed fork in each

WHAT_TO_DO = """
A fork, loop or coroutine that is not observed, recorded or replayed executes other instructions than before. If that was not
meant, something has got onto the hot path: what is new belongs behind the limit test (docs/internals/way-of-a-fork.md). If it was, or the
compiler's pinned release has changed, write the counts above into EXPECTED in tests/off_path/off_path_test.py, and what has
changed and why into CHANGELOG.md and the table "Off" of docs/measurements/performance.md.
"""


def collected(functions, command):
    """Instructions of the functions: of one alone, or without those of others that it calls."""
    toggles = [f"--toggle-collect={function}" for function in functions]
    run = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *toggles, *command],
                         capture_output=True, text=True, timeout=100, env={**os.environ, "TINE_NUM_THREADS": "1"})
    found = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode != 0 or not found:
        sys.exit(f"{command}: valgrind has failed:\n{run.stderr}")
    return int(found.group(1))


def count(program, construct, size):
    """Instructions of `measured`, without those of `wait`."""
    return collected(["measured", "wait"], [program, construct, str(size)])


def count_compiled(tine, folder, promotion, size):
    """Instructions of fib(size) in Spork IR, for processors of any kind."""
    text, app = os.path.join(folder, "fib.spork"), os.path.join(folder, "fib")
    with open(text, "w", encoding="utf-8") as file:
        file.write(FIB.replace("SIZE", str(size)))
    subprocess.run([tine, "ir", "build", text, "-o", app, f"--promotion={promotion}", "--march=x86-64"], check=True)
    return collected(["tine_program"], [app])


def size_of_slow_path(program):
    """Bytes of code that the fork of `fork` has beside its fast path."""
    symbols = subprocess.run(["nm", "-S", program], capture_output=True, text=True, check=True).stdout
    return sum(int(size, 16) for size, name in re.findall(r"^\w+ (\w+) \w (\S*fork_elsewhere\S*)$", symbols, re.M) if "4forkEl" in name)


def check(name, found, more, expected):
    same = found == expected
    print(f"{'ok  ' if same else 'FAIL'} {name:17} {found:9} instructions for {more} more ({found / more:.2f} each)"
          + ("" if same else f"; it was {expected} ({expected / more:.2f})"))
    return same


def check_compiled(tine):
    """Returns the numbers of checks and of failed ones."""
    with tempfile.TemporaryDirectory() as folder:
        right = [check(f"compiled {promotion}", count_compiled(tine, folder, promotion, many) - count_compiled(tine, folder, promotion, few), more, expected)
                 for promotion, (few, many, more, expected) in COMPILED.items()]
    return len(right), right.count(False)


def check_program(program):
    """Returns the numbers of checks and of failed ones."""
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        # valgrind 3.19 does not understand the debug information of clang 19, but needs the names.
        plain = os.path.join(folder, "off_path")
        subprocess.run(["objcopy", "--strip-debug", program, plain], check=True)
        for construct, (few, many, more, expected) in EXPECTED.items():
            failed += not check(construct, count(plain, construct, many) - count(plain, construct, few), more, expected)
        for construct, (few, many, more, *most) in MOST_BEYOND.items():
            def each_in(region):
                return (count(plain, region + construct, many) - count(plain, region + construct, few)) / more
            off = EXPECTED[construct][3] / more if construct in EXPECTED else each_in("")
            for region, limit in zip(("recorded", "observed"), most):
                each = each_in(region + "_")
                failed += each - off > limit
                print(f"{'ok  ' if each - off <= limit else 'FAIL'} {region} {construct} {each:.2f} instructions each, {each - off:.2f} more than outside; at most {limit} more")
        size = size_of_slow_path(plain)
        failed += size == 0 or size > MOST_BYTES
        print(f"{'ok  ' if 0 < size <= MOST_BYTES else 'FAIL'} a fork's slow path has {size} bytes; at most {MOST_BYTES}")
    return len(EXPECTED) + 2 * len(MOST_BEYOND) + 1, failed


def main(program, tine=None):
    if not shutil.which("valgrind"):
        print("skipped: there is no valgrind (./dev setup test)")
        return 77
    checks, failed = check_compiled(tine) if program == "--compiled" else check_program(program)
    if failed:
        print(WHAT_TO_DO)
    print(f"{checks - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
