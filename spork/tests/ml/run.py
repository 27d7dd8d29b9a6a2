#!/usr/bin/env python3
"""Runs the filetests of `tine ml`. A file has many cases, each of which begins with a line that names it:

    (*** case without of ***)
    val x = case 1 of

In `parse/accept`, each case is a program without errors, and what `tine ml print` makes of it is printed by it in the same way again. Lines
`(*> … *)` are what it prints, if a case has any. In `parse/reject`, lines `(*! … *)` are all errors and notes of the case:

    (*! 2:1: error: the end of the file is unexpected; expected a pattern *)

In `types/accept`, a case has neither errors nor warnings; in `types/reject`, lines `(*! … *)` are all messages of a case with errors; and in
`types/warn`, of a case with warnings only. `types` checks names and types, `parse` only the syntax.

In `run`, a case is a program that runs, with what it does:

    (*$ argument *)            an argument of the command line
    (*< line of the standard input *)
    (*> line of the standard output *)
    (*2 line of the standard error *)
    (*? exception Fail *)      how it ends, if it does not end by itself with exit code 0; or `exit 3`

All that it prints ends with a line break. A program that an exception ends has exit code 1 and names the exception on the standard error.

These lines are not part of the program. A place is the line, counted from the one behind the name, and the column.

`run.py TINE [FILE...]` runs all or some and ends with a count; --update writes what the command says into the files.
`--check` only checks that the programs in `run` are accepted; `--workers 1,2,8` runs them on each of these numbers of workers.
`--cases FOLDER` writes each case's program into a file of its own, for the fuzzer.
`--poly` compares with Poly/ML instead: it must accept and reject the same cases, except those named `… (not Poly/ML)`, and programs do the
same there. With `--poly --update`, what Poly/ML prints is written.
"""

import functools
import pathlib
import re
import subprocess
import sys

import poly
import tine_ml

HERE = pathlib.Path(__file__).resolve().parent
# Messages of Poly/ML about programs whose syntax is right, but whose types are not.
ILL_TYPED = re.compile(r"has not been declared|Type error|incompatible types|Can't unify|Can't find a fixed|must have type exn|Type of clause|"
                       r"not an exception|Cannot share|Specifying|Overflow|does not match signature")


class Case:
    def __init__(self, name: str):
        self.name, self.program, self.expected = name, [], []
        self.input: list[str] = []  # with their marks: arguments and lines of the standard input

    def text(self) -> bytes:
        return ("\n".join(self.program) + "\n").encode("utf-8", "surrogateescape")


def read(file: pathlib.Path) -> list[Case]:
    cases: list[Case] = []
    for line in file.read_text(encoding="utf-8", errors="surrogateescape").split("\n")[:-1]:
        if match := re.fullmatch(r"\(\*\*\* (.*) \*\*\*\)", line):
            cases.append(Case(match[1]))
        elif match := re.fullmatch(r"\(\*([!>2?]) ?(.*) \*\)", line):
            cases[-1].expected.append(match[2] if match[1] in "!>" and file.parent.name != "run" else f"{match[1]} {match[2]}")
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


def messages_of(errors: str) -> list[str]:
    return [line.removeprefix("standard input:") for line in errors.split("\n") if line.startswith("standard input:")]


def said(program: str, case: Case, kind: str) -> tuple[list[str], str]:
    """Returns what stands in the case's comments, and what is wrong with the answer itself."""
    if kind.startswith("types") or kind == "ml/run":
        code, out, errors = tine(program, "check", case.text())
        if kind == "ml/run":
            return case.expected, errors if code != 0 else ""
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


def observed(output: str, errors: str, ending: str) -> tuple[list[str], str]:
    """Returns the lines of a case in `run` that did this, and what is wrong with it."""
    lines = [f"> {line}" for line in output.split("\n")[:-1]] + [f"2 {line}" for line in errors.split("\n")[:-1]]
    lines += [] if ending == "ok" else [f"? {ending}"]
    return lines, "the output does not end with a line break" if output and output[-1] != "\n" else ""


def marked(case: Case, mark: str) -> list[str]:
    return [line[2:] for line in case.input if line[0] == mark]


def standard_input(case: Case) -> str:
    return "".join(f"{line}\n" for line in marked(case, "<"))


