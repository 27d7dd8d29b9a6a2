#!/usr/bin/env python3
"""Runs clang-tidy, whose checks are in .clang-tidy, over the sources. Prints `file:line: tidy: message`; exits 1 if it finds something.

Most of the time of clang-tidy passes in the headers of the system, which it reads again for every file. Therefore the files of one
folder that have the same flags are one unit, which includes them all. If two of them cannot be in one unit, because both define a
name, the later one gets a unit of its own. Some checks look at a unit's main file alone (MAIN_FILE_CHECKS); for them each file is a
unit. A unit without findings is remembered by a hash of all that it depends on, in the user's cache folder, so that a new checkout
knows it, too.
"""

import argparse
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Iterator, NamedTuple

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

from house import OTHER_ARCHITECTURES, LIBRARY, PRE_INCLUDED, TIDY, TIDY_VERSION  # noqa: E402
from tree import CPP, Finding, Tree  # noqa: E402

LIBRARY_FLAGS = ("-std=c++20", "-Iinclude", "-Isrc", '-DTINE_VERSION=""')
MAIN_FILE_CHECKS = "misc-include-cleaner,misc-unused-using-decls"
# misc-include-cleaner has no option for this part of its findings: a file may use a header that another one of ours
# includes.
NOT_FOUND = re.compile(r"no header providing")
MESSAGE = re.compile(r"^(/.+?):(\d+):\d+: (?:warning|error): (.*?) \[([\w.,-]+)\]$", re.MULTILINE)


class Unit(NamedTuple):
    folders: tuple[str, ...]  # findings in other folders are those of other units
    files: tuple[str, ...]
    flags: tuple[str, ...]
    checks: str  # more for the option --checks

    @property
    def name(self) -> str:
        text = repr(self).encode()
        return f"{self.folders[-1].replace('/', '_')}_{hashlib.sha256(text).hexdigest()[:12]}"


def mpi_flags() -> tuple[str, ...]:
    """The folders of Open MPI's headers, which are headers of the system."""
    found = subprocess.run(["pkg-config", "--cflags-only-I", "ompi"], capture_output=True, text=True).stdout.split()
    return ("-DOMPI_SKIP_MPICXX", *(f"-isystem{flag[2:]}" for flag in found))


def library_units(tree: Tree) -> Iterator[Unit]:
    """One unit for each component of the library, with its public headers. They need no build folder."""
    for component in LIBRARY:
        folders = (f"include/tine/{component}", f"include/tine/detail/{component}", f"src/{component}")
        files = [path for path in tree.files if path.startswith(tuple(f + "/" for f in folders)) and path.endswith(CPP) and path not in OTHER_ARCHITECTURES]
        if files:
            before = ("-include", PRE_INCLUDED[component]) if component in PRE_INCLUDED else ()
            if component == "mpi":
                before = mpi_flags()
            yield together(folders, sorted(files, key=lambda path: (path.endswith(".cpp"), path)), (*LIBRARY_FLAGS, *before))


def other_units(tree: Tree, commands: dict[str, tuple[str, ...]]) -> Iterator[Unit]:
    """Units of all files that are compiled, but for the components of the library; and for the main-file checks a unit of every file."""
    groups: dict[tuple, list[str]] = {}
    library = tuple(f"src/{component}/" for component in LIBRARY)
    for path, flags in sorted(commands.items()):
        folder = os.path.dirname(path)
        if not path.startswith(library):
            groups.setdefault((folder, flags), []).append(path)
        yield Unit((folder,), (path,), flags, f"-*,{MAIN_FILE_CHECKS}")
    for (folder, flags), files in groups.items():
        yield together((folder,), files, flags)


def together(folders, files, flags) -> Unit:
    included = "-bugprone-suspicious-include,-misc-header-include-cycle," if len(files) > 1 else ""
    return Unit(tuple(folders), tuple(files), tuple(flags), included + ",".join(f"-{c}" for c in MAIN_FILE_CHECKS.split(",")))


def compile_commands(tree: Tree, build: pathlib.Path) -> dict[str, tuple[str, ...]]:
    """Returns the flags of each file of the tree that is compiled; the first ones if it is compiled more than once."""
    found: dict[str, tuple[str, ...]] = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = os.path.relpath(entry["file"], tree.root)
        if path in tree.files:
            words = shlex.split(entry["command"])[1:]
            end = words.index("-o")
            found.setdefault(path, tuple(w for w in words[:end] if w != "-Werror"))
    return found


