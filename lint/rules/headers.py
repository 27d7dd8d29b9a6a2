"""Headers have no slow includes, no macros but the house's own, and an opening that says what they are."""

import re

from house import MACRO_HEADERS, SLOW_INCLUDES
from tree import Finding, Tree


def check_includes(tree: Tree):
    for source in tree.cpp("include"):
        for number, _, name in source.includes():
            if name in SLOW_INCLUDES:
                yield Finding(source.path, number, "slow-include", f"<{name}> costs every user compile time")


def check_macros(tree: Tree):
    """A macro outside base/ may only live for a part of its file: the same file undefines it."""
    for source in tree.cpp("include", "src"):
        if source.path in MACRO_HEADERS:
            continue
        text = "\n".join(source.code)
        for number, code in enumerate(source.code, 1):
            match = re.match(r"\s*#\s*define\s+(\w+)", code)
            if match and not re.search(rf"#\s*undef\s+{match[1]}\b", text):
                yield Finding(source.path, number, "macro", f"{match[1]}: macros live in base/, or are undefined here")


def check_opening(tree: Tree):
    for source in tree.cpp("include", "src"):
        if not source.lines or not source.lines[0].startswith(("//", "/*")):
            yield Finding(source.path, 1, "opening", "the first line says what this file is")
        if source.path.endswith((".hpp", ".h")) and "#pragma once" not in source.text:
            yield Finding(source.path, 1, "opening", "no #pragma once")
