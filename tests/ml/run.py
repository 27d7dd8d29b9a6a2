#!/usr/bin/env python3
"""Runs the filetests of `tine ml`. A file has many cases, each of which begins with a line that names it:

    (*** case without of ***)
    val x = case 1 of

In `parse/accept`, each case is a program without errors, and what `tine ml print` makes of it is printed by it in the same way again. Lines
`(*> … *)` are what it prints, if a case has any. In `parse/reject`, lines `(*! … *)` are all errors and notes of the case:

    (*! 2:1: error: the end of the file is unexpected; expected a pattern *)

In `types/accept`, a case has neither errors nor warnings; in `types/reject`, lines `(*! … *)` are all messages of a case with errors; and in
`types/warn`, of a case with warnings only. `types` checks names and types, `parse` only the syntax.

These lines are not part of the program. A place is the line, counted from the one behind the name, and the column.

`run.py TINE [FILE...]` runs all or some and ends with a count; --update writes what the command says into the files.
`--cases FOLDER` writes each case's program into a file of its own, for the fuzzer.
`--poly` compares with Poly/ML instead: it must accept and reject the same cases, except those named `… (not Poly/ML)`.
"""

import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
# Messages of Poly/ML about programs whose syntax is right, but whose types are not.
ILL_TYPED = re.compile(r"has not been declared|Type error|incompatible types|Can't unify|Can't find a fixed|must have type exn|Type of clause|"
                       r"not an exception|Cannot share|Specifying|Overflow|does not match signature")


class Case:
    def __init__(self, name: str):
        self.name, self.program, self.expected = name, [], []

    def text(self) -> bytes:
        return ("\n".join(self.program) + "\n").encode("utf-8", "surrogateescape")


def read(file: pathlib.Path) -> list[Case]:
    cases: list[Case] = []
    for line in file.read_text(encoding="utf-8", errors="surrogateescape").split("\n")[:-1]:
        if match := re.fullmatch(r"\(\*\*\* (.*) \*\*\*\)", line):
            cases.append(Case(match[1]))
        elif match := re.fullmatch(r"\(\*[!>] ?(.*) \*\)", line):
            cases[-1].expected.append(match[1])
        elif cases:
            cases[-1].program.append(line)
    for case in cases:
        while case.program and not case.program[-1]:
            case.program.pop()
    return cases


def tine(program: str, verb: str, text: bytes) -> tuple[int, str, str]:
    done = subprocess.run([program, "ml", *verb.split(), "-"], input=text, capture_output=True, timeout=60, check=False)
    return done.returncode, done.stdout.decode("utf-8", "surrogateescape"), done.stderr.decode()


def messages_of(errors: str) -> list[str]:
    return [line.removeprefix("standard input:") for line in errors.split("\n") if line.startswith("standard input:")]


def said(program: str, case: Case, kind: str) -> tuple[list[str], str]:
    """Returns what stands in the case's comments, and what is wrong with the answer itself."""
    if kind.startswith("types"):
        code, out, errors = tine(program, "check", case.text())
        if kind == "types/warn" and not errors:
            return [], "there is no warning"
        return messages_of(errors), "" if code == (1 if kind == "types/reject" else 0) else f"exit code {code}"
    code, out, errors = tine(program, "check --syntax", case.text())
    if kind == "parse/reject":
        return messages_of(errors), "" if code == 1 else f"exit code {code}"
    if code != 0 or errors:
        return [], f"exit code {code}\n{errors}"
    code, once, errors = tine(program, "print", case.text())
    again = tine(program, "print", once.encode("utf-8", "surrogateescape"))
    if again != (0, once, ""):
        return [], f"what is printed is\n{once}\nand of that\n{again[1]}{again[2]}"
    return once.rstrip("\n").split("\n"), ""


def poly_accepts(case: Case) -> bool:
    done = subprocess.run(["timeout", "10", "poly", "-q"], input=case.text(), capture_output=True, check=False)
    errors = [line for line in done.stdout.decode(errors="replace").split("\n") if "error:" in line]
    return all(ILL_TYPED.search(line.split("error:", 1)[1]) and "expected but" not in line for line in errors)


def poly_rejects(case: Case) -> bool:
    done = subprocess.run(["poly", "-q"], input=case.text(), capture_output=True, timeout=20, check=False)
    return any(re.search(r"error:", line) for line in done.stdout.decode(errors="replace").split("\n"))


def write(file: pathlib.Path, cases: list[Case], mark: str):
    lines = []
    for case in cases:
        lines += [f"(*** {case.name} ***)", *case.program, *(f"(*{mark} {line} *)" for line in case.expected), ""]
    file.write_text("\n".join(lines).rstrip("\n") + "\n", encoding="utf-8", errors="surrogateescape")


def main() -> int:
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    if "--cases" in sys.argv:
        for file in HERE.glob("*/*/*.sml"):
            for number, case in enumerate(read(file)):
                pathlib.Path(arguments[0], "-".join((*file.relative_to(HERE).with_suffix("").parts, str(number)))).write_bytes(case.text())
        return 0
    program = str(pathlib.Path(arguments[0]).resolve())
    files = [pathlib.Path(a).resolve() for a in arguments[1:]] or sorted(HERE.glob("*/*/*.sml"))
    good = bad = 0
    for file in files:
        kind, cases = f"{file.parent.parent.name}/{file.parent.name}", read(file)
        accepted, prints = file.parent.name != "reject", kind == "parse/accept"
        for case in cases:
            if "--poly" in sys.argv:
                agrees = case.name.endswith("(not Poly/ML)") or (poly_accepts(case) if kind.startswith("parse") else not poly_rejects(case)) == accepted
                found, wrong = case.expected, "" if agrees else "Poly/ML does not agree"
            else:
                found, wrong = said(program, case, kind)
            if "--update" in sys.argv and (case.expected or not prints):
                case.expected = found
            if not wrong and (found == case.expected or (prints and not case.expected)):
                good += 1
                continue
            bad += 1
            print(f"{file.relative_to(HERE)}: {case.name}: {wrong}\n  expected:\n" + "\n".join(case.expected) + "\n  got:\n" + "\n".join(found) + "\n")
        if "--update" in sys.argv:
            write(file, cases, ">" if prints else "!")
    print(f"{good} passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
