"""The parts of random programs in Parallel ML that are no expressions: types, patterns, constants, and functions that show values."""

from __future__ import annotations

import random
from dataclasses import dataclass

from program_types import BOOL, CHAR, INT, REAL, STRING, UNIT, WORD, parts_of_type, substituted, text_of_type

BASE = (INT, INT, INT, BOOL, STRING, STRING, CHAR, REAL, WORD)
PRELUDE = """fun cap s = if size s > 60 then substring (s, 0, 60) else s
fun trim l = if length l > 9 then List.take (l, 9) else l
fun tuple l = "(" ^ String.concatWith ", " l ^ ")"
fun say (name, s) = print (name ^ " = " ^ s ^ "\\n")"""

PATTERNS = {"int": ["0", "1", "2", "~1", "7", "100"], "word": ["0w0", "0w1", "0wxFF"], "bool": ["true", "false"], "char": ['#"a"', '#"b"', '#"\\n"'],
            "string": ['""', '"a"', '"ab"', '"hello"']}
CONSTANTS = {
    "int": ["0", "1", "2", "3", "~1", "~7", "10", "42", "100", "4611686018427387904", "9223372036854775807", "~9223372036854775808", "0x1F"],
    "word": [f"({w} : word)" for w in ("0w0", "0w1", "0w2", "0wxFF", "0w1000", "0wxFFFFFFFFFFFFFFFF", "0wx8000000000000000")],
    "bool": ["true", "false"],
    "char": ['#"a"', '#"b"', '#"Z"', '#"0"', '#" "', '#"\\n"', '#"\\255"', '#"\\000"'],
    "string": ['""', '"a"', '"ab"', '"hello"', '"x\\ty"', '"\\"q\\""', '"\\200\\001"', '"longer than a word"'],
    "real": ["0.0", "1.0", "~1.0", "0.5", "2.25", "~3.75", "1024.0", "1E3", "100000.5", "1E15"]}


@dataclass(frozen=True)
class Variable:
    name: str
    type: tuple
    mutable: bool = False  # a reference or an array that may be assigned to here


@dataclass(frozen=True)
class Function:
    """A function that is called by its name. It may be polymorphic. `level` is greater than the levels of the functions that it calls."""
    name: str
    arguments: tuple
    result: tuple
    curried: bool
    level: int


@dataclass(frozen=True)
class Datatype:
    name: str
    variables: tuple
    constructors: tuple  # of (name, type or None)


