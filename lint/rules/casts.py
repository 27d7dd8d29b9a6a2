"""Pointer casts are in one header, beside the reasons why they are defined, and in few other files, each with its own reason."""

import re

from house import CAST_FILES, DOORS
from tree import Finding, Tree

CAST = re.compile(r"\breinterpret_cast\b|\bstd::launder\b|\b__builtin_launder\b|\bstart_lifetime_as\w*")


def check(tree: Tree):
    for source in tree.product():
        if source.path.startswith(DOORS):
            continue
        found = [(number, match[0]) for number, code in enumerate(source.code, 1) for match in CAST.finditer(code)]
        if source.path not in CAST_FILES:
            for number, cast in found:
                yield Finding(source.path, number, "cast", f"{cast}: use the functions of {next(iter(CAST_FILES))}")
        elif not found:
            yield Finding(source.path, 1, "cast", "lint/house.py lists this file for its casts, but it has none")
