"""A comment at every memory order stronger than relaxed says what the order pairs with; atomics come from one header."""

import re

from house import ARCHITECTURES, ATOMIC_HEADER, DOORS
from tree import Finding, Tree, blank

LOOK_BACK = 4
ORDER = re.compile(
    r"\bmemory_order(?:_|::)(?:acquire|release|acq_rel|seq_cst)\b"
    r"|(?:\bbase::|(?<![\w.>:]))(?:acquire|release|acq_rel|seq_cst)\b(?!\s*\()"  # not a function named release()
)
ENUM = re.compile(r"\benum\b[^;{}]*\{[^}]*\}")
ATOMIC = re.compile(r"#\s*include\s*<(atomic|stdatomic\.h)>|\bstd::atomic|\b__atomic_\w+|\b__sync_\w+")


def check_pairs(tree: Tree):
    for source in tree.product():
        if source.path == ATOMIC_HEADER:
            continue
        code_without_enums = ENUM.sub(lambda enum: blank(enum[0]), "\n".join(source.code))
        for i, code in enumerate(code_without_enums.split("\n")):
            if not ORDER.search(code) or code.lstrip().startswith(("using", "#")):
                continue
            near = " ".join(" ".join(source.comments[max(0, i - LOOK_BACK) : i + 1]).replace("/", " ").split())
            if "pairs with" not in near.lower():
                name = ORDER.search(code)[0]
                yield Finding(source.path, i + 1, "pairs-with", f"{name}: say what it pairs with, and so that what")


def check_atomic(tree: Tree):
    for source in tree.product():
        if source.path == ATOMIC_HEADER or source.path.startswith(ARCHITECTURES + DOORS):
            continue
        for number, code in enumerate(source.code, 1):
            match = ATOMIC.search(code)
            if match:
                yield Finding(source.path, number, "atomic", f"'{match[0]}': only {ATOMIC_HEADER} may; use tine::base")