class Values:
    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.count = 0
        self.declarations = [f"(* seed {seed} *)\n{PRELUDE}"]
        self.functions: list[Function] = []
        self.datatypes: dict[str, Datatype] = {}
        self.exceptions: list[tuple] = []  # of (name, type or None)
        self.abstract: dict[str, str] = {}  # the function that shows a value, by the type's name
        self.shows: dict[tuple, str] = {}
        self.globals: list[Variable] = []

    # Small choices.

    def name(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def chance(self, p: float) -> bool:
        return self.random.random() < p

    def pick(self, choices):
        return self.random.choice(choices)

    def type(self, depth: int = 2, functions: bool = True, equality: bool = False) -> tuple:
        base = [t for t in BASE if not (equality and t == REAL)]
        if depth == 0 or self.chance(0.35):
            return self.pick(base)
        kind = self.pick(["tuple", "tuple", "record", "list", "list", "option", "data", "data", "vector", "array", "ref", "fun", "unit"])
        if kind == "unit":
            return UNIT
        if kind == "tuple":
            return ("tuple", *(self.type(depth - 1, functions, equality) for _ in range(self.random.randint(2, 3))))
        if kind == "record":
            labels = sorted(self.random.sample(["a", "b", "c", "name", "x", "y"], self.random.randint(1, 3)))
            return ("record", *((label, self.type(depth - 1, functions, equality)) for label in labels))
        if kind == "fun":
            if not functions or equality:
                return self.pick(base)
            return ("fun", self.type(depth - 1, False), self.type(depth - 1, depth > 1))
        if kind == "data":
            if not self.datatypes:
                return self.pick(base)
            d = self.pick(list(self.datatypes.values()))
            return ("data", d.name, *(self.type(depth - 1, functions, equality) for _ in d.variables))
        return (kind, self.type(depth - 1, functions, equality))

    def has_equality(self, t: tuple, met: frozenset = frozenset()) -> bool:
        for part in parts_of_type(t):
            if part[0] in ("real", "fun", "abstract", "var"):
                return False
            if part[0] == "data" and part not in met:
                met |= {part}
                if not all(self.has_equality(argument, met) for _, argument in self.constructors(part) if argument):
                    return False
        return True

    def constructors(self, t: tuple) -> list[tuple]:
        d = self.datatypes[t[1]]
        by = dict(zip(d.variables, t[2:]))
        return [(name, substituted(argument, by) if argument else None) for name, argument in d.constructors]

    # Functions that show values, made when a type is printed first.

    def show(self, t: tuple) -> str:
        if t in self.shows:
            return self.shows[t]
        simple = {"int": "Int.toString", "bool": "Bool.toString", "string": "String.toString", "char": "Char.toString", "real": "Real.toString",
                  "word": "Word.toString"}
        if t[0] in simple:
            return simple[t[0]]
        if t[0] == "abstract":
            return self.abstract[t[1]]
        name = self.shows[t] = self.name("show")
        head = f"fun {name} (v : {text_of_type(t)}) = "
        if t[0] == "data":
            self.show_datatypes(t)
            return name
        if t[0] == "unit":
            body = '"()"'
        elif t[0] == "fun":
            body = '"fn"'
        elif t[0] == "tuple":
            body = "tuple [" + ", ".join(f"{self.show(p)} (#{i} v)" for i, p in enumerate(t[1:], 1)) + "]"
        elif t[0] == "record":
            body = "tuple [" + ", ".join(f'"{label} = " ^ {self.show(p)} (#{label} v)' for label, p in t[1:]) + "]"
        else:
            inner = self.show(t[1])
            body = {"list": f'"[" ^ String.concatWith ", " (map {inner} v) ^ "]"',
                    "option": f'(case v of NONE => "NONE" | SOME x => "SOME " ^ {inner} x)',
                    "ref": f'"ref " ^ {inner} (!v)',
                    "array": f'"A" ^ tuple (Array.foldr (fn (x, l) => {inner} x :: l) [] v)',
                    "vector": f'"V" ^ tuple (Vector.foldr (fn (x, l) => {inner} x :: l) [] v)'}[t[0]]
        self.declarations.append(head + body)
        return name

    def show_datatypes(self, t: tuple):
        """Declares the function that shows values of a datatype. The types of its constructors mention no larger instance of it."""
        clauses = []
        for constructor, argument in self.constructors(t):
            if argument is None:
                clauses.append(f'{constructor} => "{constructor}"')
            else:
                inner = self.inline_show(argument, "x")
                clauses.append(f'{constructor} x => "{constructor} " ^ {inner}')
        self.declarations.append(f"fun {self.shows[t]} (v : {text_of_type(t)}) = case v of " + " | ".join(clauses))

    def inline_show(self, t: tuple, x: str) -> str:
        """Shows without a new function that would have to be declared together with a recursive one."""
        if t[0] == "tuple":
            return "tuple [" + ", ".join(self.inline_show(p, f"(#{i} ({x} : {text_of_type(t)}))") for i, p in enumerate(t[1:], 1)) + "]"
        if t[0] == "list" and t[1][0] == "data":
            return f'"[" ^ String.concatWith ", " (map {self.show(t[1])} {x}) ^ "]"'
        return f"{self.show(t)} {x}"

    # Patterns.

    def pattern(self, t: tuple, depth: int, bound: list[Variable]) -> str:
        if depth == 0 or self.chance(0.3) or t[0] in ("real", "fun", "array", "vector", "abstract", "var", "unit"):
            if self.chance(0.25):
                return "_"
            v = Variable(self.name("p"), t)
            bound.append(v)
            return v.name
        if self.chance(0.1):
            v = Variable(self.name("l"), t)
            bound.append(v)
            return f"({v.name} as {self.pattern(t, depth - 1, bound)})"
        kind = t[0]
        if kind in PATTERNS:
            return self.pick(PATTERNS[kind])
        if kind == "tuple":
            return "(" + ", ".join(self.pattern(p, depth - 1, bound) for p in t[1:]) + ")"
        if kind == "record":
            return "{" + ", ".join(f"{label} = {self.pattern(p, depth - 1, bound)}" for label, p in t[1:]) + "}"
        if kind == "option":
            return "NONE" if self.chance(0.4) else f"(SOME {self.pattern(t[1], depth - 1, bound)})"
        if kind == "ref":
            return f"(ref {self.pattern(t[1], depth - 1, bound)})"
        if kind == "list":
            if self.chance(0.3):
                return "[" + ", ".join(self.pattern(t[1], depth - 1, bound) for _ in range(self.random.randint(0, 2))) + "]"
            return f"({self.pattern(t[1], depth - 1, bound)} :: {self.pattern(t, depth - 1, bound)})"
        constructor, argument = self.pick(self.constructors(t))
        return constructor if argument is None else f"({constructor} {self.pattern(argument, depth - 1, bound)})"

    # Constants.

    def constant(self, t: tuple) -> str | None:
        choices = CONSTANTS.get(t[0])
        if t[0] == "int":
            choices = choices[:9] + [str(self.random.randint(0, 999))] + choices[9:]
        return self.pick(choices) if choices else "()" if t == UNIT else None
