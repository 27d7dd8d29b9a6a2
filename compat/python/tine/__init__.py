"""The tine command, and the library that runs OpenMP on tine: see `python -m tine --help`."""

import os
import pathlib
import sys

COMMAND = pathlib.Path(__file__).parent / "bin/tine"


def become(*words):
    """Replaces this process by the tine command. Returns only by an exception."""
    os.execv(COMMAND, ["tine", *words])


def main():
    become(*sys.argv[1:])
