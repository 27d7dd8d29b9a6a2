"""Names of files and components, the README of each component, and paths of one machine."""

import re

from house import FORBIDDEN_NAMES
from tree import PRODUCTS, Finding, Tree, is_product

MACHINE_PATH = re.compile(r"(?<![\w.~$}])/(?:work|home|root)(?:/[\w.]|\b(?![\w/-]))")


def check_names(tree: Tree):
    for path in tree.files:
        words = {word for part in path.lower().split("/") for word in re.split(r"[_.\-]", part)}
        for word in sorted(words & FORBIDDEN_NAMES):
            yield Finding(path, 1, "name", f"'{word}' says nothing; name it after what is in it")


def check_components(tree: Tree):
    components = {}
    for path in tree.files:
        match = re.match(r"(?:include/tine(?:/detail)?|src|tools|spork)/(?!detail/)(\w+)/", path)
        if match and is_product(path):
            components.setdefault(match[1], path)
    for component, first in sorted(components.items()):
        if not any(f"{top}/{component}/README.md" in tree.files for top in PRODUCTS):
            top = "src" if first.startswith("include/") else first.split("/")[0]
            yield Finding(first, 1, "component", f"{top}/{component}/README.md is missing: vocabulary, states, invariants, papers")


def check_machine_paths(tree: Tree):
    for path in tree.files:
        if b"\0" in (tree.root / path).read_bytes()[:8192]:
            continue
        for number, line in enumerate(tree.source(path).lines, 1):
            match = MACHINE_PATH.search(line)
            if match:
                yield Finding(path, number, "machine-path", f"'{match[0]}' is a path of one machine")
