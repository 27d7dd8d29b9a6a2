#!/usr/bin/env python3
"""Compares the names of the basis of Parallel ML with the table in its manual.

    basis_test.py BASIS PAGE

A row of the table is | `Structure` | its names, each in backquotes |; the row of `top level` has the names outside of structures. If the table differs,
the test prints the rows that it should have."""

import pathlib
import re
import sys

DECLARED = r"(?:val|fun|exception|datatype|eqtype|type|and)\s+(?:op\b\s*)?(?:'\w+\s+)?([\w']+|[-!%&$#+/:<=>?@\\~^|*]+)"


def without_hidden(text: str) -> str:
    """The text without comments, and without what a `local` hides."""
    text = re.sub(r"\(\*.*?\*\)", "", text, flags=re.S)
    block = re.compile(r"^( *)local\n.*?^\1in\n(.*?)^\1end\n", re.M | re.S)
    return block.sub(lambda found: re.sub(r"^  ", "", found[2], flags=re.M), text)


def names_in(lines: list[str], indent: str) -> list[str]:
    """The names that lines of this indentation declare. A constructor counts where its datatype has one line."""
    found = []
    for line in lines:
        match = re.match(indent + DECLARED, line) or re.match(indent + r"fun \(\w+ (\w+) ", line)  # fun (f o g) x
        if match is None:
            continue
        found.append(match[1])
        if re.match(indent + "datatype [^=]*= (?!datatype)", line):
            found += re.findall(r"[=|] (\w+)", line)
    return found


def names_of(basis: str) -> dict[str, list[str]]:
    """The names of each structure; of one with another name, the original."""
    basis = without_hidden(basis)
    found = {}
    structure = re.compile(r"^structure (\w+) = (\w+)$|^( *)structure (\w+)(?: =|( :>))$", re.M)
    outside, end, last = "", 0, ""
    for match in structure.finditer(basis):
        if match[1]:
            if match.start() >= end:
                outside += basis[end:match.start()]
                end = match.end()
                found[match[1]] = [f"= {match[2]}"]
            continue
        indent, name = match[3], match[4]
        if match.start() >= end and not indent:
            outside += basis[end:match.start()]
        opening = re.compile(rf"^{indent}(?:sig|struct)\n(.*?)^{indent}end\b", re.M | re.S).search(basis, match.start())
        if match[5]:  # the body behind the signature is hidden
            end = re.compile(r"^end\n(?!=)", re.M).search(basis, opening.end() + 2).end()
        elif not indent:
            end = opening.end()
        full = name if not indent else f"{last}.{name}"
        last = full if not indent else last
        found[full] = names_in(opening[1].splitlines(), indent + "  ")
    outside += basis[end:]
    found["top level"] = names_in(outside.splitlines(), "")
    return {name: sorted(set(names)) for name, names in found.items() if names}


def main() -> None:
    basis, page = (pathlib.Path(path).read_text() for path in sys.argv[1:3])
    expected = names_of(basis)
    table = re.search(r"^\| structure \| names \|\n(?:\|.*\n)+", page, re.M)
    rows = dict(re.findall(r"^\| `?([\w.]+|top level)`? \| (`.*) \|$", table[0], re.M))
    failures = []
    for name, names in expected.items():
        listed = rows.get(name, "")
        if sorted(part.replace("\\|", "|") for part in re.findall(r"`([^`]+)`", listed)) != names:
            failures.append(f"| `{name}` | {' '.join(f'`{n}`' for n in names)} |")
    failures += [f"there is no structure {name}" for name in rows if name not in expected]
    for failure in failures:
        print(f"failed: the page should have: {failure}")
    print(f"{max(0, len(expected) - len(failures))} passed, {len(failures)} failed")
    sys.exit(1 if failures or not rows else 0)


if __name__ == "__main__":
    main()
