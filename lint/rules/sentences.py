"""Sentences of comments and documentation: the component that acts is the subject, and it has a name."""

import re
from typing import Iterator

from house import MAX_VAGUE_SHARE
from tree import Finding, Source, Tree

# A noun clause in the place of a sentence, or a reference to the sentence before in the place of a subject.
OPENING = re.compile(r"(?:And |But |Or )?(?:Whether|What|Whose|Whoever|Who|Of|The same)\b(?! course)")
VAGUE = re.compile(r"\b(?:somebody|nobody|anybody|everybody|whoever|(?:is|are|was|were) told|go(?:es)? on|went on|going on|gone on)\b",
                   re.IGNORECASE)
END_OF_SENTENCE = re.compile(r"(?<=[.!?:;])(?<!e\.g\.)(?<!i\.e\.)(?<!cf\.)(?<!vs\.)\s+(?=[\"'`(\[]?[A-Z])")
FENCE = re.compile(r"^\s*(```|~~~)")
COMMENT_MARK = re.compile(r"^\s*(?:///?<?|/\*+|\*/?)\s?")


CASE = re.compile(r'\b(?:TEST_CASE|SUBCASE)\w*\(\s*((?:"(?:\\.|[^"\\])*"\s*)+)')


def check(tree: Tree) -> Iterator[Finding]:
    for source in tree.tests():
        yield from names_of_cases(source)
    for source in tree.ending(".md", ".hpp", ".cpp", ".h", ".py"):
        found = list(sentences(source))
        vague = [(line, problem) for line, text in found if (problem := fault(text))]
        if len(vague) > MAX_VAGUE_SHARE * len(found):
            for line, problem in vague:
                yield Finding(source.path, line, "sentence", problem)


def names_of_cases(source: Source) -> Iterator[Finding]:
    """The names of doctest cases are sentences, too: a statement about what the case checks. No share of them may be vague."""
    for match in CASE.finditer(source.text):
        name = "".join(re.findall(r'"((?:\\.|[^"\\])*)"', match[1]))
        if problem := fault(name[:1].upper() + name[1:]):
            yield Finding(source.path, source.text.count("\n", 0, match.start()) + 1, "sentence", problem)


def fault(sentence: str) -> str:
    """Returns a message if the sentence breaks the rule, otherwise an empty string."""
    text = re.sub(r"`[^`]*`", "`x`", re.sub(r'"[^"]*"', '"x"', sentence))
    if (match := OPENING.match(text)) and not text.rstrip().endswith("?"):
        return f"the sentence opens with '{match[0]}': name the component that acts, and say what it does"
    if match := VAGUE.search(text):
        return f"'{match[0]}': name the component, and use a verb that says what it does"
    return ""


def sentences(source: Source) -> Iterator[tuple[int, str]]:
    """(line, text) of every sentence in prose."""
    for first, block in blocks(source):
        for piece in END_OF_SENTENCE.split(" ".join(block)):
            words = piece.strip()
            if re.search(r"[A-Za-z]{2}", words):
                yield first + line_of(block, words), words


def line_of(block: list[str], sentence: str) -> int:
    """The line of the block on which the sentence begins."""
    start, end = " ".join(block).find(sentence), 0
    for number, line in enumerate(block):
        end += len(line) + 1
        if start < end:
            return number
    return 0


def blocks(source: Source) -> Iterator[tuple[int, list[str]]]:
    """(first line, lines) of adjacent lines of prose."""
    block, first = [], 0
    for number, text in [*prose(source), (0, "")]:
        if text and block and number == first + len(block):
            block.append(text)
            continue
        if block:
            yield first, block
        block, first = ([text], number) if text else ([], 0)


def prose(source: Source) -> Iterator[tuple[int, str]]:
    """(line, text) of every line, which is empty where there is no prose or a paragraph ends."""
    if source.path.endswith(".md"):
        yield from prose_of_page(source)
    elif source.path.endswith(".py"):
        yield from prose_of_script(source)
    else:
        for number, line in enumerate(source.comments, 1):
            text = COMMENT_MARK.sub("", line).strip()
            # A comment behind code is a paragraph of its own, and so is one after a line with code.
            if source.code[number - 1].strip():
                yield number, ""
                yield number, text
                yield number, ""
            else:
                yield number, text


def prose_of_page(source: Source) -> Iterator[tuple[int, str]]:
    fenced = False
    for number, line in enumerate(source.lines, 1):
        if FENCE.match(line):
            fenced = not fenced
            yield number, ""
        elif fenced or line.startswith(("#", "    ", "\t")):
            yield number, ""
        elif line.lstrip().startswith("|"):
            for cell in line.strip().strip("|").split("|"):
                yield number, ""
                yield number, re.sub(r"[*_]", "", cell).strip()
            yield number, ""
        else:
            if re.match(r"\s*([-*+]|\d+\.)\s", line):
                yield number, ""
            yield number, re.sub(r"\*\*|^\s*(?:[-*+>]|\d+\.)\s+", "", line).strip()


def prose_of_script(source: Source) -> Iterator[tuple[int, str]]:
    quoted = False
    for number, line in enumerate(source.lines, 1):
        marks = line.count('"""')
        stripped = line.strip()
        if quoted or stripped.startswith('"""'):
            yield number, stripped.replace('"""', "").strip()
        elif stripped.startswith("#") and not stripped.startswith("#!"):
            yield number, stripped.lstrip("# ")
        elif (at := line.find("  # ")) >= 0:
            yield number, ""
            yield number, line[at + 4:].strip()
            yield number, ""
        else:
            yield number, ""
        if marks % 2:
            quoted = not quoted
