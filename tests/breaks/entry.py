"""The entries of list/*.toml. An entry is a table [[ROOM]], where ROOM is the component, with these keys:

    id        a short name
    file      the file to change, from the root
    old, new  the text, which occurs exactly once in the file, and what takes its place
    wrong     one sentence: what goes wrong then
    unit      the test: a program of the build and its arguments, e.g. ["unit_sched", "--test-case=*steals*"], or (doctest's patterns
              end at commas: write * for a comma of a title)
    ctest     a regular expression of tests of ctest, or
    command   a command, run in the root of the copy; {build} stands for the build folder
    targets   what has to be built for `ctest` and `command`
    seconds   the time limit of the test, 120 by default
    hangs     true: a test that exceeds its time limit has noticed the break
    compiler  true: the compiler must refuse it; then `targets` suffices
"""

import fnmatch
import pathlib
import re
import shlex
import tomllib
from dataclasses import dataclass, field

LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


class BadEntry(Exception):
    pass


@dataclass
class Break:
    id: str
    room: str
    file: str
    old: str
    new: str
    wrong: str
    unit: list[str] = field(default_factory=list)
    ctest: str = ""
    command: list[str] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)
    seconds: int = 120
    hangs: bool = False
    compiler: bool = False

    def __post_init__(self) -> None:
        if bool(self.unit) + bool(self.ctest) + bool(self.command) + self.compiler != 1:
            raise BadEntry(f"{self.id} needs exactly one of unit, ctest, command and compiler")
        if self.unit:
            self.targets = [self.unit[0], *self.targets]

    @property
    def test_key(self) -> tuple:
        return (*self.unit, self.ctest, *self.command)

    def test_text(self) -> str:
        if self.compiler:
            return "the compiler"
        return f"ctest -R '{self.ctest}'" if self.ctest else shlex.join(self.unit or self.command)

    @property
    def patterns(self) -> list[str]:
        """The patterns of the test cases that run; none if all do."""
        return [p for a in self.unit[1:] if a.startswith("--test-case=") for p in a.split("=", 1)[1].split(",")]

    def fault(self, root: pathlib.Path, sources: dict[str, str]) -> str:
        """Returns what the checkout does not have of what the entry names, or an empty text. `sources`: by program."""
        try:
            self.applied_to((root / self.file).read_text())
        except (BadEntry, OSError) as error:
            return str(error)
        lost = [w for w in self.command if re.fullmatch(r"[\w.-]+(/[\w.-]+)+", w) and not (root / w).exists()]
        if lost:
            return f"{self.id}: its command names {lost[0]}, which does not exist"
        if self.unit and self.unit[0] not in sources:
            return f"{self.id}: there is no program of unit tests {self.unit[0]}"
        lost = [p for p in self.patterns if not has_case(sources[self.unit[0]], p)]
        return f"{self.id}: {self.unit[0]} has no test case {lost[0]}" if lost else ""

    def applied_to(self, text: str) -> str:
        count = text.count(self.old)
        if count != 1:
            raise BadEntry(f"{self.id}: its old text occurs {count} times in {self.file}, and must occur once")
        return text.replace(self.old, self.new)


def has_case(text: str, pattern: str) -> bool:
    """Returns true if a title fits, as in doctest's filters: without case, * for any text. A template's title has its
    type behind it."""
    return any(fnmatch.fnmatchcase(t.lower() + end, pattern.lower()) for t in LITERAL.findall(text) for end in ("", "<"))


def unit_tests(files: set[str]) -> dict[str, list[str]]:
    """Returns the files of each program of unit tests."""
    found: dict[str, list[str]] = {}
    for name in sorted(files):
        if match := re.search(r"(?:unit/|tests/)(\w+)/\w+_test\.cpp$", name):
            found.setdefault(f"unit_{match[1]}", []).append(name)
    return found


def read_all(folder: pathlib.Path) -> list[Break]:
    breaks = []
    for file in sorted(folder.glob("*.toml")):
        try:
            for room, entries in tomllib.loads(file.read_text()).items():
                breaks += [Break(**entry, room=room) for entry in entries]
        except (TypeError, tomllib.TOMLDecodeError) as error:
            raise BadEntry(f"{file.name}: {error}") from error
    ids = [b.id for b in breaks]
    twice = {i for i in ids if ids.count(i) > 1}
    if twice:
        raise BadEntry(f"several entries are called {', '.join(sorted(twice))}")
    return breaks
