"""Rules that ask other programs: the formatter, pinned to one release, and the compiler, for the cost of including tine."""

import fnmatch
import os
import re
import shutil
import subprocess
import tempfile

from house import COMPILER, FORMATTER, FORMATTER_VERSION, MAX_INCLUDE_NODES
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


def include_cost(tree: Tree, header: str) -> int | str:
    """Returns the nodes of the syntax tree of a file that only includes the header: types, declarations, statements and expressions. Returns
    a message if the file does not compile."""
    if not shutil.which(COMPILER):
        return f"{COMPILER} is not installed"
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "only.cpp")
        with open(file, "w") as out:
            out.write(f"#include <{header.removeprefix('include/')}>\n")
        run = subprocess.run([COMPILER, "-std=c++20", f"-I{tree.root / 'include'}", file, "-fsyntax-only", "-Xclang", "-print-stats"],
                             capture_output=True, text=True)
    if run.returncode:
        return f"{header} alone does not compile"
    return sum(map(int, re.findall(r"^ +(\d+) (?:types|decls|stmts/exprs) total\.", run.stderr, re.MULTILINE)))


def check_include_cost(tree: Tree):
    for pattern, most in MAX_INCLUDE_NODES.items():
        costs = {}
        for header in fnmatch.filter(tree.files, pattern):
            cost = include_cost(tree, header)
            if isinstance(cost, str):
                yield Finding(header, 1, "include-cost", cost)
                continue
            costs[header] = cost
            if cost > most:
                yield Finding(header, 1, "include-cost", f"{cost:,} nodes of a syntax tree, at most {most:,}")
        if costs:
            dearest = max(costs, key=costs.get)
            print(f"including {dearest} costs {costs[dearest]:,} nodes of a syntax tree, at most {most:,}")
