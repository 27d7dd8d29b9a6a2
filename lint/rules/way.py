"""docs/internals/way-of-a-fork.md has few stops, and each names its function. (tests/way counts the functions and the lines.)"""

import re

from house import MAX_STOPS, WAY
from tree import Finding, Tree

STOP = re.compile(r"^(?:#+\s+)?\d+\.\s")
NAMED = re.compile(r"`([\w./\-]+\.(?:hpp|cpp|h)):([~\w:]+)`")


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
    for number, lines in stops:
        if not NAMED.search("\n".join(lines)):
            yield Finding(WAY, number, "way", "a stop names its code as `path/file.hpp:symbol`")
