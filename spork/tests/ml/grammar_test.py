"""Tests the TextMate grammar of Parallel ML by a small engine for such grammars: scopes of a sample, and of whole programs.

The engine has `match` with captures, `begin` and `end` with patterns in between, and `include`. As in editors, the leftmost match counts, of equal
ones the first, and a pattern sees a line at a time.
"""

import json
import pathlib
import re
import unittest

HERE = pathlib.Path(__file__).resolve().parent
GRAMMAR = json.loads((HERE.parents[2] / "packaging/vscode/syntaxes/parallel-ml.tmLanguage.json").read_text())


def flat(patterns: list) -> list:
    """Returns the patterns with those that they include."""
    rules = []
    for rule in patterns:
        if "include" in rule:
            rule = GRAMMAR["repository"][rule["include"].removeprefix("#")]
        rules += flat(rule["patterns"]) if "patterns" in rule and "begin" not in rule else [rule]
    return rules


def scopes(text: str) -> list[tuple[str, str]]:
    """Returns the pieces of the text that have a scope, with the innermost scope of each."""
    found, stack = [], [(None, flat(GRAMMAR["patterns"]))]
    for line in text.split("\n"):
        at = 0
        while at <= len(line):
            around, rules = stack[-1]
            matches = [(m.start(), i, m, rule) for i, rule in enumerate(rules) if (m := re.compile(rule.get("match", rule.get("begin"))).search(line, at))]
            end = re.compile(around["end"]).search(line, at) if around else None
            best = min(matches, key=lambda each: each[:2], default=None)
            if end and (best is None or end.start() <= best[0]):
                found.append((line[at:end.end()], around["name"]))
                at = end.end()
                stack.pop()
                continue
            if best is None:
                if around and line[at:].strip():
                    found.append((line[at:], around["name"]))
                break
            _, _, match, rule = best
            if around and match.start() > at:
                found.append((line[at:match.start()], around["name"]))
            if "begin" in rule:
                stack.append((rule, flat(rule.get("patterns", []))))
                found.append((match[0], rule["name"]))
            elif "captures" in rule:
                found += [(match[int(n)], capture["name"]) for n, capture in rule["captures"].items() if match[int(n)]]
            else:
                found.append((match[0], rule["name"]))
            if match.end() == at and "begin" not in rule:
                break  # an empty match
            at = match.end()
    if len(stack) > 1:
        found.append(("", "unfinished " + stack[-1][0]["name"]))
    return [(piece, scope.removesuffix(".parallel-ml")) for piece, scope in found]


class Grammar(unittest.TestCase):
    def scope_of(self, text: str, piece: str) -> str:
        pieces = dict(reversed(scopes(text)))
        self.assertIn(piece, pieces, f"{text}: {pieces}")
        return pieces[piece]

    def test_words(self):
        sample = "fun fib n = if n < 2 then n else let val (a, b) = ForkJoin.par (fn () => fib (n - 1), fn () => 0x1F) in SOME ~1.5 end"
        expected = {"fun": "keyword.declaration", "fib": "entity.name.function", "if": "keyword.control", "2": "constant.numeric.int", "val": "keyword.declaration",
                    "ForkJoin": "support.class", "par": "support.function", "=>": "keyword.operator", "0x1F": "constant.numeric.hex", "~1.5": "constant.numeric.real",
                    "SOME": "entity.name.type.constructor", "end": "keyword.control", "a": "variable.other"}
        for piece, scope in expected.items():
            self.assertEqual(self.scope_of(sample, piece), scope, piece)

    def test_constants(self):
        sample = "val x : 'a list = [0w7, 0wxFF, 12, 1E3, true, NONE] val s = \"a\\nb\" val c = #\"\\065\" val y = #name r + #1 p"
        expected = {"'a": "storage.type.variable", "0w7": "constant.numeric.word", "0wxFF": "constant.numeric.word", "12": "constant.numeric.int",
                    "1E3": "constant.numeric.real", "true": "constant.language", "\\n": "constant.character.escape", '#"\\065"': "constant.character",
                    "#name": "variable.other.property", "#1": "variable.other.property"}
        for piece, scope in expected.items():
            self.assertEqual(self.scope_of(sample, piece), scope, piece)

    def test_comments_nest(self):
        self.assertEqual(self.scope_of("(* a (* b *) c *) val x = 1", "val"), "keyword.declaration")
        self.assertEqual(self.scope_of("(* a (* b *) val *)", "(*"), "comment.block")
        self.assertNotIn(("val", "keyword.declaration"), scopes("(* a (* b *) val *)"))

    def test_modules(self):
        sample = "structure S :> T = struct open List val y = Word.andb (a, b) end"
        self.assertEqual(self.scope_of(sample, "S"), "entity.name.namespace")
        self.assertEqual(self.scope_of(sample, "Word"), "entity.name.namespace")
        self.assertEqual(self.scope_of(sample, ":>"), "keyword.operator")

    def test_a_string_over_lines(self):
        self.assertEqual(self.scope_of('val s = "one \\\n   \\two" val t = 1', "val"), "keyword.declaration")
        self.assertEqual(scopes('val s = "one \\\n   \\two" val t = 1')[-1], ("1", "constant.numeric.int"))

    def test_programs_have_no_illegal_parts(self):
        for file in sorted([*HERE.glob("run/*.sml"), *(HERE.parents[2] / "spork/bench/ml").glob("**/*.sml")]):
            wrong = [(piece, scope) for piece, scope in scopes(file.read_text()) if "illegal" in scope or "unfinished" in scope]
            self.assertEqual(wrong, [], file)


if __name__ == "__main__":
    unittest.main()
