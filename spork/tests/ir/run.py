#!/usr/bin/env python3
"""Runs the filetests of `tine ir`. A test is a program with its expected behaviour in comments at its end:

    // $ check FILE            a command of `tine ir`; FILE is the program. Its output, both streams, must be
    // | all of this           exactly these lines (a printed block of one line stands in one),
    // $ print FILE -O # f g   of the output, only the functions f and g count.
    // = 1                     and its exit code this one, or 0 if nothing is said.
    // answer: 610             every engine, with every schedule, prints this.
    // with: a.spork b.spork   FILE stands for these files, too: they are one program.

`run.py TINE [FILE...]` runs all or some and ends with a count; --update writes what the commands print into the files.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import filetests  # noqa: E402
import served  # noqa: E402

WORKERS = (1, 2, 4)
POLICIES = ("on-demand", "heartbeat:100us,8", "eager")  # of executables, one for each number of workers
WITHOUT_COLLECTOR = "--without-collector" in sys.argv  # tine was built without
# LLVM's passes take long in an emulator. The interpreter's schedules are the same on every processor.
EMULATED = "TINE_TEST_EMULATED" in os.environ
SEEDS = 2 if EMULATED else 6
# Each way of compiling runs on one number of workers: ir_policies runs the same programs on all of them, in one
# process.
COMPILED = (["--workers=1"], ["--workers=2", "-O"], ["--workers=4", "-O", "--promotion=stackmap"])
COLLECTED = (["--workers=4", "--collect"], ["--workers=4", "--collect", "-O", "--promotion=stackmap"])
SCHEDULES = ["none", "eager"] + [f"seed:{seed}" for seed in range(SEEDS)]


class Command:
    def __init__(self, line: str):
        self.line, self.output, self.code = line, [], 0

    def text(self) -> list[str]:
        return [f"// $ {self.line}", *(f"// | {line}".rstrip() for line in self.output), *([f"// = {self.code}"] if self.code else [])]


def tine(program: str, arguments: list[str], file: pathlib.Path) -> tuple[str, int]:
    words, functions = ["ir"], []
    for i, word in enumerate(arguments):
        if word == "#":
            functions = arguments[i + 1:]
            break
        words += [file.name, *others(file)] if word == "FILE" else [word]
    done = served.run(program, words, cwd=file.parent, stderr=subprocess.STDOUT, timeout=120)
    output = done.stdout.decode(errors="replace").rstrip("\n")
    if words[1:3] == ["print", file.name] and len(words) == 3 and done.returncode == 0:
        output += changed_by_printing(program, output, file)
    if words[1] == "print":
        output = re.sub(r"\{\n +(\S.*)\n +\}", r"{ \1 }", output)  # a block of one line stands in one, as it is written
    if functions:
        output = "\n".join("\n".join(re.findall(rf"^(?:export )?fun {re.escape(f)}\(.*?^}}", output, re.M | re.S)) for f in functions)
    return output, done.returncode


def changed_by_printing(program: str, printed: str, file: pathlib.Path) -> str:
    """Returns what is printed of a printed program, if it is another one."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder, file.name)
        copy.write_text(printed + "\n")
        again = served.run(program, ["ir", "print", copy], stderr=subprocess.STDOUT, timeout=120).stdout.decode().rstrip("\n")
    return "" if again == printed else f"\nis printed as\n{again}"


def others(file: pathlib.Path) -> list[str]:
    found = re.search(r"^// with: (.*)$", filetests.read_text(file), re.M)
    return found[1].split() if found else []


def read(file: pathlib.Path) -> tuple[list[str], list[Command], str | None]:
    """Returns (lines of the program, its commands, its answer)."""
    program, commands, answer = [], [], None
    for line in filetests.read_text(file).splitlines():
        if match := re.fullmatch(r"// \$ (.*)", line):
            commands.append(Command(match[1]))
        elif commands and (match := re.fullmatch(r"// \|(?: (.*))?", line)):
            commands[-1].output.append(match[1] or "")
        elif commands and (match := re.fullmatch(r"// = (\d+)", line)):
            commands[-1].code = int(match[1])
        elif match := re.fullmatch(r"// answer:(?: (.*))?", line):
            answer = match[1] or ""
        else:
            program.append(line)
    return program, commands, answer


