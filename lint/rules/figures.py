"""The figures of the pages that have some, and their chart, must be those of the newest raw results."""

import sys
from pathlib import Path

from tree import Finding, Tree

sys.path.append(str(Path(__file__).resolve().parent.parent.parent / "bench" / "harness"))

import figures  # noqa: E402


def check(tree: Tree):
    for page in figures.PAGES:
        if page in tree.files:
            yield from check_page(tree, page)


def check_page(tree: Tree, page: str):
    text = tree.source(page).text
    try:
        expected = figures.written(text, tree.root)
        drawn = figures.chart(tree.root) if figures.CHART in text else None
    except ValueError as error:
        yield Finding(page, 1, "figures", str(error))
        return
    for number, (is_line, should_be) in enumerate(zip(text.splitlines(), expected.splitlines()), 1):
        if is_line != should_be:
            yield Finding(page, number, "figures", f"the newest results give '{should_be}'; python3 bench/harness/figures.py writes the figures anew")
            break
    if drawn and (figures.CHART not in tree.files or tree.source(figures.CHART).text != drawn):
        yield Finding(figures.CHART, 1, "figures", "the newest results give another chart; python3 bench/harness/figures.py draws it anew")
