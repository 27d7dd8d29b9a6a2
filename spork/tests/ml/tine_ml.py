"""Runs programs by `tine ml run`, with results in the form of poly.py."""

import pathlib
import re
import subprocess
import sys
import tempfile

import poly

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import served  # noqa: E402


def run(tine: str, program: poly.Program, workers: str, seconds: float = 120, level: str = "2") -> poly.Result:
    """Runs the program in a folder of its own, with LLVM's passes of that level. `messages` has what it writes to its standard error. A program
    that an exception ends has exit code 1 and a message with the words "exception NAME"."""
    with tempfile.TemporaryDirectory(prefix="tine-ml-") as folder:
        pathlib.Path(folder, "program.sml").write_text(program.text, encoding="utf-8", errors="surrogateescape")
        try:
            done = served.run(tine, ["ml", "run", "--workers", workers, "--level", level, "program.sml", *program.arguments], input=program.standard_input.encode(),
                              timeout=seconds, cwd=folder)
        except subprocess.TimeoutExpired:
            return poly.Result("timeout")
    output, errors = (text.decode(errors="surrogateescape") for text in (done.stdout, done.stderr))
    ending = "ok" if done.returncode == 0 else f"exit {done.returncode}"
    if done.returncode == 1 and (raised := re.search(r"exception (\w+)", errors)):
        ending = f"exception {raised[1]}"
    return poly.Result(ending, output, errors)
