"""A benchmark process that makes one run for each request of the driver."""

import json
import os
import re
import select
import subprocess
import time
from pathlib import Path

# libomp's idle threads spin for 200 ms after a region (KMP_BLOCKTIME), and oneTBB's spin for a while, too. The next
# process's run would share its cores with them.
SPIN_DOWN_SECONDS = 0.3


class Failure(Exception):
    """The process ended before the driver asked it to."""


class Late(Failure):
    """The process did not answer in time. It is `excused` if this was a rival's first run."""

    def __init__(self, message, excused):
        super().__init__(message)
        self.excused = excused


class Served:
    """A program with --serve: when `start` returns, it has set up its workers and made one unmeasured run.

    A process that takes longer than `timeout` seconds for a run has failed. With a `patience` the limit for its first run
    is that many seconds; if it takes longer, it is left out as too slow, which is not a failure. If such a process `settles`, each run ends only when its
    threads no longer spin.
    """

    def __init__(self, program, variant, workers, command, timeout, patience=None, environment=None, settles=True):
        self.program = program  # the driver's name of the program
        self.variant = variant
        self.workers = workers
        self.seconds = []
        self.first_seconds = 0.0  # start-up and the unmeasured run
        self.failure = ""
        self.too_slow = False
        self.report = {}  # the program's own JSON, after `finish`
        self._command = command
        self._timeout = timeout
        self._patience = patience
        self._environment = environment
        self._spins = settles and patience is not None
        self._unread = b""
        self._process = None

    def start(self):
        self._process = subprocess.Popen(self._command, env=self._environment, stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, bufsize=0)
        began = time.monotonic()
        self._attempt(lambda: self._read_line(first=True))
        self.first_seconds = time.monotonic() - began - SPIN_DOWN_SECONDS * self._spins

    @property
    def has_started(self):
        return self._process is not None

    def peak_mib(self):
        """Returns the peak memory of the process; 0 if it has ended."""
        if self.failure:
            return 0
        status = Path(f"/proc/{self._process.pid}/status").read_text(encoding="utf-8")
        return int(re.search(r"^VmHWM:\s*(\d+)", status, re.MULTILINE).group(1)) // 1024

    def run(self):
        """Makes one measured run. After a failure this does nothing."""
        if self.failure:
            return
        line = self._attempt(lambda: self._order() or self._read_line())
        if line is not None:
            self.seconds.append(float(line))

    def finish(self):
        """Ends the process and takes its report."""
        if not self.failure:
            self._process.stdin.close()
            line = self._attempt(self._read_line)
            if line is not None:
                self.report = json.loads(line)
        self.kill()

    def kill(self):
        """Makes sure that the process has ended; for an orderly end see `finish`."""
        if self._process is None:
            return
        if self.failure:
            self._process.kill()
        try:
            self._process.wait(self._timeout)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def abandon(self):
        self.failure = self.failure or "abandoned"
        self.kill()

    def _order(self):
        try:
            self._process.stdin.write(b"\n")
        except BrokenPipeError:
            pass  # the driver finds the reason when it reads the end of the process's output next

    def _attempt(self, step):
        try:
            return step()
        except Failure as failure:
            self.failure = str(failure)
            self.too_slow = isinstance(failure, Late) and failure.excused
            self.kill()
        finally:
            if self._spins:
                time.sleep(SPIN_DOWN_SECONDS)

    def _read_line(self, first=False):
        excused = first and self._patience is not None
        limit = self._patience if excused else self._timeout
        deadline = time.monotonic() + limit
        while b"\n" not in self._unread:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._process.stdout], [], [], left)[0]:
                raise Late(f"no answer within {limit:g} s", excused)
            received = os.read(self._process.stdout.fileno(), 65536)
            if not received:
                raise Failure(f"ended with status {self._process.wait()}")
            self._unread += received
        line, self._unread = self._unread.split(b"\n", 1)
        return line.decode()
