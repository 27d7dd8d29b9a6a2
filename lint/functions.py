"""Finds the functions of a C++ file by counting braces. This is no parser, but it is right for formatted code.

A brace opens a namespace or a class, whose contents are searched, an initialiser, which is skipped, or a function's
body. Lambdas and local classes are part of the function around them.
"""

import re
from typing import NamedTuple

from tree import Source

NOT_A_NAME = {"requires", "noexcept", "alignas", "explicit", "decltype", "if", "for", "while", "switch", "sizeof"}
NAME = re.compile(r"([~\w]+(?:\s*::\s*[~\w]+)*|operator[^(\w\s]+)\s*\(")
SCOPE = re.compile(r"\b(namespace|class|struct|union|TEST_SUITE)\b|\bextern\s*$")
MEMBER_INITIALISER = re.compile(r"\).*(?<!:):(?!:).*[\w>]$", re.DOTALL)


class Function(NamedTuple):
    name: str  # without its namespace; "class::name" inside a class
    first: int  # line of the declaration's first word
    last: int  # line of the closing brace

    @property
    def size(self) -> int:
        return self.last - self.first + 1


class Brace(NamedTuple):
    kind: str  # "scope", "function", "initialiser" or "inner"
    name: str
    first: int


def functions(source: Source) -> list[Function]:
    found: list[Function] = []
    stack: list[Brace] = []
    header, first, parens = "", 0, 0  # the declaration being read, its first line, its open parentheses
    for number, line in enumerate(without_preprocessor(source.code), 1):
        for char in line + "\n":
            inside = bool(stack) and stack[-1].kind != "scope"
            if char == "{":
                kind, name = ("inner", "") if inside or parens else classify(header)
                stack.append(Brace(kind, name, first or number))
                if kind in ("scope", "function", "initialiser"):
                    header, first = "", 0
            elif char == "}" and stack:
                closed = stack.pop()
                if closed.kind == "function":
                    found.append(Function(qualified(closed, stack), closed.first, number))
                if closed.kind == "inner" and not (stack and stack[-1].kind != "scope"):
                    header += "}"
            elif inside:
                continue
            elif char == ";" and not parens:
                header, first = "", 0
            else:
                parens += (char == "(") - (char == ")")
                header = re.sub(r"^\s*(public|private|protected)\s*:$", "", header + char)
                first = (first or number) if header.strip() else 0
    return found


def classify(header: str) -> tuple[str, str]:
    """Returns (kind, name) of the brace that follows `header` outside every function."""
    header = re.sub(r"\[\[.*?\]\]", "", without_templates(header), flags=re.DOTALL).strip()
    if header.endswith("=") or re.search(r"\b(enum|concept)\b", header):
        return "initialiser", ""
    if MEMBER_INITIALISER.search(header):
        return "inner", ""
    scope = SCOPE.search(header)
    if scope and (scope.start() == 0 or "(" not in header):
        named = re.match(r"\s*(?:alignas\s*\([^)]*\)\s*)?(\w+)", header[scope.end() :])
        return "scope", named[1] if named and scope[1] in ("class", "struct", "union") else ""
    if "(" not in header:
        return "initialiser", ""
    names = (re.sub(r"\s", "", match[1]) for match in NAME.finditer(header))
    return "function", next((n for n in names if n not in NOT_A_NAME and not n.startswith(("__", "TINE_"))), "")


def qualified(closed: Brace, stack: list[Brace]) -> str:
    classes = [brace.name for brace in stack if brace.kind == "scope" and brace.name]
    return "::".join(classes + [closed.name or "(unnamed)"])


def without_templates(header: str) -> str:
    """Removes template parameter lists, because `template <class T>` opens no class."""
    while (match := re.search(r"\btemplate\s*<", header)) is not None:
        depth, end = 1, match.end()
        while depth and end < len(header):
            depth += {"<": 1, ">": -1}.get(header[end], 0) if header[end - 1 : end + 1] != "->" else 0
            end += 1
        header = header[: match.start()] + header[end:]
    return header


def without_preprocessor(code: list[str]) -> list[str]:
    """Blanks directives. If the braces of some branch of an #if are not balanced (two heads for one body), only the
    first branch stays."""
    out = list(code)
    groups: list[list[int]] = []  # for each open #if, the lines of its directives
    continued = False
    for i, line in enumerate(code):
        directive = re.match(r"\s*#\s*(\w+)", line)
        if not (directive or continued):
            continue
        continued = line.rstrip().endswith("\\")
        out[i] = ""
        word = directive[1] if directive else ""
        if word in ("if", "ifdef", "ifndef"):
            groups.append([i])
        elif word in ("else", "elif", "elifdef") and groups:
            groups[-1].append(i)
        elif word == "endif" and groups:
            marks = groups.pop() + [i]
            branches = list(zip(marks, marks[1:]))
            texts = ["".join(out[a + 1 : b]) for a, b in branches]
            if any(text.count("{") != text.count("}") for text in texts):
                for a, b in branches[1:]:
                    out[a + 1 : b] = [""] * (b - a - 1)
    return out
