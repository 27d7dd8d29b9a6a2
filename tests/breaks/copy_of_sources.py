"""The copy of the sources in which breaks are made and built."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
from typing import NamedTuple

from entry import BadEntry, Break, has_case, unit_tests

# Unoptimised, because a break is compiled to run one short test. Only headers of the product's own files are
# precompiled: with those of the tests, a break in any header would compile every test again.
CONFIGURATION = ["cmake", "--preset", "dev", "-DCMAKE_CXX_FLAGS=-O0 -g1", "-DTINE_PRECOMPILE=library;tools", "-DTINE_RACE_CASES=ON"]


class Result(NamedTuple):
    kind: str  # "passed", "failed" or "hung"
    output: str
    is_empty: bool


class Copy:
    def __init__(self, root: pathlib.Path, folder: pathlib.Path, jobs: int) -> None:
        self.root, self.folder, self.jobs = root, folder, jobs
        self.build_folder = folder / "build/dev"
        self.environment = {**os.environ, "CCACHE_BASEDIR": str(folder)}

    def refresh(self, breaks: list[Break]) -> None:
        """Makes the copy equal to the checkout, but for unit tests that no break needs. Equal files keep their times."""
        if (self.folder / ".git").exists():
            raise BadEntry(f"{self.folder} is a checkout, and breaks are made in a copy only")
        listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=self.root, check=True,
                                capture_output=True, text=True).stdout.split("\0")
        self.files = {f for f in listed if f and (self.root / f).is_file()}
        self.files -= self.unneeded(breaks)
        for name in self.files:
            source, target = self.root / name, self.folder / name
            if not target.is_file() or target.read_bytes() != source.read_bytes():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)
                shutil.copymode(source, target)
        for target in [p for p in self.folder.rglob("*") if p.is_file()]:
            name = target.relative_to(self.folder)
            if name.parts[0] != "build" and "__pycache__" not in name.parts and str(name) not in self.files:
                target.unlink()

    def unneeded(self, breaks: list[Break]) -> set[str]:
        """Returns the unit tests without a test case that a break names, but for those that define functions for others (ld's --wrap)."""
        wanted: dict[str, list[str] | None] = {}  # program: patterns of test cases; None: all of them
        for b in breaks:
            if b.unit:
                before = wanted.setdefault(b.unit[0], [])
                wanted[b.unit[0]] = before + b.patterns if before is not None and b.patterns else None
        by_ctest = " ".join(b.ctest for b in breaks)
        named = "".join((self.root / f).read_text() for f in self.files if f.endswith("CMakeLists.txt"))
        unneeded = set()
        for program, names in unit_tests(self.files).items():
            patterns = wanted.get(program, [])
            if patterns is None or f"{program}$" in by_ctest or not (program in wanted or "/unit/" in names[0]):
                continue
            needed = [n for n in names if any(has_case((self.root / n).read_text(), p) for p in patterns)]
            # CMake wants each program to have a file, and files that it names to exist.
            needed += [n for n in names if "__wrap_" in (self.root / n).read_text()]
            unneeded |= {n for n in set(names) - set(needed or [min(names)]) if n.split("/")[-1] not in named}
        return unneeded

    def configure(self) -> None:
        subprocess.run([*CONFIGURATION, "--log-level=WARNING"], cwd=self.folder, env=self.environment, check=True,
                       stdout=subprocess.DEVNULL)

    def build(self, targets: list[str]) -> str | None:
        """Returns the end of the output if it fails."""
        if not targets:
            return None
        done = subprocess.run(["ninja", "-C", str(self.build_folder), f"-j{self.jobs}", *targets], env=self.environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        return None if done.returncode == 0 else done.stdout[-3000:]

    def run_test(self, b: Break) -> Result:
        if b.unit and self.program(b.unit[0]) is None:
            return Result("failed", f"the build has no program {b.unit[0]}, or several", False)
        if b.ctest:
            command = ["ctest", "--test-dir", str(self.build_folder), "-R", b.ctest, "--output-on-failure", "--no-tests=error"]
        elif b.unit:
            command = [self.program(b.unit[0]), *b.unit[1:]]
        else:
            command = [word.replace("{build}", str(self.build_folder)) for word in b.command]
        # A group of its own, so that nothing that a test has started outlives it.
        process = subprocess.Popen(command, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True, errors="replace", start_new_session=True)
        try:
            output, _ = process.communicate(timeout=b.seconds)
            kind = "passed" if process.returncode == 0 else "failed"
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, kind = process.communicate()[0], "hung"
        return Result(kind, output or "", re.search(r"test cases:\s*0 \|", output or "") is not None)

    def program(self, target: str) -> str | None:
        found = [p for p in self.build_folder.rglob(target) if p.is_file() and os.access(p, os.X_OK)]
        return str(found[0]) if len(found) == 1 else None