class Tidy:
    def __init__(self, tree: Tree):
        self.tree, self.folder = tree, tree.root / "build" / "tidy-units"
        self.clean = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache", "tine", "tidy")
        for folder in self.folder, self.clean:
            folder.mkdir(parents=True, exist_ok=True)
        self.version = subprocess.run([TIDY, "--version"], capture_output=True, text=True).stdout if shutil.which(TIDY) else ""
        self.settings = tree.source(".clang-tidy").text if tree.exists(".clang-tidy") else ""

    def check(self, units: list[Unit], jobs: int) -> list[Finding]:
        if not re.search(rf"version {TIDY_VERSION}\.", self.version):
            found = self.version.strip().splitlines()[:1] or "none"
            return [Finding(".clang-tidy", 1, "tidy", f"needs clang-tidy {TIDY_VERSION}, found: {found}")]
        with ThreadPoolExecutor(jobs) as pool:
            return sorted({finding for findings in pool.map(self.judge, units) for finding in findings})

    def judge(self, unit: Unit) -> list[Finding]:
        """Returns the findings in a unit."""
        clean = self.clean / self.key(unit)
        if clean.exists():
            return []
        found, broken = self.run(unit)
        if broken and len(unit.files) > 1:
            apart = [f for f in unit.files if f in broken] or unit.files[len(unit.files) // 2 :]
            rest = [f for f in unit.files if f not in apart]
            parts = [together(unit.folders, files, unit.flags) for files in ([rest] if rest else []) + [[f] for f in apart]]
            found = [finding for part in parts for finding in self.judge(part)]
        if not found:
            clean.touch()
        return found

    def run(self, unit: Unit) -> tuple[list[Finding], set[str]]:
        """Returns the findings, and the files that do not compile in this unit."""
        main = self.tree.root / unit.files[0]
        if len(unit.files) > 1:
            main = self.folder / f"{unit.name}.cpp"
            main.write_text("".join(f'#include "{self.tree.root / path}"\n' for path in unit.files))
        here = "|".join(re.escape(f"{self.tree.root}/{folder}/") for folder in unit.folders)
        command = [TIDY, "--quiet", f"--checks={unit.checks}", f"--header-filter=^({here})", str(main), "--", "-xc++", *unit.flags]
        done = subprocess.run(command, cwd=self.tree.root, capture_output=True, text=True)
        found, broken = [], set()
        for path, line, message, check in MESSAGE.findall(done.stdout):
            file = os.path.relpath(path, self.tree.root)
            if check.startswith("clang-diagnostic-error"):
                broken.add(file)
            if not NOT_FOUND.match(message):
                found.append(Finding(file, int(line), "tidy", f"{message} [{check.split(',')[0]}]"))
        if done.returncode and not found and not NOT_FOUND.search(done.stdout):
            found.append(Finding(unit.files[0], 1, "tidy", f"clang-tidy failed: {(done.stderr or done.stdout).strip()[-300:]}"))
        return found, broken

    def key(self, unit: Unit) -> str:
        """A hash of all that the findings depend on, but for the headers of the system."""
        seen = set(unit.files)
        todo = list(unit.files)
        folders = [flag[2:] for flag in unit.flags if flag.startswith("-I")]
        folders = [os.path.relpath(os.path.join(self.tree.root, folder), self.tree.root) for folder in folders]
        while todo:
            path = todo.pop()
            for _, _, name in self.tree.source(path).includes():
                for folder in [os.path.dirname(path), *folders]:
                    header = os.path.normpath(os.path.join(folder, name))
                    if header not in seen and header in self.tree.files:
                        seen.add(header)
                        todo.append(header)
        text = "\0".join([self.version, self.settings, repr(unit), *(self.tree.source(path).text for path in sorted(seen))])
        return hashlib.sha256(text.encode()).hexdigest()


def check_library(tree: Tree) -> Iterator[Finding]:
    """The rule of lint: the library alone, without the checks that look at main files."""
    units = list(library_units(tree))
    if units:
        yield from Tidy(tree).check(units, len(os.sched_getaffinity(0)))


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dev tidy", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", help="only units with files below these folders")
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/tidy"), help="a configured build folder without precompiled headers")
    parser.add_argument("--together", action="store_true", help="without the checks of main files alone")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    given = parser.parse_args()
    tree = Tree(pathlib.Path(__file__).resolve().parent.parent)
    units = [*library_units(tree), *other_units(tree, compile_commands(tree, tree.root / given.build))]
    if given.together:
        units = [u for u in units if not u.checks.startswith("-*")]
    chosen = tuple(folder.rstrip("/") + "/" for folder in given.folders)
    units = [u for u in units if not chosen or any((folder + "/").startswith(chosen) for folder in u.folders)]
    findings = Tidy(tree).check(units, given.jobs)
    for finding in findings:
        print(finding)
    print(f"tidy: {len(units)} units, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
