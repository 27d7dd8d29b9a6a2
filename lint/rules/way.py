"""docs/way-of-a-fork.md stays short: it has few stops, each names its function, and the functions have few lines in all."""

import re

from functions import Function, functions
from house import MAX_STOPS, MAX_WAY_LINES, WAY
from tree import Finding, Tree

STOP = re.compile(r"^(?:#+\s+)?\d+\.\s")
NAMED = re.compile(r"`([\w./\-]+\.(?:hpp|cpp|h)):([~\w:]+)`")


def longest(tree: Tree, path: str, symbol: str) -> Function | None:
    """Returns the function `symbol` of the file; if it is overloaded, the longest overload."""
    if not tree.exists(path):
        return None
    same = [f for f in functions(tree.source(path)) if f.name == symbol or f.name.endswith("::" + symbol)]
    return max(same, key=lambda f: f.size, default=None)


def check(tree: Tree):
    if not tree.exists(WAY):
        yield Finding(WAY, 1, "way", "is missing: the way of a fork in at most 8 stops")
        return
    stops: list[tuple[int, list[str]]] = []
    for number, line in enumerate(tree.source(WAY).lines, 1):
        if STOP.match(line):
            stops.append((number, []))
        elif re.match(r"#", line) and stops:
            stops.append((number, []))  # a heading without a number ends the stop before it
            stops[-1][1].append("")
        if stops:
            stops[-1][1].append(line)
    stops = [stop for stop in stops if stop[1][0]]
    if not 0 < len(stops) <= MAX_STOPS:
        yield Finding(WAY, 1, "way", f"{len(stops)} numbered stops; at least one and at most {MAX_STOPS}")
    seen: dict[tuple[str, str], int] = {}
    for number, lines in stops:
        names = NAMED.findall("\n".join(lines))
        if not names:
            yield Finding(WAY, number, "way", "a stop names its code as `path/file.hpp:symbol`")
        for path, symbol in names:
            function = longest(tree, path, symbol)
            if function:
                seen[(path, function.name)] = function.size
    total = sum(seen.values())
    if total > MAX_WAY_LINES:
        worst = ", ".join(f"{name} {size}" for (_, name), size in sorted(seen.items(), key=lambda x: -x[1])[:3])
        yield Finding(WAY, 1, "way", f"{total} lines of functions, at most {MAX_WAY_LINES}; the longest: {worst}")
