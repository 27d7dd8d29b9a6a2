"""Rules that ask other programs: the formatter, pinned to one release, and the compiler, for the cost of including tine."""

import fnmatch
import os
import re
import shutil
import subprocess
import tempfile

from house import COMPILER, FORMATTER, FORMATTER_VERSION, MAX_INCLUDE_SECONDS
from tree import Finding, Tree


def check_format(tree: Tree):
    files = [source.path for source in tree.cpp()]
    if not files:
        return
    version = subprocess.run([FORMATTER, "--version"], capture_output=True, text=True).stdout if shutil.which(FORMATTER) else ""
    if not re.search(rf"version {FORMATTER_VERSION}\.", version):
        yield Finding(".clang-format", 1, "format", f"needs clang-format {FORMATTER_VERSION}, found: {version.strip() or 'none'}")
        return
    run = subprocess.run([FORMATTER, "--dry-run", "-Werror", *files], cwd=tree.root, capture_output=True, text=True)
    said = set()
    for match in re.finditer(r"^(.+?):(\d+):\d+: error: (.*)", run.stderr, re.MULTILINE):
        if match[1] not in said:
            said.add(match[1])
            yield Finding(match[1], int(match[2]), "format", "not as clang-format writes it; ./dev fmt")
    if run.returncode and not said:
        yield Finding(".clang-format", 1, "format", run.stderr.strip().splitlines()[-1] if run.stderr else "formatter failed")


def user_seconds(command: list[str]) -> tuple[float, int]:
    """Runs a command. Returns (processor time in user code, exit status)."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime, process.returncode


def include_cost(tree: Tree, header: str, most: float, tries: int = 5) -> float | str:
    """Returns the seconds of a file that only includes the header, or a message that says what failed. Measures again if they are more than
    `most`, because a busy machine takes longer."""
    if not shutil.which(COMPILER):
        return f"{COMPILER} is not installed"
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "only.cpp")
        with open(file, "w") as out:
            out.write(f"#include <{header.removeprefix('include/')}>\n")
        least = float("inf")
        for _ in range(tries):
            seconds, status = user_seconds([COMPILER, "-std=c++20", f"-I{tree.root / 'include'}", file, "-fsyntax-only"])
            if status:
                return f"{header} alone does not compile"
            least = min(least, seconds)
            if least <= most:
                break
    return least


def check_include_cost(tree: Tree):
    for pattern, most in MAX_INCLUDE_SECONDS.items():
        costs = {}
        for header in fnmatch.filter(tree.files, pattern):
            cost = include_cost(tree, header, most)
            if isinstance(cost, str):
                yield Finding(header, 1, "include-cost", cost)
                continue
            costs[header] = cost
            if cost > most:
                yield Finding(header, 1, "include-cost", f"{cost:.2f} s to compile, at most {most} s")
        if costs:
            dearest = max(costs, key=costs.get)
            print(f"including {dearest} costs {costs[dearest]:.2f} s of at most {most} s")
