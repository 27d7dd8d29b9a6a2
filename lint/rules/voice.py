"""The voice of the text: short sentences with verbs, one line length, and whole string literals, in all pages and in the code of products."""

import re
from typing import Iterator

from house import GLOSSARY, MAX_COLUMN, MAX_SENTENCE_WORDS, ROOT_FILES
from rules.glossary import terms
from rules.sentences import sentences
from tree import CPP, Finding, Source, Tree, is_product

# "begin" after a word that only a noun can follow.
BEGIN = re.compile(r"\b(?:the|its|their|a|an|of|at|from|each|every|this) begins?\b|\bbegins? of\b", re.IGNORECASE)
WORDS = {
    re.compile(r"\busual paths?\b", re.IGNORECASE): "the field's word is 'fast path'",
    re.compile(r"\bso often\b(?! that\b)", re.IGNORECASE): "write 'that many times'",
    BEGIN: "'begin' is a verb: write 'start' or 'beginning'",
}
WORD = re.compile(r"\w[\w'’.,/+-]*")
# Sentences may open with code, with emphasis or with a name in lower case, other than in the rule `sentence`.
NEXT = re.compile(r"(?:(?<=[.!?])|(?<=[.!?][)*]))(?<!e\.g\.)(?<!i\.e\.)(?<!cf\.)(?<!vs\.)\s+")
SEE = re.compile(r"See `?[\w./-]+\.(?:hpp|cpp|h|md)\b")
LITERAL = r'"(?:\\.|[^"\\\n])*"'
# Two literals on adjacent lines.
SPLIT = re.compile(rf"({LITERAL})[ \t]*\n[ \t]*({LITERAL})")


def check(tree: Tree) -> Iterator[Finding]:
    yield from check_root(tree)
    yield from check_glossary(tree)
    for source in tree.ending(".md", ".py", *CPP):
        if source.path.endswith(".md") or is_product(source.path):
            yield from faults(source)


def check_root(tree: Tree) -> Iterator[Finding]:
    for path in tree.files:
        if "/" not in path and path not in ROOT_FILES:
            yield Finding(path, 1, "voice", "this file does not belong in the root; lint/house.py lists those that do")


def check_glossary(tree: Tree) -> Iterator[Finding]:
    seen: dict[str, int] = {}
    for number, term in terms(tree):
        if term in seen:
            yield Finding(GLOSSARY, number, "voice", f"the term '{term}' stands in line {seen[term]}, too")
        seen.setdefault(term, number)


def faults(source: Source) -> Iterator[Finding]:
    """Yields all findings in one file: of the sentences of a page, or of the comments and literals of a product."""
    yield from faults_of_sentences(source)
    if source.path.endswith(CPP):
        yield from faults_of_layout(source)


def faults_of_sentences(source: Source) -> Iterator[Finding]:
    for line, sentence in [(line, part) for line, text in sentences(source) for part in NEXT.split(text)]:
        text = re.sub(r'`[^`]*`|"[^"]*"', "x", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", sentence))
        for pattern, advice in WORDS.items():
            if match := pattern.search(text):
                yield Finding(source.path, line, "voice", f"'{match[0]}': {advice}")
        if len(re.findall(r"\bwhich\b", text, re.IGNORECASE)) > 1:
            yield Finding(source.path, line, "voice", "a sentence has 'which' at most once")
        words = len(WORD.findall(text))
        if words > MAX_SENTENCE_WORDS and re.search(r"[a-wyz]", text):    # not a list of code alone
            yield Finding(source.path, line, "voice", f"a sentence of {words} words; the limit is {MAX_SENTENCE_WORDS}")


def faults_of_layout(source: Source) -> Iterator[Finding]:
    opening = next(((n, t) for n, t in sentences(source)), None)
    if opening and SEE.match(opening[1]):
        yield Finding(source.path, opening[0], "voice", "a file opens with what it is, not with another file")
    for number, (line, comment) in enumerate(zip(source.lines, source.comments), 1):
        if comment.strip() and len(line) > MAX_COLUMN and "NOLINT" not in comment and "http" not in comment:
            yield Finding(source.path, number, "voice", f"the comment ends at column {len(line)}; the limit is {MAX_COLUMN}")
    for match in SPLIT.finditer(source.text):
        if splits_a_sentence(match[1][1:-1], match[2][1:-1]) and not is_comment(source, match.start()):
            line = source.text.count("\n", 0, match.start()) + 1
            yield Finding(source.path, line, "voice", "a sentence is split into two literals: string literals stay whole")


def splits_a_sentence(first: str, second: str) -> bool:
    """Returns true if words of one sentence are on both sides of a seam that only the line's length explains."""
    return bool(re.search(r"[\w,)'%]\s+$", first) and re.match(r"[\w('%]", second) or
                re.search(r"[\w,)'%]$", first) and re.match(r"\s+[\w('%]", second))


def is_comment(source: Source, at: int) -> bool:
    line = source.text.count("\n", 0, at)
    return not source.code[line].strip() and bool(source.comments[line].strip())
