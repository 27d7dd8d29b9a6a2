#!/usr/bin/env python3
"""The house rules that a machine can hold. Prints `file:line: rule: message`; exits 1 if a rule is broken."""

import argparse
import pathlib
import sys
from typing import Callable, NamedTuple

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

import tidy  # noqa: E402
from rules import arrows, casts, docs, figures, glossary, headers, names, orders, precompiled, sentences, sizes, tools, voice, way  # noqa: E402
from tree import Finding, Tree  # noqa: E402


class Rule(NamedTuple):
    name: str
    check: Callable
    about: str
    docs: bool = False


RULES = [
    Rule("arrows", arrows.check, "components include only along the arrows; doors hold only includes"),
    Rule("file-size", sizes.check_files, "a file has less than 600 lines"),
    Rule("function-size", sizes.check_functions, "a function has at most 60 lines"),
    Rule("pairs-with", orders.check_pairs, "a memory order stronger than relaxed says what it pairs with"),
    Rule("atomic", orders.check_atomic, "atomics come from detail/base/atomic.hpp alone"),
    Rule("cast", casts.check, "pointer casts are in detail/base/object_at.hpp, beside the reasons why they are defined"),
    Rule("slow-include", headers.check_includes, "public headers include nothing slow"),
    Rule("header-name", headers.check_names, "a header is named after what it declares"),
    Rule("detail", headers.check_detail, "users include no header of detail/, and public headers need each of them"),
    Rule("include", precompiled.check_includes, "what is only built with precompiled headers includes what it names"),
    Rule("macro", headers.check_macros, "macros are defined in base/ or undefined in the same file"),
    Rule("opening", headers.check_opening, "a file's first line says what it is; headers are included once"),
    Rule("name", names.check_names, "no file or folder is called core, common, utils, ..."),
    Rule("component", names.check_components, "a component with files has a README.md"),
    Rule("machine-path", names.check_machine_paths, "no file names a path of one machine"),
    Rule("dead-symbol", docs.check_symbols, "`file` and `file:symbol` in docs and comments exist", docs=True),
    Rule("dead-link", docs.check_links, "relative links in docs lead somewhere", docs=True),
    Rule("glossary", glossary.check_terms, "each term of the glossary is used in a product", docs=True),
    Rule("retired-word", glossary.check_retired, "the products use the terms of the glossary, and no retired words"),
    Rule("figures", figures.check, "the figures of pages are those of the newest raw results", docs=True),
    Rule("way", way.check, "the way of a fork has at most 8 stops, each of which names its code", docs=True),
    Rule("sentence", sentences.check, "sentences name the component that acts; none opens with What, Whether, Of, ...", docs=True),
    Rule("voice", voice.check, "sentences have at most 35 words and one 'which'; comments end at column 120; literals stay whole", docs=True),
    Rule("format", tools.check_format, "sources are as clang-format 19 writes them"),
    Rule("tidy", tidy.check_library, "clang-tidy 19 finds nothing in the library; ./dev tidy asks about every file"),
    Rule("include-cost", tools.check_include_cost, "including a public header costs little compile time: tine.hpp at most 330,000 nodes of a syntax tree"),
]


def run(tree: Tree, rules: list[Rule]) -> list[Finding]:
    return sorted(finding for rule in rules for finding in rule.check(tree))


def main() -> int:
    listing = "\n".join(f"  {rule.name:14} {rule.about}" for rule in RULES)
    parser = argparse.ArgumentParser(
        prog="./dev lint", description=__doc__, epilog="rules:\n" + listing, allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--docs", action="store_true", help="only the rules about documentation")
    parser.add_argument("--only", metavar="RULE", action="append", choices=[r.name for r in RULES], help="only this rule")
    parser.add_argument("--list-sources", action="store_true", help="print the files that are formatted, and stop")
    given = parser.parse_args()

    tree = Tree(pathlib.Path(__file__).resolve().parent.parent)
    if given.list_sources:
        print("\n".join(source.path for source in tree.cpp()))
        return 0
    rules = [r for r in RULES if (r.docs or not given.docs) and (not given.only or r.name in given.only)]
    findings = run(tree, rules)
    for finding in findings:
        print(finding)
    print(f"lint: {len(rules)} rules, {len(tree.files)} files, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
