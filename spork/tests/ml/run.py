#!/usr/bin/env python3
"""Runs the filetests of `tine ml`. A file has many cases, each of which begins with a line that names it:

    (*** case without of ***)
    val x = case 1 of

In `parse/accept`, each case is a program without errors, and what `tine ml print` makes of it is printed by it in the same way again. Lines
`(*> … *)` are what it prints, if a case has any. In `parse/reject`, lines `(*! … *)` are all errors and notes of the case:

    (*! 2:1: error: the end of the file is unexpected; expected a pattern *)

In `types/accept`, a case has neither errors nor warnings; in `types/reject`, lines `(*! … *)` are all messages of a case with errors; and in
`types/warn`, of a case with warnings only. `types` checks names and types, `parse` only the syntax. After an error, the next declaration is
checked again, so a case may have several.

In `run`, a case is a program that runs, with what it does:

    (*$ argument *)            an argument of the command line
    (*< line of the standard input *)
    (*> one line of the standard output | the next one *)
    (*2 line of the standard error *)
    (*? exception Fail *)      how it ends, if it does not end by itself with exit code 0; or `exit 3`

All that it prints ends with a line break. A program that an exception ends has exit code 1 and names the exception on the standard error.

These lines are not part of the program. A place is the line, counted from the one behind the name, and the column.

`run.py TINE [FILE...]` runs all or some and ends with a count. With `--poly`, it compares with Poly/ML instead: that must accept and reject the
same cases, except those named `… (not Poly/ML)`, and programs do the same there.
"""

import argparse
import functools
import os
import pathlib
import re
import subprocess
import sys

import poly
import tine_ml
import filetests  # tine_ml finds it

HERE = pathlib.Path(__file__).resolve().parent
FILES = [*sorted(HERE.glob("*/*/*.sml")), *sorted(HERE.glob("run/*.sml"))]
# Messages of Poly/ML about programs whose syntax is right, but whose types are not.
ILL_TYPED = re.compile(r"has not been declared|Type error|incompatible types|Can't unify|Can't find a fixed|must have type exn|Type of clause|"
                       r"not an exception|Cannot share|Specifying|Overflow|does not match signature")


class Case:
    """A program with its marked lines: `expected` is what it does, `input` its arguments and standard input."""

    def __init__(self, name: str):
        self.name, self.program = name, []
        self.expected: list[str] = []
        self.input: list[str] = []

    def text(self) -> bytes:
        return ("\n".join(self.program) + "\n").encode("utf-8", "surrogateescape")

    def lines(self, kind: str) -> list[str]:
        expected = joined(self.expected) if kind == "ml/run" else self.expected
        return [f"(*** {self.name} ***)", *self.program, *(f"(*{line[0]} {line[2:]} *)" for line in self.input + expected), ""]


def joined(lines: list[str]) -> list[str]:
    """Puts lines of the standard output into one, as many as 120 columns take."""
    rows: list[str] = []
    for line in lines:
        if line[0] == ">" and rows and rows[-1][0] == ">" and len(rows[-1]) + len(line) <= 115:
            rows[-1] += f" | {line[2:]}"
        else:
            rows.append(line)
    return rows


def read(file: pathlib.Path) -> list[Case]:
    cases: list[Case] = []
    for line in filetests.read_text(file).split("\n")[:-1]:
        if match := re.fullmatch(r"\(\*\*\* (.*) \*\*\*\)", line):
            cases.append(Case(match[1]))
        elif match := re.fullmatch(r"\(\*([!>2?]) ?(.*) \*\)", line):
            parts = match[2].split(" | ") if match[1] == ">" and file.parent.name == "run" else [match[2]]
            cases[-1].expected += [f"{match[1]} {part}" for part in parts]
        elif match := re.fullmatch(r"\(\*([$<]) ?(.*) \*\)", line):
            cases[-1].input.append(f"{match[1]} {match[2]}")
        elif cases:
            cases[-1].program.append(line)
    for case in cases:
        while case.program and not case.program[-1]:
            case.program.pop()
    return cases


def tine(program: str, verb: str, text: bytes) -> tuple[int, str, str]:
    done = tine_ml.served.run(program, ["ml", *verb.split(), "-"], input=text, timeout=60)
    return done.returncode, done.stdout.decode("utf-8", "surrogateescape"), done.stderr.decode()


def said(program: str, case: Case, kind: str) -> tuple[list[str], str]:
    """Returns the lines of a case of this kind, without running it, and what is wrong with the answer itself."""
    is_syntax = kind.startswith("parse")
    code, _, errors = tine(program, "check --syntax" if is_syntax else "check", case.text())
    right = 1 if kind.endswith("reject") else 0
    if code != right or (errors and kind in ("parse/accept", "ml/run")) or (kind == "types/warn" and not errors):
        return [], f"exit code {code}\n{errors}"
    if kind == "ml/run":
        return case.expected, ""
    if kind != "parse/accept":
        return [f"! {line.removeprefix('standard input:')}" for line in errors.split("\n") if line.startswith("standard input:")], ""
    _, once, _ = tine(program, "print", case.text())
    again = tine(program, "print", once.encode("utf-8", "surrogateescape"))
    if again != (0, once, ""):
        return [], f"what is printed is\n{once}\nand of that\n{again[1]}{again[2]}"
    return [f"> {line}" for line in once.rstrip("\n").split("\n")] if case.expected else [], ""