def engines(file: pathlib.Path) -> list[list[str]]:
    interpreted = [["--engine=interpret", f"--schedule={schedule}"] for schedule in SCHEDULES]
    optimised = [["--engine=interpret", "-O", f"--schedule={schedule}"] for schedule in ("none", "eager", "seed:7")]
    compiled = [*COMPILED, *(COLLECTED if allocates(file) else ())]
    return [["--engine=elide"], *interpreted, *optimised, *(["--engine=jit", *options] for options in compiled)]


def allocates(file: pathlib.Path) -> bool:
    return "alloc" in filetests.read_text(file)


def form(file: pathlib.Path) -> list[str]:
    """Returns the options of the file's executable. One form suffices: LLVM and the linker take half a second, and ir_fuzz_elf makes both forms."""
    return ["--promotion=stackmap", *([] if WITHOUT_COLLECTOR else ["--collect"])] if allocates(file) else ["--promotion=record"]


def built(program: str, file: pathlib.Path, options: list[str]) -> tuple[str, int]:
    """Returns the output of the executable, once for each number of workers and policy, and its exit code."""
    with tempfile.TemporaryDirectory() as folder:
        app = str(pathlib.Path(folder, "app"))
        said, ended = tine(program, ["build", "FILE", "-o", app, *options], file)
        said = re.sub(r"^\S*app: for .* processors.*$", "", said, flags=re.M)
        if ended == 0:
            units = subprocess.run(["readelf", "--debug-dump=info", "--dwarf-depth=1", app], capture_output=True, text=True, check=True).stdout
            if re.findall(r"Version: +(\d)", units) != ["4"]:
                said += "there is debug information of another version than 4, which valgrind may be unable to read, or of more than the program\n"
        for workers, policy in zip(map(str, WORKERS), POLICIES):
            if ended == 0:
                environment = {**os.environ, "TINE_NUM_THREADS": workers, "TINE_PROMOTE": policy}
                done = subprocess.run([app], env=environment, capture_output=True, timeout=60, check=False)
                said += done.stdout.decode() + done.stderr.decode()
                ended = done.returncode
    return said, ended


def check(program: str, file: pathlib.Path, tally: filetests.Tally):
    _, commands, answer = read(file)
    expected = [(c.line.split(), "\n".join(c.output), c.code) for c in commands]
    if answer is not None:
        expected += [(["run", "FILE", *engine], answer, 0) for engine in engines(file)]
        expected.append((["build", *form(file)], f"{answer}\n" * len(WORKERS) if answer else "", 0))
    if not expected:
        expected = [(["check", "FILE"], "an expectation in the file", 0)]
    for arguments, output, code in expected:
        if "--collect" in arguments and WITHOUT_COLLECTOR:
            continue
        said, ended = built(program, file, arguments[1:]) if arguments[0] == "build" and "FILE" not in arguments else tine(program, arguments, file)
        tally.check(f"{file.relative_to(HERE)}: tine ir {' '.join(arguments)}", f"{output}\n= {code}", f"{said}\n= {ended}")


def update(program: str, file: pathlib.Path):
    lines, commands, answer = read(file)
    for command in commands:
        output, command.code = tine(program, command.line.split(), file)
        command.output = output.split("\n") if output else []
    lines += [line for command in commands for line in command.text()]
    lines += [f"// answer: {answer}"] if answer is not None else []
    filetests.write_text(file, "\n".join(lines) + "\n")


def main() -> int:
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    program = str(pathlib.Path(arguments[0]).resolve())
    files = [pathlib.Path(a).resolve() for a in arguments[1:]] or sorted(HERE.glob("*/*.spork"))
    if "--update" in sys.argv:
        for file in files:
            update(program, file)
        return 0
    tally = filetests.Tally()
    for file in files:
        check(program, file, tally)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
