"""Tests what makes programs for `tine ml`: the generator, and the translation for Poly/ML."""

import unittest

import poly
from generate_programs import generated


class Generator(unittest.TestCase):
    def test_a_seed_gives_one_program(self):
        self.assertEqual(generated(7), generated(7))
        self.assertNotEqual(generated(7), generated(8))

    def test_programs_have_all_constructs(self):
        text = "".join(generated(seed) for seed in range(1, 60))
        for part in ("datatype", "exception", "structure", ":>", "ForkJoin.par", "ForkJoin.parfor", "ForkJoin.reduce", "handle", "raise", "case", "while", "let fun",
                     "'a", " as ", "ref ", "Array.update", "Word.", "Real.", "handle _", "\nand ", "Vector.", "SOME"):
            self.assertIn(part, text)


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
