"""Runs a Python program again, with libtine_omp.so preloaded, by the command `tine omp`."""

import sys

from tine import COMMAND, become

# Each option as the help shows it. One with a blank has a value, which may be the next word.
OPTIONS = {
    "--workers N": "workers of tine; one for each processor by default",
    "--threads N[,N...]": "threads of a team, as OMP_NUM_THREADS",
    "--profile[=FILE]": "write a profile, tine-PID.profile by default, and report",
    "--record FILE": "record the order of the run in this file",
    "--replay FILE": "repeat the order of a recorded run",
}
HAS_VALUE = {form.split()[0].partition("[")[0]: " " in form for form in OPTIONS}


def print_help():
    print("usage: python -m tine [OPTION...] (SCRIPT | -m MODULE | -c CODE) [ARGUMENT...]\n")
    print("Runs a Python program. OpenMP in its libraries, e.g. numba's or scikit-learn's, runs on tine.\n")
    for form, text in OPTIONS.items():
        print(f"  {form:<20}{text}")
    print("\n`tine omp --help` says more.")


def fail(what):
    sys.exit(f"python -m tine: {what}")


def split(words):
    """Returns the options of `tine omp`, and the words behind them, which are Python's."""
    options, rest = [], list(words)
    while rest and rest[0].startswith("--"):
        word = rest.pop(0)
        name, equals, _ = word.partition("=")
        if name not in HAS_VALUE:
            fail(f"there is no option {word}; `python -m tine --help` lists them")
        options.append(word)
        if HAS_VALUE[name] and not equals:
            if not rest:
                fail(f"{word} needs a value")
            options.append(rest.pop(0))
    if not rest:
        fail("there is no script to run; write e.g. `python -m tine --profile script.py`")
    return options, rest


def flags_of_interpreter():
    """Returns the words between `python` and `-m tine`, which the program gets, too."""
    own = sys.orig_argv[1 : len(sys.orig_argv) - len(sys.argv) + 1]
    return own[:-1] if own[-1] == "-mtine" else own[:-2]


if __name__ == "__main__":
    if sys.argv[1:2] in (["--help"], ["-h"]):
        print_help()
        sys.exit()
    options, program = split(sys.argv[1:])
    try:
        become("omp", *options, "--", sys.executable, *flags_of_interpreter(), *program)
    except OSError as e:
        fail(f"{COMMAND} cannot be started: {e.strerror}")
