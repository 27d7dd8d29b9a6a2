#!/usr/bin/env python3
"""Random well-typed programs in Parallel ML that end, and print values all over.

`generate_programs.py SEED [COUNT]` prints the programs of COUNT seeds from SEED on. A seed always gives the same program.

Programs end because a function is only recursive over a number that it decreases, or over the parts of its argument, and calls only functions of a
lower level. `cap` and `trim` keep texts and lists short.
"""

from __future__ import annotations

import sys

from program_expressions import Expressions, Scope
from program_types import BOOL, INT, STRING, parts_of_type, text_of_type
from program_values import Datatype, Function, Variable

MAX_LEVEL = 3


class Author(Expressions):
    def program(self) -> str:
        for _ in range(self.random.randint(1, 2)):
            self.datatype()
        for _ in range(2):
            self.exception()
        makers = [self.datatype, self.exception, self.value, self.value, self.value, self.place, self.assign, self.assign, self.show_expression,
                  self.show_expression, self.show_expression, self.one_function, self.one_function, self.polymorphic, self.structure, self.recursive,
                  self.mutual, self.over_datatype]
        for _ in range(self.random.randint(10, 18)):
            self.pick(makers)()
        self.show_places()
        self.end()
        return "\n".join(self.declarations) + "\n"

    def declare(self, *parts: str):
        self.declarations.append("".join(parts))

    def scope(self, depth: int = 4, **more) -> Scope:
        return Scope(tuple(self.globals[-14:]), depth, **more)

    # Types and exceptions.

    def datatype(self):
        name = self.name("data")
        variables = tuple(self.random.sample(["'a", "'b"], self.random.choice([0, 0, 1, 1, 2])))
        itself = ("data", name, *(("var", v) for v in variables))
        flat = [("var", v) for v in variables] + [self.type(0), self.type(0), self.type(1, False), ("fun", INT, ("var", variables[0]) if variables else STRING)]
        constructors: list[tuple] = [(self.name("A"), None if self.chance(0.6) else self.pick(flat[:-2]))]
        for _ in range(self.random.randint(0, 4)):
            argument = self.pick([None, self.pick(flat), self.pick(flat), itself, ("list", itself), ("tuple", self.pick(flat), itself), ("tuple", itself, itself),
                                  ("tuple", self.pick(flat), self.pick(flat)), ("tuple", itself, self.pick(flat), itself)])
            constructors.append((self.name("C"), argument))
        head = {0: "", 1: f"{variables[0] if variables else ''} ", 2: f"({', '.join(variables)}) "}[len(variables)]
        self.declare(f"datatype {head}{name} = " + " | ".join(c if of is None else f"{c} of {text_of_type(of)}" for c, of in constructors))
        self.datatypes[name] = Datatype(name, variables, tuple(constructors))

    def exception(self):
        name, of = self.name("E"), None if self.chance(0.4) else self.type(2)
        self.exceptions.append((name, of))
        self.declare(f"exception {name}" + ("" if of is None else f" of {text_of_type(of)}"))

    # Values and what is printed.

    def value(self):
        t = self.type(3)
        v = Variable(self.name("g"), t)
        show = self.show(t)
        self.declare(f"val {v.name} : {text_of_type(t)} = ", self.phrase(self.expression(t, self.scope(5, prints=True))), " handle _ => ", self.leaf(t, Scope(depth=0)))
        self.globals.append(v)
        self.declare(f'val () = say ("{v.name}", {show} {v.name})')

    def place(self):
        """A reference or an array that later declarations assign to. It holds no functions, which could call themselves by it."""
        t = (self.pick(["ref", "array"]), self.type(2, False))
        v = Variable(self.name("m"), t, True)
        self.declare(f"val {v.name} : {text_of_type(t)} = ", self.phrase(self.built(t, Scope(depth=2))), " handle _ => ", self.built(t, Scope(depth=0)))
        self.globals.append(v)

    def assign(self):
        unit = self.assignment(self.scope(4, prints=True))
        if unit is None:
            return self.place()
        self.declare("val () = ", unit, f' handle e => say ("{self.name("s")}", exnName e)')

    def show_places(self):
        for v in self.globals:
            if v.mutable:
                self.declare(f'val () = say ("{v.name}", {self.show(v.type)} {v.name})')

    def show_expression(self):
        t = self.type(2, False)
        show, label = self.show(t), self.name("e")
        self.declare(f'val () = say ("{label}", {show} ', self.phrase(self.expression(t, self.scope(6, prints=True))), f') handle e => say ("{label}", exnName e)')

    def end(self):
        """Some programs end by an exception that nothing handles."""
        if self.chance(0.6):
            return
        t = self.type(1, False)
        if self.chance(0.5):
            name, of = self.pick(self.exceptions)
            value = [] if of is None else [" ", self.phrase(self.leaf(of, Scope(depth=0)))]
            self.declare(f"val () = (say (\"end\", \"\"); raise {name}", *value, ")")
        else:
            self.declare(f'val () = say ("end", {self.show(t)} ', self.phrase(self.expression(t, self.scope(5))), ")")

    # Functions.

    def head(self, arguments: list[Variable], curried: bool) -> str:
        typed = [f"{v.name} : {text_of_type(v.type)}" for v in arguments]
        return " ".join(f"({v})" for v in typed) if curried else "(" + ", ".join(typed) + ")"

    def one_function(self, variables: tuple = ()):
        level = self.random.randint(0, MAX_LEVEL - 1)
        if variables:
            by = [("var", v) for v in variables]
            kinds = [*by, ("list", by[0]), ("fun", by[-1], by[0]), ("tuple", by[0], by[-1]), ("option", by[-1]), ("fun", by[0], BOOL), ("list", ("tuple", by[0], by[-1]))]
            types = [self.pick(kinds) for _ in range(self.random.randint(1, 3))]
            if not any(part in types for part in by):
                types.append(by[0])
            have = [t for t in types if t[0] != "fun"]
            result = self.pick([*have, ("list", self.pick(have)), ("tuple", self.pick(have), INT), ("option", self.pick(have)), STRING])
        else:
            types, result = [self.type(2) for _ in range(self.random.randint(1, 3))], self.type(2)
        arguments = [Variable(self.name("x"), t) for t in types]
        curried = self.chance(0.3)
        f = Function(self.name("f"), tuple(types), result, curried, level)
        scope = self.scope(5, level=level).in_function().with_variables(arguments)
        self.declare(f"fun {f.name} {self.head(arguments, curried)} : {text_of_type(result)} = ", self.expression(result, scope))
        if not any(part[0] == "var" for t in types for part in parts_of_type(t)) and any(part[0] == "var" for part in parts_of_type(result)):
            return
        self.functions.append(f)

    def polymorphic(self):
        self.one_function(tuple(self.pick([["'a"], ["'a", "'b"]])))

    def recursive(self):
        """A function that calls itself with a lesser number, once or twice."""
        t, of, level = self.type(1, False), self.type(1, False), self.random.randint(0, MAX_LEVEL - 1)
        f, n, x = self.name("f"), self.name("n"), Variable(self.name("x"), of)
        scope = self.scope(4, level=level).in_function().with_variables([x, Variable(n, INT)])
        results = [Variable(self.name("r"), t) for _ in range(self.random.randint(1, 2))]
        calls: list = []
        for r in results:
            calls += [f"val {r.name} = {f} ({n} - {self.random.randint(1, 2)}, ", self.expression(of, scope), ") "]
        if len(results) == 2 and self.chance(0.5):
            a, b = results
            calls = [f"val ({a.name}, {b.name}) = ForkJoin.par (fn () => {f} ({n} - 1, ", self.expression(of, scope), f"), fn () => {f} ({n} - 2, ", self.expression(of, scope), ")) "]
        self.declare(f"fun {f} ({n} : int, {x.name} : {text_of_type(of)}) : {text_of_type(t)} = if {n} <= 0 then ", self.leaf(t, scope), " else let ", *calls, "in ",
                     self.expression(t, scope.with_variables(results)), " end")
        g = Function(self.name("f"), (of,), t, False, level)
        self.declare(f"fun {g.name} ({x.name} : {text_of_type(of)}) = {f} ({self.random.randint(2, 6)}, {x.name})")
        self.functions.append(g)

    def mutual(self):
        t, of = self.type(1, False), self.type(1, False)
        f, g, n, x = self.name("f"), self.name("f"), self.name("n"), Variable(self.name("x"), of)
        scope = self.scope(3, level=0).in_function().with_variables([x, Variable(n, INT)])

        def one(name, other):
            r = Variable(self.name("r"), t)
            return [f"{name} ({n} : int, {x.name} : {text_of_type(of)}) : {text_of_type(t)} = if {n} <= 0 then ", self.leaf(t, scope), f" else let val {r.name} = {other} ({n} - 1, ",
                    self.expression(of, scope), ") in ", self.expression(t, scope.with_variables([r])), " end"]

        self.declare("fun ", *one(f, g), "\nand ", *one(g, f))
        h = Function(self.name("f"), (of,), t, False, 1)
        self.declare(f"fun {h.name} ({x.name} : {text_of_type(of)}) = {f} ({self.random.randint(1, 5)}, {x.name})")
        self.functions.append(h)

    def over_datatype(self):
        """A function by clauses over the constructors of a datatype, which calls itself for the parts."""
        d = self.pick(list(self.datatypes.values()))
        of = ("data", d.name, *(self.type(1, False) for _ in d.variables))
        t, level = self.type(1, False), self.random.randint(0, 1)
        f = self.name("f")
        scope = self.scope(3, level=level).in_function()
        parts: list = [f"fun {f} "]
        for i, (constructor, argument) in enumerate(self.constructors(of)):
            variables = [Variable(self.name("p"), part) for part in (argument[1:] if argument and argument[0] == "tuple" else [argument] if argument else [])]
            pattern = constructor if not variables else f"({constructor} ({', '.join(v.name for v in variables)}))"
            calls, results = [], []
            for v in variables:
                if v.type == of:
                    results.append(Variable(self.name("r"), t))
                    calls.append(f"val {results[-1].name} = {f} {v.name} ")
                elif v.type == ("list", of):
                    results.append(Variable(self.name("r"), ("list", t)))
                    calls.append(f"val {results[-1].name} = map {f} {v.name} ")
            body = self.expression(t, scope.with_variables(variables + results))
            parts += [f"\n  | {f} " if i else "", f"({pattern} : {text_of_type(of)}) : {text_of_type(t)} = "]
            parts += ["let " + "".join(calls) + "in ", body, " end"] if calls else [body]
        self.declare(*parts)
        self.functions.append(Function(f, (of,), t, False, level))

    def structure(self):
        """A structure with a signature that hides its type, or shows it."""
        name, t, of, to = self.name("S"), self.type(2, False), self.type(1, False), self.type(1, False)
        hidden = ("abstract", f"{name}.t") if self.chance(0.6) else t
        show = self.show(t)
        x, y = Variable(self.name("x"), of), Variable(self.name("y"), t)
        scope = self.scope(4, level=1).in_function()
        self.declare(f"signature {name.upper()} = sig type t val make : {text_of_type(of)} -> t val get : t -> {text_of_type(to)} val step : t * int -> t val show : t -> string end")
        self.declare(f"structure {name} {':>' if hidden != t else ':'} {name.upper()} = struct\n  type t = {text_of_type(t)}\n  fun make ({x.name} : {text_of_type(of)}) : t = ",
                     self.phrase(self.expression(t, scope.with_variables([x]))), " handle _ => ", self.leaf(t, Scope(depth=0)),
                     f"\n  fun get ({y.name} : t) : {text_of_type(to)} = ", self.expression(to, scope.with_variables([y])),
                     f"\n  fun step ({y.name} : t, n : int) : t = ", self.expression(t, scope.with_variables([y, Variable("n", INT)])),
                     f"\n  fun show v = {show} v\nend")
        if hidden != t:
            self.abstract[hidden[1]] = f"{name}.show"
        self.functions += [Function(f"{name}.make", (of,), hidden, False, 1), Function(f"{name}.get", (hidden,), to, False, 1), Function(f"{name}.step", (hidden, INT), hidden, False, 1)]
        v = Variable(self.name("g"), hidden)
        self.declare(f"val {v.name} = {name}.make ", self.phrase(self.leaf(of, Scope(depth=0))))
        self.globals.append(v)
        self.declare(f'val () = say ("{v.name}", {name}.show {v.name})')


def generated(seed: int) -> str:
    return Author(seed).program()


def main():
    first, count = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    for seed in range(first, first + count):
        print(generated(seed))


if __name__ == "__main__":
    main()
