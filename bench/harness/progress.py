"""Shows on standard error that a measurement is under way."""

import sys
import threading
import time

TERMINAL, FILE = 1, 5  # seconds between two texts


class Progress:
    """A step and its seconds so far: one line that changes on a terminal, and a new line every few seconds elsewhere. Its thread wakes
    so rarely that no measurement shows it."""

    def __init__(self):
        self._text, self._began = "", time.monotonic()
        self._on_terminal = sys.stderr.isatty()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._tick, daemon=True)
        self._thread.start()

    def show(self, text):
        """Sets the current step."""
        self._text, self._began = text, time.monotonic()
        if self._on_terminal:
            self._write()

    def end(self):
        """Removes the line from the terminal."""
        self._ended.set()
        self._thread.join()
        if self._on_terminal:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()

    def _tick(self):
        while not self._ended.wait(TERMINAL if self._on_terminal else FILE):
            self._write()

    def _write(self):
        seconds = time.monotonic() - self._began
        text = self._text + (f", {seconds:.0f} s" if seconds >= 1 else "")
        sys.stderr.write(f"\r\033[K{text}" if self._on_terminal else f"  {text}\n")
        sys.stderr.flush()
