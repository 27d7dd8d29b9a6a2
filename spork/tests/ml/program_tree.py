"""Types and trees of generated programs in Parallel ML, and how a program that fails is made smaller.

A type is a tuple: ("int",), ("tuple", t, ...), ("record", ("label", t), ...), ("list", t), ("option", t), ("ref", t), ("array", t), ("vector", t),
("fun", argument, result), ("data", name, t, ...), ("abstract", name), ("var", "'a").
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

INT, BOOL, CHAR, STRING, REAL, WORD, UNIT = ((name,) for name in ("int", "bool", "char", "string", "real", "word", "unit"))
CONTAINERS = ("list", "option", "ref", "array", "vector")


def text_of_type(t: tuple) -> str:
    kind = t[0]
    if kind == "tuple":
        return "(" + " * ".join(map(text_of_type, t[1:])) + ")"
    if kind == "record":
        return "{" + ", ".join(f"{label} : {text_of_type(part)}" for label, part in t[1:]) + "}"
    if kind in CONTAINERS:
        return f"({text_of_type(t[1])} {kind})"
    if kind == "fun":
        return f"({text_of_type(t[1])} -> {text_of_type(t[2])})"
    if kind == "data":
        arguments = ", ".join(map(text_of_type, t[2:]))
        return f"(({arguments}) {t[1]})" if t[2:] else t[1]
    return t[1] if kind in ("abstract", "var") else kind


def parts_of_type(t: tuple) -> Iterator[tuple]:
    """Yields t and all types in it, but not those of a datatype's constructors."""
    yield t
    if t[0] == "record":
        for _, part in t[1:]:
            yield from parts_of_type(part)
    elif t[0] not in ("var", "abstract"):
        for part in t[1:]:
            if isinstance(part, tuple):
                yield from parts_of_type(part)


def substituted(t: tuple, by: dict[str, tuple]) -> tuple:
    """Returns the type with types for its variables."""
    if t[0] == "var":
        return by.get(t[1], t)
    if t[0] == "record":
        return ("record", *((label, substituted(part, by)) for label, part in t[1:]))
    return tuple(substituted(part, by) if isinstance(part, tuple) else part for part in t)


@dataclass
class Tree:
    """An expression of a type: texts and trees in their order."""
    type: tuple
    parts: list

    def text(self) -> str:
        return "".join(part if isinstance(part, str) else part.text() for part in self.parts)

    def descendants(self) -> Iterator[Tree]:
        for part in self.parts:
            if isinstance(part, Tree):
                yield part
                yield from part.descendants()


DEFAULTS = {"int": "0", "bool": "true", "char": '#"a"', "string": '""', "real": "0.0", "word": "(0w0 : word)", "unit": "()"}


def default(t: tuple) -> str | None:
    """Returns the simplest expression of the type, or None if it depends on declarations."""
    kind = t[0]
    if kind in DEFAULTS:
        return DEFAULTS[kind]
    if kind in ("list", "option"):
        return f"({'[]' if kind == 'list' else 'NONE'} : {text_of_type(t)})"
    if kind in ("array", "vector"):
        return f"({kind.capitalize()}.fromList [] : {text_of_type(t)})"
    if kind == "tuple":
        parts = [default(part) for part in t[1:]]
        return None if None in parts else "(" + ", ".join(parts) + ")"
    if kind == "fun":
        result = default(t[2])
        return None if result is None else f"(fn (_ : {text_of_type(t[1])}) => {result})"
    return None


class Program:
    """Declarations, each a list of texts and trees."""

    def __init__(self, declarations: list[list]):
        self.declarations = declarations

    def text(self) -> str:
        return "\n".join("".join(part if isinstance(part, str) else part.text() for part in d) for d in self.declarations) + "\n"

    def trees(self) -> Iterator[Tree]:
        for declaration in self.declarations:
            for part in declaration:
                if isinstance(part, Tree):
                    yield part
                    yield from part.descendants()


def shrunk(program: Program, fails: Callable[[str], bool], tries: int = 2000) -> str:
    """Returns a smaller program that fails, too. `fails` must be false for a program that is not accepted."""
    done = 0

    def still_fails() -> bool:
        nonlocal done
        done += 1
        return done <= tries and fails(program.text())

    smaller = True
    while smaller and done < tries:
        smaller = fewer_declarations(program, still_fails)
        for tree in list(program.trees()):
            smaller = simpler(tree, still_fails) or smaller
    return program.text()


def fewer_declarations(program: Program, fails: Callable[[], bool]) -> bool:
    """Removes blocks of declarations, of ever fewer."""
    removed, size = False, max(1, len(program.declarations) // 2)
    while size > 0:
        at = len(program.declarations)
        while at > 0:
            kept, begin = program.declarations, max(0, at - size)
            program.declarations = kept[:begin] + kept[at:]
            if fails():
                removed = True
            else:
                program.declarations = kept
            at = begin
        size //= 2
    return removed


def simpler(tree: Tree, fails: Callable[[], bool]) -> bool:
    """Replaces a tree by the simplest value of its type, or by a part of the same type."""
    before = tree.parts
    choices = [[text] for text in [default(tree.type)] if text is not None] + [part.parts for part in tree.descendants() if part.type == tree.type]
    for choice in choices:
        if choice == before:
            continue
        tree.parts = choice
        if fails():
            return True
        tree.parts = before
    return False
