"""Runs the built `tine` for the scripts here, and counts what they check."""

import errno
import os
import pathlib
import pty
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
EMULATED = "TINE_TEST_EMULATED" in os.environ  # another architecture's programs, run by qemu


def complaints(run: subprocess.CompletedProcess) -> str:
    """Returns the standard error; under qemu without the warning that a worker cannot be interrupted, because qemu blocks that signal for a while."""
    return "".join(line for line in run.stderr.splitlines(True) if not (EMULATED and "a worker cannot be interrupted" in line))


class Driver:
    """`folder` is the build's root. Files are made in a temporary folder, which is removed at the end."""

    def __init__(self):
        self.folder = pathlib.Path(sys.argv[1]).resolve()
        self.tine_path = self.folder / "tine"
        self.maker = self.folder / "tools/tests/cli/make_profile"
        self.app = self.folder / "tools/tests/cli/profiled_app"
        self.scratch = tempfile.TemporaryDirectory()
        self.at = pathlib.Path(self.scratch.name)
        self.passed = self.failed = 0

    def make(self, kind: str) -> pathlib.Path:
        """Returns the path of a hand-made profile; see make_profile.cpp."""
        path = self.at / f"{kind}.profile"
        if not path.exists():
            subprocess.run([self.maker, kind, path], check=True)
        return path

    def tine(self, *words, env=None, **options) -> subprocess.CompletedProcess:
        """Runs tine, with its output as text (bytes that are no UTF-8 become surrogates)."""
        changed = {**os.environ, "COLUMNS": "120", **(env or {})}
        run = subprocess.run(
            [self.tine_path, *map(str, words)], cwd=self.at, env=changed, stdin=subprocess.DEVNULL,
            **{"timeout": 300 if EMULATED else 60, "capture_output": True, "text": True, "errors": "surrogateescape", **options},
        )
        if isinstance(run.stderr, str):
            run.stderr = complaints(run)
        return run

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

    def expect(self, run: subprocess.CompletedProcess, code: int, *parts: str) -> None:
        """Checks the exit code, and that each part is in the output."""
        name = " ".join(map(str, run.args[1:]))
        said = f"{run.stdout or ''}{run.stderr or ''}"
        self.check(run.returncode == code, f"{name}: exit code {code}, got {run.returncode}", said)
        for part in parts:
            self.check(part in said, f"{name}: says {part!r}", said)

    def end(self) -> None:
        self.scratch.cleanup()
        print(f"{self.passed} passed, {self.failed} failed")
        sys.exit(1 if self.failed or not self.passed else 0)
