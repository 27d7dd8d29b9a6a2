"""The harnesses of the filetests of `tine ir` and `tine ml` share these: texts with any bytes, and a count of what passed."""

import pathlib


def read_text(file: pathlib.Path) -> str:
    return file.read_text(encoding="utf-8", errors="surrogateescape")


def write_text(file: pathlib.Path, text: str):
    file.write_text(text, encoding="utf-8", errors="surrogateescape")


class Tally:
    def __init__(self):
        self.good = self.bad = 0

    def check(self, where: str, expected: str, got: str, wrong: str = ""):
        """Counts a case, and prints it if it differs, or if `wrong` says that its answer is wrong by itself."""
        if expected == got and not wrong:
            self.good += 1
            return
        self.bad += 1
        print(f"{where}: {wrong}\n  expected:\n{expected}\n  got:\n{got}\n")

    def end(self) -> int:
        """Prints the counts, and returns the exit code."""
        print(f"{self.good} passed, {self.bad} failed")
        return 1 if self.bad else 0
