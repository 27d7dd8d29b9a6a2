"""Headers are named after what they declare, and users need no header of detail/. Headers have no slow includes, no macros but the
house's own, and an opening that says what they are."""

import posixpath
import re

from declarations import declared
from house import DETAIL, FOREIGN, MACRO_HEADERS, SLOW_INCLUDES, SLOW_INCLUDES_ALLOWED, USER_FILES
from tree import Finding, Tree

def check_includes(tree: Tree):
    for source in tree.cpp("include"):
        for number, _, name in source.includes():
            if name in SLOW_INCLUDES and not source.path.startswith(SLOW_INCLUDES_ALLOWED.get(name, ("nowhere",))):
                yield Finding(source.path, number, "slow-include", f"<{name}> costs every user compile time")


def check_macros(tree: Tree):
    """A macro outside base/ may only live for a part of its file: the same file undefines it."""
    for source in tree.product():
        if source.path in MACRO_HEADERS or source.path.startswith(FOREIGN):
            continue
        text = "\n".join(source.code)
        for number, code in enumerate(source.code, 1):
            match = re.match(r"\s*#\s*define\s+(\w+)", code)
            if match and not re.search(rf"#\s*undef\s+{match[1]}\b", text):
                yield Finding(source.path, number, "macro", f"{match[1]}: macros live in base/, or are undefined here")


def check_opening(tree: Tree):
    for source in tree.product():
        is_forwarded = source.path.startswith(FOREIGN) and len(source.lines) == 1  # to a header of the same name
        if not is_forwarded and (not source.lines or not source.lines[0].startswith(("//", "/*"))):
            yield Finding(source.path, 1, "opening", "the first line says what this file is")
        if source.path.endswith((".hpp", ".h")) and "#pragma once" not in source.text and not source.path.startswith(FOREIGN):
            yield Finding(source.path, 1, "opening", "no #pragma once")


def check_names(tree: Tree):
    """A list of includes declares nothing, and may have any name."""
    for source in tree.cpp():
        if not source.path.endswith((".hpp", ".h")) or source.path.startswith(FOREIGN) or "/stand_in/" in source.path or all(not c.strip() or c.lstrip().startswith("#include") for c in directives(source)):
            continue
        names = declared(source)
        stem = posixpath.basename(source.path).rsplit(".", 1)[0]
        if stem != ("macros" if names and all(n.isupper() for n in names) else "") and not any(fits(stem, name) for name in names):
            yield Finding(source.path, 1, "header-name", f"declares no {stem}, {stem}_* or *_{stem}; name it after what it declares")


def directives(source):
    """Yields the lines of code, but not `#pragma once`."""
    return (code for code in source.code if not code.startswith("#pragma once"))


def fits(stem: str, name: str) -> bool:
    """Returns true if the name is the stem, begins or ends with it, or does so in the other number (label, labels)."""
    name = name.lower().removeprefix("tine_")
    pairs = ((stem, name), (singular(stem), singular(name)))
    return any(n == s or n.startswith(s + "_") or n.endswith("_" + s) for s, n in pairs)


def singular(word: str) -> str:
    return word[:-3] + "y" if word.endswith("ies") else word.removesuffix("s")


def check_detail(tree: Tree):
    """No user-facing text includes a header of detail/. Such a header serves a public header, or its place is in src/."""
    for path in tree.files:
        if path.startswith(USER_FILES):
            for number, line in enumerate(tree.source(path).lines, 1):
                if re.search(rf"#\s*include\s*[<\"]{DETAIL.removeprefix('include/')}", line):
                    yield Finding(path, number, "detail", "users include no header of detail/; a public header declares what they need")
    reached, waiting = set(), [s.path for s in tree.cpp("include") if not s.path.startswith(DETAIL)]
    while waiting:
        for _, _, name in tree.source(waiting.pop()).includes():
            path = "include/" + name
            if path in tree.files and path not in reached:
                reached.add(path)
                waiting.append(path)
    for source in tree.cpp(DETAIL.rstrip("/")):
        if source.path not in reached:
            yield Finding(source.path, 1, "detail", "no public header needs it; inner headers of the library are in src/")
