#!/usr/bin/env python3
"""Runs `tine ml fmt` on files: in place, with --check, and on all cases of run.py. Usage: fmt_test.py TINE"""

import os
import pathlib
import stat
import sys
import tempfile

import run
from tine_ml import served

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
TINE = str(pathlib.Path(sys.argv[1]).resolve())
failures = 0


def tine(*arguments: str, text: bytes | None = None) -> tuple[int, bytes, str]:
    done = served.run(TINE, ["ml", *arguments], input=text, timeout=120)
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


def check(good: bool, what: str, shown: object = ""):
    global failures
    if not good:
        failures += 1
        print(f"{what}: {shown}")


def in_place(folder: pathlib.Path):
    good, bad, broken, link = folder / "good.sml", folder / "bad.sml", folder / "broken.sml", folder / "link.sml"
    good.write_text("val x = 1\n")
    bad.write_text("val  x=1 (* kept *)\n")
    bad.chmod(0o640)
    broken.write_text("val  x = (\n")
    link.symlink_to("bad.sml")
    files = [str(f) for f in (good, link, broken)]

    code, out, errors = tine("fmt", "--check", *files)
    check(code == 1 and out.decode().split() == [str(link)], "--check lists what would change", (code, out))
    check("broken.sml:1:" in errors and bad.read_text() == "val  x=1 (* kept *)\n", "--check changes nothing", errors)

    before = good.stat()
    code, out, errors = tine("fmt", *files)
    check(code == 1 and out == b"" and "broken.sml:1:" in errors, "errors are reported", (code, out, errors))
    check(bad.read_text() == "val x = 1 (* kept *)\n", "a file is formatted behind a link", bad.read_text())
    check(link.is_symlink() and stat.S_IMODE(bad.stat().st_mode) == 0o640, "links and permissions stay")
    check(broken.read_text() == "val  x = (\n", "a file with errors stays")
    check(good.stat().st_ino == before.st_ino and good.stat().st_mtime_ns == before.st_mtime_ns, "a formatted file is not written")
    check({f.name for f in folder.iterdir()} == {f.name for f in (good, bad, broken, link)}, "no other file is left", list(folder.iterdir()))
    code, out, errors = tine("fmt", "--check", str(good), str(bad))
    check((code, out, errors) == (0, b"", ""), "formatted files need no change", (code, out, errors))

    check(tine("fmt", "-", text=b"val x=\n1") == (0, b"val x =\n  1\n", ""), "standard input")
    check(tine("fmt", "--check", "-", text=b"val x=1")[:2] == (1, b"standard input\n"), "--check of standard input")
    check(tine("fmt", "--width", "20", "-", text=b"val x = f (aaaaaa, bbbbbb)") == (0, b"val x =\n  f (aaaaaa, bbbbbb)\n", ""), "--width")
    check(tine("fmt", str(folder / "none.sml"))[0] == 2, "a file that cannot be read")
    if os.geteuid() != 0:
        bad.write_text("val  x=1\n")
        bad.chmod(0o440)
        check(tine("fmt", str(bad))[0] == 2 and bad.read_text() == "val  x=1\n", "a read-only file stays")


def cases(folder: pathlib.Path):
    """All cases are formatted, which keeps their trees and cannot be repeated; those with errors stay."""
    run.write_cases(folder)
    files = sorted(folder.iterdir())
    before = {f: f.read_bytes() for f in files}
    trees = {f: tine("print", str(f))[:2] for f in files if f.name.startswith("parse-accept") or f.name.startswith("run-")}
    _, _, errors = tine("fmt", *map(str, files))
    check("please report" not in errors, "the formatter makes mistakes", errors[-300:])
    rejected = {f for f in files if f.name.startswith("parse-reject")}
    check(all(f.read_bytes() == before[f] for f in rejected), "rejected cases stay")
    check(sum(f.read_bytes() != before[f] for f in files) > 50, "cases are formatted")
    _, out, _ = tine("fmt", "--check", *map(str, files))
    check(out == b"", "formatting again changes files", out)
    for f, tree in trees.items():
        check(tine("print", str(f))[:2] == tree, f"{f.name} has another tree", f.read_text(errors="replace"))


def own_programs():
    files = [ROOT / "spork/ml/basis.sml", *(ROOT / "spork/bench/ml").glob("**/*.sml"), *(ROOT / "examples/ml").glob("*.sml")]
    code, out, errors = tine("fmt", "--check", *map(str, files))
    check(code == 0, "these are not formatted; run `tine ml fmt`", out.decode() + errors)


with tempfile.TemporaryDirectory() as name:
    in_place(pathlib.Path(name))
with tempfile.TemporaryDirectory() as name:
    cases(pathlib.Path(name))
own_programs()
print(f"{failures} failed" if failures else "passed")
sys.exit(1 if failures else 0)
