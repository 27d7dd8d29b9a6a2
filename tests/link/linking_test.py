#!/usr/bin/env python3
"""A program links the parts of the library that it uses: a fork needs no analysis, no file writer and no schedule.

usage: linking_test.py PROGRAM_WITH_RUNTIME PROGRAM_WITH_PROFILER"""

import os
import subprocess
import sys
import tempfile

# Parts that a fork does not need, by a namespace or class of each.
PARTS = {"the profiler": "tine_profiler", "analyses": "tine::detail::region", "the writer of profiles": "tine::trace::",
         "schedules": "tine::schedule::", "JSON": "nlohmann::"}


def parts_of(program: str) -> set[str]:
    symbols = subprocess.run(["nm", "-C", program], capture_output=True, text=True, check=True).stdout
    return {part for part, name in PARTS.items() if name in symbols}


def profiles(program: str) -> bool:
    """Returns true if the program writes a profile when it is asked to. It must succeed in any case."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.profile")
        subprocess.run([program], env={**os.environ, "TINE_PROFILE": f"work:{path}"}, stderr=subprocess.DEVNULL, check=True)
        return os.path.exists(path)


def main() -> int:
    runtime, profiler = sys.argv[1:]
    checks = [
        ("tine::runtime has none of the parts", parts_of(runtime) == set(), parts_of(runtime)),
        ("tine::tine has the profiler", {"the profiler", "the writer of profiles"} <= parts_of(profiler), parts_of(profiler)),
        ("tine::runtime writes no profile", not profiles(runtime), ""),
        ("tine::tine writes a profile", profiles(profiler), ""),
    ]
    for what, holds, found in checks:
        if not holds:
            print(f"failed: {what}", found)
    failed = sum(not holds for _, holds, _ in checks)
    print(f"{len(checks) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
