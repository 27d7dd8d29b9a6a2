"""Finds files that forget an include, which a precompiled header hides. tests/package builds the library without one, and g++ the tests."""

import re
from typing import Iterator

from tree import Finding, Source, Tree

PARTS = ("bench", "tools/cli", "tools/report", "spork/ir", "spork/ml")
# header -> names of std that no other header promises
NAMES = {
    "algorithm": "all_of any_of clamp copy_if count_if fill is_sorted lower_bound max_element min_element none_of nth_element partition "
                 "remove_if replace reverse sort stable_sort transform unique upper_bound",
    "cmath": "ceil cos exp floor fma isfinite isnan log log2 pow round sin sqrt",
    "cstdint": "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uintptr_t",
    "functional": "function greater invoke less multiplies plus reference_wrapper",
    "memory": "make_shared make_unique shared_ptr unique_ptr",
    "numeric": "accumulate exclusive_scan inclusive_scan inner_product iota partial_sum reduce",
    "string": "string to_string",
    "utility": "exchange",  # the other names of this header come with every container
    "vector": "vector",
}
HEADER_OF = {f"std::{name}": header for header, names in NAMES.items() for name in names.split()}
LIBRARIES = {"CLI": "CLI/CLI.hpp", "fmt": "fmt/format.h", "nlohmann": "nlohmann/json.hpp"}


def own_headers(tree: Tree, source: Source, name: str) -> Iterator[str]:
    """Yields the file of the project that an include may mean, if there is one."""
    folder = source.path.rsplit("/", 1)[0]
    for path in (f"{folder}/{name}", f"bench/{name}", f"src/{name}", f"tools/{name}", f"spork/{name}", f"include/{name}"):
        if path in tree.files:
            yield path
            return


def included(tree: Tree, source: Source, seen: set[str]) -> set[str]:
    """Returns the names of all headers that a file includes, directly or through the project's own headers."""
    found = set()
    for _, _, name in source.includes():
        found.add(name)
        for path in own_headers(tree, source, name):
            if path not in seen:
                seen.add(path)
                found |= included(tree, tree.source(path), seen)
    return found


def check_includes(tree: Tree) -> Iterator[Finding]:
    for source in tree.cpp(*PARTS):
        had = included(tree, source, {source.path})
        for number, line in enumerate(source.code, 1):
            for name, library in re.findall(r"(?<![\w:])((\w+)::\w+)", line):
                header = HEADER_OF.get(name) or (LIBRARIES.get(library) if source.path.endswith(".cpp") else None)
                if header and header not in had:
                    had.add(header)
                    yield Finding(source.path, number, "include", f"{name} without <{header}>, here or in a header of ours")
