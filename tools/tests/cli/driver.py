"""Runs the built `tine` for the scripts here, and counts what they check."""

import errno
import json
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
EMULATED = "TINE_TEST_EMULATED" in os.environ  # another architecture's programs, run by qemu
WITHOUT_SPORK = "--without-spork" in sys.argv  # the tools alone: tine-spork is another product
SANITIZED = "--sanitized" in sys.argv  # a sanitizer has its own malloc and locks
PATIENCE = 300 if EMULATED else 120  # seconds; the machine may be busy


def option(name: str, default: str) -> str:
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else default


def seed() -> int:
    """Returns the seed of random tests, and prints it: `--seed N` repeats a run."""
    number = int(option("--seed", str(time.time_ns() % 1_000_000)))
    print(f"--seed {number}", flush=True)
    return number


def line_of(source: str, function: str) -> int:
    """Returns the line of a file in this folder that ends with the comment `in FUNCTION`."""
    lines = pathlib.Path(__file__).with_name(source).read_text().splitlines()
    return 1 + next(i for i, line in enumerate(lines) if line.endswith(f"// in {function}"))


def environment(changes: dict | None) -> dict:
    return {**os.environ, **{name: str(value) for name, value in (changes or {}).items()}}


def complaints(run: subprocess.CompletedProcess) -> str:
    """Returns the standard error; under qemu without the warning that a worker cannot be interrupted, because qemu blocks that signal for a while."""
    return "".join(line for line in run.stderr.splitlines(True) if not (EMULATED and "a worker cannot be interrupted" in line))


class Driver:
    """`folder` is the build's root. Files are made in a temporary folder, which is removed at the end."""

    def __init__(self):
        self.folder = pathlib.Path(sys.argv[1]).resolve()
        self.tine_path = self.folder / "tine"
        self.programs = self.folder / "tools/tests/cli"
        self.maker = self.programs / "make_profile"
        self.app = self.programs / "profiled_app"
        self.scratch = tempfile.TemporaryDirectory()
        self.at = pathlib.Path(self.scratch.name)
        self.passed = self.failed = 0

    @classmethod
    def run(cls, *parts) -> None:
        """Calls the parts one after the other, and ends the process."""
        driver = cls()
        for part in parts:
            part(driver)
        driver.end()

    def make(self, kind: str) -> pathlib.Path:
        """Returns the path of a hand-made profile; see make_profile.cpp."""
        path = self.at / f"{kind}.profile"
        if not path.exists():
            subprocess.run([self.maker, kind, path], check=True)
        return path

    def write(self, name: str, content: str | bytes) -> pathlib.Path:
        """Makes a file, and returns its path."""
        path = self.at / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode(errors="surrogateescape"))
        return path

    def execute(self, *command, env=None, **options) -> subprocess.CompletedProcess:
        """Runs a program, with its output as text (bytes that are no UTF-8 become surrogates)."""
        options = {"timeout": PATIENCE, "capture_output": True, "text": True, "errors": "surrogateescape", **options}
        if "input" not in options:
            options["stdin"] = subprocess.DEVNULL
        run = subprocess.run([str(word) for word in command], cwd=self.at, env=environment(env), **options)
        if isinstance(run.stderr, str):
            run.stderr = complaints(run)
        return run

    def start(self, way: str, **variables) -> subprocess.Popen:
        """Starts profiled_app with two workers."""
        return subprocess.Popen([self.app, way], cwd=self.at, env=environment({"TINE_NUM_THREADS": 2, **variables}),
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def tine(self, *words, env=None, **options) -> subprocess.CompletedProcess:
        return self.execute(self.tine_path, *words, env={"COLUMNS": "120", **(env or {})}, **options)

    def json(self, *words, **options) -> dict:
        """Runs tine, which must succeed, and returns the JSON that it prints."""
        run = self.expect(self.tine(*words, **options), 0)
        return json.loads(run.stdout) if run.returncode == 0 else {}

    def report(self, profile, *options) -> dict:
        return self.json("report", profile, "--json", *options)

    def page(self, profile) -> dict:
        """Returns the data of the report's page, which include roots, fork paths and the dag."""
        page = self.at / "page.html"
        self.expect(self.tine("report", profile, "--html", page), 0)
        return json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', page.read_text(), re.S)[1])

    def start_on_terminal(self, *words, env=None) -> tuple[subprocess.Popen, int]:
        """Starts tine on a pseudo-terminal. Returns the process, and the other end of the terminal."""
        ours, theirs = pty.openpty()
        plain = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
        changed = {**plain, "COLUMNS": "120", "TERM": "xterm", **(env or {})}
        process = subprocess.Popen([self.tine_path, *map(str, words)], cwd=self.at, env=changed, stdin=subprocess.DEVNULL,
                                   stdout=theirs, stderr=theirs)
        os.close(theirs)
        return process, ours

    @staticmethod
    def shown_next(terminal: int) -> str:
        """Returns what the terminal shows next; an empty text when all its writers have ended."""
        try:
            return os.read(terminal, 1 << 16).decode(errors="replace")
        except OSError as e:
            if e.errno != errno.EIO:
                raise
            return ""

    def on_terminal(self, *words, env=None) -> str:
        """Runs tine on a pseudo-terminal, and returns all that it shows."""
        process, terminal = self.start_on_terminal(*words, env=env)
        text = ""
        while piece := self.shown_next(terminal):
            text += piece
        os.close(terminal)
        process.wait(60)
        return text

    def check(self, claim: bool, what: str, detail: object = "") -> None:
        if claim:
            self.passed += 1
        else:
            self.failed += 1
            print(f"failed: {what}\n{detail}", file=sys.stderr)

    def expect(self, run: subprocess.CompletedProcess, code: int, *parts: str) -> subprocess.CompletedProcess:
        """Checks the exit code, and that each part is in the output. Returns the run."""
        name = " ".join(map(str, run.args[1:]))
        said = f"{run.stdout or ''}{run.stderr or ''}"
        self.check(run.returncode == code, f"{name}: exit code {code}, got {run.returncode}", said)
        for part in parts:
            self.check(part in said, f"{name}: says {part!r}", said)
        return run

    def end(self) -> None:
        self.scratch.cleanup()
        print(f"{self.passed} passed, {self.failed} failed")
        sys.exit(1 if self.failed or not self.passed else 0)
