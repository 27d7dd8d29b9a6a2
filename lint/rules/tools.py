"""Rules that ask other programs: the formatter, pinned to one release, and the compiler, for the cost of including tine."""

import os
import re
import shutil
import subprocess
import tempfile

from house import COMPILER, FORMATTER, FORMATTER_VERSION, MAIN_HEADER, MAX_INCLUDE_SECONDS
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


def include_cost(tree: Tree, tries: int = 5) -> tuple[float, int] | str:
    """Returns (seconds, preprocessed lines) of a file that only includes tine, or a message that says what failed."""
    if not shutil.which(COMPILER):
        return f"{COMPILER} is not installed"
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "only.cpp")
        with open(file, "w") as out:
            out.write("#include <tine/tine.hpp>\n")
        command = [COMPILER, "-std=c++20", f"-I{tree.root / 'include'}", file]
        text = subprocess.run([*command, "-E", "-P"], capture_output=True, text=True)
        runs = [user_seconds([*command, "-fsyntax-only"]) for _ in range(tries)]
    if text.returncode or any(status for _, status in runs):
        return f"{MAIN_HEADER} alone does not compile"
    return min(seconds for seconds, _ in runs), text.stdout.count("\n")


def check_include_cost(tree: Tree):
    if not tree.exists(MAIN_HEADER):
        return
    cost = include_cost(tree)
    if isinstance(cost, str):
        yield Finding(MAIN_HEADER, 1, "include-cost", cost)
        return
    seconds, lines = cost
    print(f"including {MAIN_HEADER} costs {seconds:.2f} s and {lines} lines of at most {MAX_INCLUDE_SECONDS} s")
    if seconds > MAX_INCLUDE_SECONDS:
        yield Finding(MAIN_HEADER, 1, "include-cost", f"{seconds:.2f} s to compile, at most {MAX_INCLUDE_SECONDS} s")
