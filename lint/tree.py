"""The data that the rules check: the files of a source tree, and C++ text split into code and comments."""

import pathlib
import re
import subprocess
from typing import Iterator, NamedTuple

CPP = (".hpp", ".cpp", ".h")
# The folders of the products: the library, the tools, the languages, and the doors.
PRODUCTS = ("include", "src", "tools", "spork", "compat")
SKIPPED_FOLDERS = {".git", "build", "target", "__pycache__", ".cache"}


class Finding(NamedTuple):
    file: str
    line: int
    rule: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.rule}: {self.message}"


def is_product(path: str) -> bool:
    """Returns true for a file of a product that is none of its tests, benchmarks and pages."""
    folders = path.split("/")[:-1]
    return bool(folders) and folders[0] in PRODUCTS and not {"tests", "bench", "docs"}.intersection(folders)


class Source:
    """A text file. `code` has its lines without comments and literals, `comments` has its lines with only the comments."""

    def __init__(self, path: str, text: str):
        self.path = path
        self.text = text
        self.lines = text.splitlines()
        self._parts = None

    @property
    def code(self) -> list[str]:
        return self._split()[0]

    @property
    def comments(self) -> list[str]:
        return self._split()[1]

    def _split(self):
        if self._parts is None:
            self._parts = split_comments(self.text)
        return self._parts

    def includes(self) -> Iterator[tuple[int, str, str]]:
        """Yields (line, "<" or '"', name) of each #include. Reads the raw lines, because the name is a literal."""
        for number, line in enumerate(self.lines, 1):
            match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
            if match and self.code[number - 1].lstrip().startswith("#"):
                yield number, match[1], match[2]


class Tree:
    """The files of the project: those that git tracks or would track; without git, all files outside of build folders."""

    def __init__(self, root):
        self.root = pathlib.Path(root).resolve()
        self.files = sorted(f for f in self._listed() if (self.root / f).is_file())
        self._sources: dict[str, Source] = {}

    def _listed(self) -> list[str]:
        if (self.root / ".git").exists():
            command = ["git", "-C", str(self.root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
            answer = subprocess.run(command, capture_output=True, text=True)
            if answer.returncode == 0:
                return [f for f in answer.stdout.split("\0") if f]
        found = (p.relative_to(self.root) for p in self.root.rglob("*") if p.is_file())
        return [p.as_posix() for p in found if not SKIPPED_FOLDERS.intersection(p.parts)]

    def exists(self, path: str) -> bool:
        return (self.root / path).exists()

    def source(self, path: str) -> Source:
        if path not in self._sources:
            self._sources[path] = Source(path, (self.root / path).read_text(encoding="utf-8", errors="replace"))
        return self._sources[path]

    def cpp(self, *tops: str) -> Iterator[Source]:
        """Yields the C++ files below the named folders, or all C++ files."""
        for path in self.files:
            if path.endswith(CPP) and (not tops or path.startswith(tuple(t + "/" for t in tops))):
                yield self.source(path)

    def product(self) -> Iterator[Source]:
        """Yields the C++ files of the products, without their tests and benchmarks."""
        for source in self.cpp(*PRODUCTS):
            if is_product(source.path):
                yield source

    def tests(self) -> Iterator[Source]:
        """Yields the C++ files of the tests of all products."""
        for source in self.cpp("tests", *PRODUCTS):
            if "tests" in source.path.split("/")[:-1]:
                yield source

    def ending(self, *suffixes: str) -> Iterator[Source]:
        for path in self.files:
            if path.endswith(suffixes):
                yield self.source(path)


# One alternative for each kind of text that can hide the others. A quote after a digit separates digits (1'000).
TOKEN = re.compile(
    r'(?P<comment>//(?:\\\n|[^\n])*|/\*.*?(?:\*/|\Z))'
    r'|(?P<literal>R"(?P<mark>[^()\s\\]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\')',
    re.DOTALL,
)


def blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def split_comments(text: str) -> tuple[list[str], list[str]]:
    """Returns (code lines, comment lines). Each list has as many lines as the text, and everything else is blank."""
    code, comments, end = [], [], 0
    for match in TOKEN.finditer(text):
        between = text[end : match.start()]
        code.append(between)
        comments.append(blank(between))
        code.append(blank(match[0]))
        comments.append(match[0] if match["comment"] else blank(match[0]))
        end = match.end()
    code.append(text[end:])
    comments.append(blank(text[end:]))
    return "".join(code).splitlines(), "".join(comments).splitlines()
