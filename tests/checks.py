"""Counts what the scripts here check, and runs the commands that they need."""

import subprocess
import sys

passed = failed = 0


def check(what, holds, detail=""):
    global passed, failed
    passed, failed = passed + bool(holds), failed + (not holds)
    if not holds:
        print(f"failed: {what}\n{detail}", flush=True)


def run(*words, timeout=500, **options):
    """Runs a command. Returns (exit code, output)."""
    done = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=timeout, **options)
    return done.returncode, done.stdout


def succeeds(*words, **options):
    """Runs a command. Returns (succeeded, output)."""
    code, output = run(*words, **options)
    return code == 0, output


def must(*words, **options):
    """Runs a command without which nothing else can be checked."""
    code, output = run(*words, **options)
    if code != 0:
        sys.exit(f"{' '.join(map(str, words))}\n{output}\n{passed} passed, {failed + 1} failed")
    return output


def end():
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)
