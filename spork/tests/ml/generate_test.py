"""Tests what makes programs for `tine ml`: the generator, the shrinker, and the translation for Poly/ML."""

import sys
import unittest

import poly
from generate_programs import generated
from program_tree import shrunk
from tine_ml import served

TINE = sys.argv.pop(1)


def is_accepted(text: str) -> bool:
    return served.run(TINE, ["ml", "check", "-"], input=text.encode(), timeout=60).returncode == 0


class Generator(unittest.TestCase):
    def test_a_seed_gives_one_program(self):
        self.assertEqual(generated(7).text(), generated(7).text())
        self.assertNotEqual(generated(7).text(), generated(8).text())

    def test_programs_have_all_constructs(self):
        text = "".join(generated(seed).text() for seed in range(1, 60))
        for part in ("datatype", "exception", "structure", ":>", "ForkJoin.par", "ForkJoin.parfor", "ForkJoin.reduce", "handle", "raise", "case", "while", "let fun",
                     "'a", " as ", "ref ", "Array.update", "Word.", "Real.", "handle _", "\nand ", "Vector.", "SOME"):
            self.assertIn(part, text)


class Shrinker(unittest.TestCase):
    def test_only_what_fails_remains(self):
        seed = next(seed for seed in range(1, 100) if "ForkJoin.reduce (" in generated(seed).text())
        whole = generated(seed).text()
        small = shrunk(generated(seed), lambda text: "ForkJoin.reduce (" in text and is_accepted(text), 150)
        self.assertIn("ForkJoin.reduce (", small)
        self.assertTrue(is_accepted(small))
        self.assertLess(len(small), len(whole) // 2, f"seed {seed}: {small}")


class Annotations(unittest.TestCase):
    def test_integers_get_a_type(self):
        self.assertEqual(poly.annotated("fun f 0 = ~1 | f n = n + 0x1F"), "fun f (0:int'64) = (~1:int'64) | f n = n + (0x1F:int'64)")

    def test_other_numbers_do_not(self):
        for text in ("infixr 5 ++", "#2 (x)", "0w5 + 0wxFF", "1.5 + 1E3 + ~2.0e~3", "{1 = a, 2 = b}", "(* 5 (* 6 *) 7 *)", '"5" ^ #"6" ^ str x1'):
            self.assertNotIn("int'64", poly.annotated(text).replace("a", "").replace("b", ""), text)

    def test_bytes_in_strings_are_escaped(self):
        self.assertEqual(poly.annotated('"é"'), '"\\195\\169"')


if __name__ == "__main__":
    unittest.main()
