"""The README's figures and its chart must be those of the raw results."""

import sys
from pathlib import Path

from tree import Finding, Tree

sys.path.append(str(Path(__file__).resolve().parent.parent.parent / "bench" / "harness"))

import figures  # noqa: E402


def check(tree: Tree):
    if "README.md" not in tree.files:
        return
    text = tree.source("README.md").text
    try:
        expected = figures.written(text, tree.root)
    except ValueError as error:
        yield Finding("README.md", 1, "figures", str(error))
        return
    for number, (is_line, should_be) in enumerate(zip(text.splitlines(), expected.splitlines()), 1):
        if is_line != should_be:
            yield Finding("README.md", number, "figures",
                          f"the newest results give '{should_be}'; python3 bench/harness/figures.py writes the README's figures anew")
            break
    if figures.CHART in text:
        try:
            should_be = figures.chart(tree.root)
        except ValueError as error:
            yield Finding("README.md", 1, "figures", str(error))
            return
        if figures.CHART not in tree.files or tree.source(figures.CHART).text != should_be:
            yield Finding(figures.CHART, 1, "figures", "the newest results give another chart; python3 bench/harness/figures.py draws it anew")
