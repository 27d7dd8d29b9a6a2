"""Files, symbols in files and links that documentation and comments name must exist."""

import posixpath
import re
import urllib.parse

from tree import Finding, Source, Tree

FOLDERS = ("include", "src", "tools", "spork", "compat", "tests", "bench", "docs", "examples", "proofs", "lint", ".ci")
QUOTED = re.compile(r"`([^`\s]+)`")
NAMED_FILE = re.compile(r"^((?:[\w.\-]+/)*[\w.\-]+\.(?:hpp|cpp|h|py|md|txt|json|spork|S))(?::([~\w:]+))?$")
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)|!\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^\s*(```|~~~)")


def check_symbols(tree: Tree):
    for source in tree.ending(".md"):
        for number, line in enumerate(source.lines, 1):
            yield from dead_names(tree, source, number, line)
    for source in tree.cpp():
        for number, line in enumerate(source.comments, 1):
            yield from dead_names(tree, source, number, line)


def dead_names(tree: Tree, source: Source, number: int, line: str):
    for quoted in QUOTED.findall(line):
        match = NAMED_FILE.match(quoted)
        if not match:
            continue
        path, symbol = match.groups()
        if not symbol and path.split("/")[0] not in FOLDERS:
            continue  # only a file's name, not a path
        if not tree.exists(path):
            yield Finding(source.path, number, "dead-symbol", f"there is no file {path}")
        elif symbol and not symbol.isdigit() and not defines(tree.source(path), symbol):
            yield Finding(source.path, number, "dead-symbol", f"there is no {symbol} in {path}")


def defines(source: Source, symbol: str) -> bool:
    """Returns true if every part of a::b is in the code, not only in a comment."""
    is_cpp = source.path.endswith((".hpp", ".cpp", ".h"))
    text = "\n".join(source.code) if is_cpp else source.text
    return all(re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text) for part in symbol.split("::") if part)


def check_links(tree: Tree):
    for source in tree.ending(".md"):
        fenced = False
        for number, line in enumerate(source.lines, 1):
            if FENCE.match(line):
                fenced = not fenced
            if fenced:
                continue
            for match in LINK.finditer(re.sub(r"`[^`]*`", "", line)):
                problem = dead_link(tree, source, urllib.parse.unquote(match[1] or match[2]))
                if problem:
                    yield Finding(source.path, number, "dead-link", problem)


def dead_link(tree: Tree, source: Source, target: str) -> str:
    if re.match(r"[a-z][a-z0-9+.\-]*:", target):
        return ""  # http:, mailto:
    path, _, anchor = target.partition("#")
    file = posixpath.normpath(posixpath.join(posixpath.dirname(source.path), path)) if path else source.path
    if file.startswith(("..", "/")) or not tree.exists(file):
        return f"there is no {target}"
    if anchor and file.endswith(".md") and anchor not in anchors(tree.source(file)):
        return f"there is no heading #{anchor} in {file}"
    return ""


def anchors(source: Source) -> set[str]:
    """Returns the anchors that GitHub makes of headings, and anchors written by hand."""
    found = set(re.findall(r'<a (?:name|id)="([^"]+)"', source.text))
    for line in source.lines:
        match = re.match(r"#+\s+(.*?)\s*#*$", line)
        if match:
            found.add(re.sub(r"[^\w\- ]", "", match[1].lower()).replace(" ", "-"))
    return found
