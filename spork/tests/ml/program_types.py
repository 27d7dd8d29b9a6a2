"""Types of generated programs in Parallel ML.

A type is a tuple: ("int",), ("tuple", t, ...), ("record", ("label", t), ...), ("list", t), ("option", t), ("ref", t), ("array", t), ("vector", t),
("fun", argument, result), ("data", name, t, ...), ("abstract", name), ("var", "'a").
"""

from __future__ import annotations

from collections.abc import Iterator

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
