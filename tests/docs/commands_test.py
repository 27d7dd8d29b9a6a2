#!/usr/bin/env python3
"""Runs the commands that pages show, and compares their output with the pages.

    commands_test.py TINE ROOT WORK [NAME=PROGRAM...] PAGE...

In a block `console` each line that begins with `$ ` is a command, and the lines up to the next one are its output: `…` stands for any characters of
a line, and a line `…` for any lines. In a block `sh`, and in an indented one, each line is a command that must succeed. not_run.toml lists the
commands of each page that are not run, with the reasons. `./dev bench` measures for minutes, so only its arguments are checked.

A page has a folder of its own in WORK, with links to everything in ROOT, which is also called `tine`, and to each PROGRAM by its NAME. A block whose
first line is ```spork NAME or ```sml NAME is written to the file NAME, which a command must use. A file of C++ that does not exist is the last program
of the page. `tine` is TINE, and WORK/home is the home of all pages, so that one page can install what the next one uses."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

BLOCK = re.compile(r"^```(\w*)(?: (\S+))?\n(.*?)^```$|(?<=\n\n)((?:    \S[^\n]*\n)+)", re.M | re.S)
NOT_RUN = tomllib.loads(pathlib.Path(__file__).with_name("not_run.toml").read_text())


def agrees(printed: str, page: str) -> bool:
    pattern = "".join("(?:.*\n)*" if line == "…\n" else re.escape(line).replace("…", ".*") for line in page.splitlines(keepends=True))
    return re.fullmatch(pattern, printed) is not None


class Page:
    def __init__(self, text: str, not_run: dict, folder: pathlib.Path, environment: dict) -> None:
        self.text, self.not_run, self.folder, self.environment = text, set(not_run), folder, environment
        self.passed, self.failures = 0, []
        self.shown, self.unused, self.program = set(), set(), ""

    def check(self) -> None:
        for language, name, text, indented in BLOCK.findall(self.text):
            if language == "console":
                for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.M):
                    self.check_command(command, expected)
            elif language == "sh" or indented:
                for line in (text or indented).splitlines():
                    self.check_command(re.sub(r"\s+# .*", "", line.strip()), None)
            elif language == "cpp":
                self.program = text if "int main" in text else self.program
            elif language in ("spork", "sml"):
                if not name:
                    self.failures.append(f"this block has no name:\n{text}")
                    continue
                (self.folder / name).write_text(text)
                self.unused.add(name)
        self.failures += [f"no command uses {name}" for name in sorted(self.unused)]
        self.failures += [f"not_run.toml lists a command that the page does not show: {command}" for command in sorted(self.not_run - self.shown)]

    def check_command(self, command: str, expected: str | None) -> None:
        self.shown.add(command)
        self.unused -= set(command.split())
        if command in self.not_run:
            return
        for name in re.findall(r"\S+\.cpp", command):
            if not (self.folder / name).exists():
                (self.folder / name).write_text(self.program)
        if command.startswith("./dev bench") and "--help" not in command:
            driver = command.replace("./dev bench", "python3 bench/harness/bench.py")
            command = f"{driver} --build-dir none 2>&1 | grep 'there is no program bench/'"
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, check=False)
        if agrees(done.stdout, expected) if expected is not None else done.returncode == 0:
            self.passed += 1
        else:
            wanted = "succeed" if expected is None else f"print\n{expected}"
            self.failures.append(f"{command}: it must {wanted}, but it ends with {done.returncode} and prints\n{done.stdout}")


def main() -> None:
    tine, root, work = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    programs = dict(word.split("=") for word in sys.argv[4:] if "=" in word)
    home = work / "home"
    environment = {**os.environ, "PATH": f"{tine.parent}:{os.environ['PATH']}", "HOME": str(home), "PKG_CONFIG_PATH": str(home / ".local/lib/pkgconfig"),
                   "CCACHE_DIR": os.environ.get("CCACHE_DIR", os.path.expanduser("~/.cache/ccache"))}
    links = {**{entry.name: entry for entry in root.iterdir() if entry.name not in (".git", "build")}, "tine": root, **programs}
    shutil.rmtree(work, ignore_errors=True)
    home.mkdir(parents=True)
    passed, failures = 0, []
    for name in (word for word in sys.argv[4:] if "=" not in word):
        page = Page((root / name).read_text(), NOT_RUN.get(name, {}), work / name.replace("/", "_"), environment)
        for link, target in links.items():
            (page.folder / link).parent.mkdir(parents=True, exist_ok=True)
            (page.folder / link).symlink_to(target)
        page.check()
        passed += page.passed
        failures += [f"{name}: {failure}" for failure in page.failures]
    for failure in failures:
        print(f"failed: {failure}")
    print(f"{passed} passed, {len(failures)} failed")
    sys.exit(1 if failures or passed == 0 else 0)


if __name__ == "__main__":
    main()