def program_of(case: Case) -> poly.Program:
    return poly.Program(case.text().decode("utf-8", "surrogateescape"), marked(case, "$"), standard_input(case))


@functools.cache
def the_poly() -> poly.Poly:
    return poly.Poly()


def ran_on_poly(cases: list[Case]) -> list[tuple[list[str], str]]:
    answers = []
    for result in the_poly().run([program_of(case) for case in cases]):
        answers.append(observed(result.output, "", result.ending))
        if result.ending in ("rejected", "timeout", "crashed"):
            answers[-1] = (answers[-1][0], f"Poly/ML: {result.ending}\n{result.messages}")
    return answers


def ran(program: str, case: Case, workers: str, level: str) -> tuple[list[str], str]:
    """Runs a case of `run` on each of the numbers of workers, with LLVM's passes of that level: what it did, and what is wrong with it."""
    seen: list[tuple[list[str], str]] = []
    for number in workers.split(","):
        result = tine_ml.run(program, program_of(case), number, level=level)
        seen.append(observed(result.output, "" if result.ending.startswith("exception") else result.messages, result.ending))
        if seen[-1] != seen[0]:
            return seen[-1][0], f"it differs with {number} workers: {seen[-1][1]}"
    return seen[0]


def write_run(file: pathlib.Path, cases: list[Case]):
    lines = []
    for case in cases:
        lines += [f"(*** {case.name} ***)", *case.program, *(f"(*{line[0]} {line[2:]} *)" for line in case.input + case.expected), ""]
    file.write_text("\n".join(lines).rstrip("\n") + "\n", encoding="utf-8", errors="surrogateescape")


def run_file(file: pathlib.Path, program: str, workers: str | None) -> tuple[int, int]:
    """Checks the cases of a file in `run`, without workers only that they are accepted; returns how many are good and bad."""
    cases, good, bad = read(file), 0, 0
    if "--poly" in sys.argv:
        of_poly = [case for case in cases if not case.name.endswith("(not Poly/ML)")]
        answers = dict(zip(map(id, of_poly), ran_on_poly(of_poly)))
    for number, case in enumerate(cases):
        if "--poly" in sys.argv:
            found, wrong = answers.get(id(case), (case.expected, ""))
        else:  # every second case without LLVM's passes, which take two thirds of the time
            found, wrong = ran(program, case, workers, "20"[number % 2]) if workers else said(program, case, "ml/run")
        if "--update" in sys.argv and not wrong:
            case.expected = found
        if not wrong and found == case.expected:
            good += 1
            continue
        bad += 1
        print(f"{file.relative_to(HERE)}: {case.name}: {wrong}\n  expected:\n" + "\n".join(case.expected) + "\n  got:\n" + "\n".join(found) + "\n")
    if "--update" in sys.argv:
        write_run(file, cases)
    return good, bad


def write(file: pathlib.Path, cases: list[Case], mark: str):
    lines = []
    for case in cases:
        lines += [f"(*** {case.name} ***)", *case.program, *(f"(*{mark} {line} *)" for line in case.expected), ""]
    file.write_text("\n".join(lines).rstrip("\n") + "\n", encoding="utf-8", errors="surrogateescape")


def main() -> int:
    workers = sys.argv[sys.argv.index("--workers") + 1] if "--workers" in sys.argv else "2"
    arguments = [a for i, a in enumerate(sys.argv[1:]) if not a.startswith("--") and sys.argv[i] != "--workers"]
    if "--cases" in sys.argv:
        for file in [*HERE.glob("*/*/*.sml"), *HERE.glob("run/*.sml")]:
            for number, case in enumerate(read(file)):
                pathlib.Path(arguments[0], "-".join((*file.relative_to(HERE).with_suffix("").parts, str(number)))).write_bytes(case.text())
        return 0
    program = str(pathlib.Path(arguments[0]).resolve())
    files = [pathlib.Path(a).resolve() for a in arguments[1:]] or [*sorted(HERE.glob("*/*/*.sml")), *sorted(HERE.glob("run/*.sml"))]
    good = bad = 0
    for file in files:
        if file.parent.name == "run":
            of_file = run_file(file, program, None if "--check" in sys.argv else workers)
            good, bad = good + of_file[0], bad + of_file[1]
            continue
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
