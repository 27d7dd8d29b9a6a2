"""The glossary and the code have the same terms: each term of the glossary is in the code, and no retired word is."""

import re
from typing import Iterator

from house import GLOSSARY, RETIRED_WORDS
from tree import Finding, Tree, is_product

ROW = re.compile(r"^\| ([^|]+?) \|")


def terms(tree: Tree) -> Iterator[tuple[int, str]]:
    """(line, term) of every term in the tables of the glossary."""
    for number, line in enumerate(tree.source(GLOSSARY).lines if tree.exists(GLOSSARY) else [], 1):
        match = ROW.match(line)
        if match and match[1] not in ("word", "term", "terms") and not set(match[1]) <= set("-"):
            yield from ((number, term) for term in match[1].split(", "))


def check_terms(tree: Tree) -> Iterator[Finding]:
    text = "\n".join(tree.source(f).text for f in tree.files if is_product(f) and not f.endswith((".json", ".inc")))
    text = re.sub(r"[_\s-]+", " ", text).lower()
    for number, term in terms(tree):
        if re.sub(r"[_\s-]+", " ", term).lower() not in text:
            yield Finding(GLOSSARY, number, "glossary", f"no product uses the term '{term}'")


def check_retired(tree: Tree) -> Iterator[Finding]:
    # Letters and digits next to a word make it another word; an underscore does not.
    terms = {word.replace(" ", "[_ ]"): to for word, to in RETIRED_WORDS.items()}
    retired = re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(terms)})(?![A-Za-z0-9])", re.IGNORECASE)
    for source in tree.ending(".hpp", ".cpp", ".h", ".md"):
        if not is_product(source.path):
            continue
        for number, line in enumerate(source.lines, 1):
            for match in retired.finditer(line):
                new = next(to for word, to in terms.items() if re.fullmatch(word, match[0], re.IGNORECASE))
                yield Finding(source.path, number, "retired-word", f"'{match[0]}' is a retired word; the term is '{new}'")
