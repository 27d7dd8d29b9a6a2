"""Finds the names that a C++ header declares at namespace scope. Like functions.py this is no parser, but right for formatted code."""

import re

from functions import without_templates
from house import ARROWS
from tree import Source

KEYWORDS = set("alignas auto bool case char class const consteval constexpr constinit decltype default delete double else enum explicit "
               "extern final float friend if inline int long mutable namespace new noexcept operator public private protected requires "
               "return short signed sizeof static static_assert struct switch template this thread_local throw true false typedef "
               "typename union unsigned using virtual void volatile while".split())
NO_NAMES = {"tine", "detail", *ARROWS}  # namespaces that many headers share
TYPE = re.compile(r"\b(?:class|struct|union|enum(?:\s+(?:class|struct))?|concept)\s+((?:[\w:]+\s+)*?[\w:]+)\s*(?:final\b)?\s*(?:[:=;{<]|$)")
ALIAS = re.compile(r"\busing\s+([\w:]+)\s*(?:=|;)|\bnamespace\s+(\w+)\s*=")
ATTRIBUTE = re.compile(r"\[\[.*?\]\]|\b(?:alignas|noexcept|requires|__attribute__|decltype|asm)\s*\((?:[^()]|\([^()]*\))*\)|\b[A-Z][A-Z0-9_]+\b(?:\s*\([^()]*\))?", re.DOTALL)


def declared(source: Source) -> set[str]:
    """Returns the names of the types, aliases, functions, variables and macros that the header declares outside of classes, and
    the names of its namespaces, but for those of rooms."""
    names = set()
    for line in source.code:
        match = re.match(r"\s*#\s*define\s+(\w+)", line)
        if match:
            names.add(match[1])
    for statement in statements(source):
        names |= names_of(statement)
    return names


def statements(source: Source) -> list[str]:
    """Returns the statements at namespace scope, with `{}` in the place of what their braces hold."""
    found, current, depth = [], "", 0
    lines, continued = [], False
    for line in source.code:
        directive = continued or line.lstrip().startswith("#")
        continued = directive and line.rstrip().endswith("\\")
        lines.append("" if directive else line)
    for char in "\n".join(lines):
        if depth:
            depth += (char == "{") - (char == "}")
            if not depth:
                current += "}"
                # A body ends the declaration; an initialiser is followed by a semicolon.
                if re.search(r"\)[^;=]*\{\}$", current, re.DOTALL):
                    found.append(current)
                    current = ""
        elif char == "{" and re.search(r'(?:^|\s)(?:inline\s+)?(?:namespace\b[\w:\s]*|extern\s*)$', current):
            found.append(current + "{")
            current = ""
        elif char == "{":
            depth, current = 1, current + "{"
        elif char == "}":
            current = ""  # the end of a namespace
        elif char == ";":
            found.append(current + ";")
            current = ""
        else:
            current += char
    return [re.sub(r"\s+", " ", s).strip() for s in found]


def names_of(statement: str) -> set[str]:
    text = without_templates(statement).strip()
    namespace = re.match(r"(?:inline )?namespace ([\w:]+) ?\{$", text)
    if namespace:
        return {namespace[1].split("::")[-1]} - NO_NAMES
    alias = ALIAS.search(text)
    if alias:
        return {(alias[1] or alias[2]).split("::")[-1]}
    text = ATTRIBUTE.sub(" ", text)
    text = re.sub(r"\b(?:inline|constexpr|constinit|static|extern|template|typedef|friend)\b", " ", text).strip()
    text = re.sub(r"^requires .*?(?=\b(?:class|struct|union)\b)", "", text)
    type_ = TYPE.match(text)
    names = {re.split(r"\W+", type_[1])[-1]} if type_ else set()
    if "(" in text:
        names |= {n for n in re.findall(r"([~\w]+) ?\(", text.split("{")[0])[:1]}
    else:
        names |= set(re.findall(r"(\w+)(?: ?\[[^\]]*\])? ?(?:=|\{|;|$)", text.partition("{}")[2] if type_ else text)[:1])
    typedef = re.search(r"(\w+) ?;$", text)
    if statement.startswith("typedef") and typedef:
        names.add(typedef[1])
    return names - KEYWORDS