def poly_agrees(case: Case, kind: str) -> bool:
    """Returns whether Poly/ML accepts or rejects the case, too; in `parse`, only its syntax counts."""
    done = subprocess.run(["timeout", "20", "poly", "-q"], input=case.text(), capture_output=True, check=False)
    errors = [line.split("error:", 1)[1] for line in done.stdout.decode(errors="replace").split("\n") if "error:" in line]
    if kind.startswith("parse"):
        errors = [line for line in errors if not ILL_TYPED.search(line) or "expected but" in line]
    return bool(errors) == kind.endswith("reject")


def observed(output: str, errors: str, ending: str) -> tuple[list[str], str]:
    """Returns the lines of a case in `run` that did this, and what is wrong with it."""
    lines = [f"> {line}" for line in output.split("\n")[:-1]] + [f"2 {line}" for line in errors.split("\n")[:-1]]
    lines += [] if ending == "ok" else [f"? {ending}"]
    return lines, "the output does not end with a line break" if output and output[-1] != "\n" else ""


def program_of(case: Case) -> poly.Program:
    arguments, lines = ([line[2:] for line in case.input if line[0] == mark] for mark in "$<")
    return poly.Program(case.text().decode("utf-8", "surrogateescape"), arguments, "".join(f"{line}\n" for line in lines))


@functools.cache
def the_poly() -> poly.Poly:
    return poly.Poly()


def ran_on_poly(case: Case) -> tuple[list[str], str]:
    [result] = the_poly().run([program_of(case)])
    if result.ending in ("rejected", "timeout", "crashed"):
        return [], f"Poly/ML: {result.ending}\n{result.messages}"
    return observed(result.output, "", result.ending)


def ran(program: str, case: Case, workers: str, level: str) -> tuple[list[str], str]:
    """Runs a case of `run` on each of the numbers of workers, with LLVM's passes of that level: what it did, and what is wrong with it."""
    seen: list[tuple[list[str], str]] = []
    for number in workers.split(","):
        result = tine_ml.run(program, program_of(case), number, level=level)
        seen.append(observed(result.output, "" if result.ending.startswith("exception") else result.messages, result.ending))
        if seen[-1] != seen[0]:
            return seen[-1][0], f"it differs with {number} workers: {seen[-1][1]}"
    return seen[0]


def check_file(options, file: pathlib.Path, tally: filetests.Tally):
    kind, cases = f"{file.parent.parent.name}/{file.parent.name}", read(file)
    for number, case in enumerate(cases):
        if options.poly:
            found, wrong = case.expected, ""
            if case.name.endswith("(not Poly/ML)"):
                continue
            if kind == "ml/run":
                found, wrong = ran_on_poly(case)
            elif not poly_agrees(case, kind):
                wrong = "Poly/ML does not agree"
        elif kind == "ml/run" and not options.check:  # every second case without LLVM's passes, which take two thirds of the time
            found, wrong = ran(options.tine, case, options.workers, "20"[number % 2])
        else:
            found, wrong = said(options.tine, case, kind)
        if options.update and not wrong:
            case.expected = found
        tally.check(f"{file.relative_to(HERE)}: {case.name}", "\n".join(case.expected), "\n".join(found), wrong)
    if options.update:
        filetests.write_text(file, "\n".join(line for case in cases for line in case.lines(kind)).rstrip("\n") + "\n")


def write_cases(folder: pathlib.Path):
    for file in FILES:
        for number, case in enumerate(read(file)):
            (folder / "-".join((*file.relative_to(HERE).with_suffix("").parts, str(number)))).write_bytes(case.text())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tine", nargs="?", type=os.path.abspath)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--workers", default="2", help="numbers of workers, such as 1,2,8, for the programs in run")
    parser.add_argument("--check", action="store_true", help="programs in run are only accepted")
    parser.add_argument("--update", action="store_true", help="write what the command says, or Poly/ML, into the files")
    parser.add_argument("--poly", action="store_true", help="compare with Poly/ML, see above")
    parser.add_argument("--cases", type=pathlib.Path, metavar="FOLDER", help="write each case's program into a file of its own, for the fuzzer")
    options = parser.parse_intermixed_args()
    if options.cases:
        write_cases(options.cases)
        return 0
    tally = filetests.Tally()
    for file in [file.resolve() for file in options.files] or FILES:
        check_file(options, file, tally)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
