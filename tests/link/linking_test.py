#!/usr/bin/env python3
"""A program links the parts of the library that it uses: a fork needs no analysis, no file writer and no schedule. Programs that link tine::tine
are profiled, recorded and replayed without preparation.

usage: linking_test.py PROGRAM_WITH_RUNTIME PROGRAM_WITH_PROFILER"""

import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from checks import check, end  # noqa: E402

# Parts that a fork does not need, by a namespace or class of each.
PARTS = {"the profiler": "tine_profiler", "analyses": "tine::detail::region", "the writer of profiles": "tine::trace::",
         "schedules": "tine::schedule::", "the recording of processes": "tine_replay", "JSON": "nlohmann::"}


def parts_of(program: str) -> set[str]:
    symbols = subprocess.run(["nm", "-C", program], capture_output=True, text=True, check=True).stdout
    return {part for part, name in PARTS.items() if name in symbols}


def writes(program: str, variable: str, what: str) -> bool:
    """Returns true if the program writes a file when the variable asks for it. It must succeed in any case."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.file")
        subprocess.run([program], env={**os.environ, variable: what + path}, stderr=subprocess.DEVNULL, check=True)
        return os.path.exists(path)


def main() -> None:
    runtime, profiler = sys.argv[1:]
    check("tine::runtime has none of the parts", parts_of(runtime) == set(), parts_of(runtime))
    check("tine::tine has the profiler", {"the profiler", "the writer of profiles"} <= parts_of(profiler), parts_of(profiler))
    check("tine::tine has the recording of processes", {"schedules", "the recording of processes"} <= parts_of(profiler), parts_of(profiler))
    check("tine::runtime records nothing", not writes(runtime, "TINE_RECORD", ""))
    check("tine::tine records a journal", writes(profiler, "TINE_RECORD", ""))
    check("tine::runtime writes no profile", not writes(runtime, "TINE_PROFILE", "work:"))
    check("tine::tine writes a profile", writes(profiler, "TINE_PROFILE", "work:"))
    end()


if __name__ == "__main__":
    main()
