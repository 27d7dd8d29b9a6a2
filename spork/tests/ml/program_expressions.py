"""Random expressions of a type, from the variables in scope.

Bodies of functions have no effect outside of themselves (but exceptions), so that forks may call them; only expressions at the top print. The
combining function of a `reduce` is associative and never raises.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from program_types import BOOL, CHAR, INT, REAL, STRING, WORD, substituted, text_of_type
from program_values import Function, Values, Variable


@dataclass(frozen=True)
class Scope:
    variables: tuple = ()
    depth: int = 4
    level: int = 9  # functions of lower levels may be called
    prints: bool = False

    def with_variables(self, more: list[Variable]) -> Scope:
        return replace(self, variables=self.variables + tuple(more))

    def deeper(self) -> Scope:
        return replace(self, depth=self.depth - 1)

    def in_function(self) -> Scope:
        """In the body of a function: it prints nothing, and assigns to nothing outside."""
        return replace(self, depth=self.depth - 1, prints=False, variables=tuple(replace(v, mutable=False) for v in self.variables))


def matched(general: tuple, special: tuple, by: dict[str, tuple]) -> bool:
    """Finds types for the variables of `general` that make it `special`."""
    if general[0] == "var":
        return by.setdefault(general[1], special) == special
    if general[0] != special[0] or len(general) != len(special):
        return False
    if general[0] == "record":
        return all(a[0] == b[0] and matched(a[1], b[1], by) for a, b in zip(general[1:], special[1:]))
    return all(matched(a, b, by) if isinstance(a, tuple) and isinstance(b, tuple) else a == b for a, b in zip(general[1:], special[1:]))


def variables_of(t: tuple) -> set[str]:
    if t[0] == "var":
        return {t[1]}
    parts = (part for _, part in t[1:]) if t[0] == "record" else (part for part in t[1:] if isinstance(part, tuple))
    return set().union(*(variables_of(part) for part in parts)) if t[0] != "abstract" else set()


class Expressions(Values):
    def phrase(self, *parts: str) -> str:
        return "(" + "".join(parts) + ")"

    def expression(self, t: tuple, s: Scope) -> str:
        if s.depth <= 0 or self.chance(0.12):
            return self.leaf(t, s)
        if s.prints and self.chance(0.06):
            return self.phrase(f'print "<{self.name("t")}>"; ', self.expression(t, s.deeper()))
        if self.chance(0.45):
            made = self.general(t, s)
        else:
            made = self.of_type(t, s.deeper())
        return made or self.leaf(t, s)

    # The simplest expressions.

    def leaf(self, t: tuple, s: Scope) -> str:
        fitting = [v for v in s.variables if v.type == t]
        if fitting and (t[0] == "var" or self.chance(0.65)):
            return self.pick(fitting[-8:]).name
        constant = self.constant(t)
        if constant is not None:
            return constant
        return self.built(t, replace(s, depth=0))

    def built(self, t: tuple, s: Scope) -> str:
        """Builds a value of the type from values of its parts."""
        kind = t[0]
        if kind == "tuple":
            return self.listed("(", t[1:], ")", s)
        if kind == "record":
            parts: list[str] = []
            for i, (label, part) in enumerate(self.random.sample(t[1:], len(t) - 1)):
                parts += [", " if i else "", f"{label} = ", self.expression(part, s.deeper())]
            return "".join(["{", *parts, "}"])
        if kind == "list":
            return self.phrase(self.listed("[", [t[1]] * self.random.randint(0, 3 if s.depth > 0 else 2), "]", s), f" : {text_of_type(t)}")
        if kind == "option":
            return self.phrase(f"NONE : {text_of_type(t)}") if self.chance(0.3) else self.phrase("SOME ", self.expression(t[1], s.deeper()))
        if kind in ("array", "vector"):
            return self.phrase(f"{kind.capitalize()}.fromList ", self.listed("[", [t[1]] * self.random.randint(0, 3), "]", s), f" : {text_of_type(t)}")
        if kind == "ref":
            return self.phrase("ref ", self.expression(t[1], s.deeper()))
        if kind == "fun":
            return self.function(t, s)
        if kind == "data":
            choices = self.constructors(t)
            if s.depth <= 0:
                choices = choices[:1]  # it does not need the type itself
            name, argument = self.pick(choices)
            return name if argument is None else self.phrase(name + " ", self.expression(argument, s.deeper()))
        if kind == "abstract":
            makers = [f for f in self.functions if f.result == t and t not in f.arguments]
            return self.call(self.pick(makers), {}, replace(s, depth=0))
        return self.constant(t) or f'((raise Fail "none") : {text_of_type(t)})'

    def listed(self, before: str, types, after: str, s: Scope) -> str:
        parts: list[str] = [before]
        for i, part in enumerate(types):
            parts += [", " if i else "", self.expression(part, s.deeper())]
        return "".join([*parts, after])

    def function(self, t: tuple, s: Scope) -> str:
        """A fn with one clause, or with patterns; or a function that is there."""
        named = self.named_function(t, s) if s.depth > 0 and self.chance(0.4) else None
        if named:
            return named
        inner = s.in_function()
        if self.chance(0.25):
            return self.phrase("fn ", *self.clauses(t[1], t[2], inner))
        if t[1][0] == "tuple":
            variables = [Variable(self.name("x"), part) for part in t[1][1:]]
            head = "(" + ", ".join(f"{v.name} : {text_of_type(v.type)}" for v in variables) + ")"
        else:
            variables = [Variable(self.name("x"), t[1])]
            head = f"({variables[0].name} : {text_of_type(t[1])})"
        return self.phrase(f"fn {head} => ", self.expression(t[2], inner.with_variables(variables)))

    def named_function(self, t: tuple, s: Scope) -> str | None:
        """A function by its name, a curried one without its last argument, or two functions one after the other."""
        if self.chance(0.2):
            between = self.type(1, False)
            return self.phrase(self.expression(("fun", between, t[2]), s.deeper()), " o ", self.expression(("fun", t[1], between), s.deeper()))
        choices = []
        for f in self.functions:
            by: dict[str, tuple] = {}
            last = f.arguments[-1] if f.curried or len(f.arguments) == 1 else ("tuple", *f.arguments)
            if f.level < s.level and matched(("fun", last, f.result), t, by):
                choices.append((f, by))
        if not choices:
            return None
        f, by = self.pick(choices)
        parts: list[str] = [f.name]
        for argument in f.arguments[:-1] if f.curried else ():
            for name in sorted(variables_of(argument) - by.keys()):
                by[name] = self.type(1, False)
            of = substituted(argument, by)
            parts += [" ", self.phrase(self.expression(of, s.deeper()))]
        return self.phrase(*parts, f" : {text_of_type(t)}")

    def clauses(self, of: tuple, t: tuple, s: Scope) -> list[str]:
        """Returns `pattern => expression | …`. The last pattern fits everything, mostly."""
        parts: list[str] = []
        count = self.random.randint(1, 3)
        for i in range(count):
            bound: list[Variable] = []
            pattern = self.pattern(of, 3, bound)
            parts += [" | " if i else "", f"({pattern} : {text_of_type(of)}) => ", self.expression(t, s.deeper().with_variables(bound))]
        if self.chance(0.85):
            parts += [f" | (_ : {text_of_type(of)}) => ", self.leaf(t, s)]
        return parts

    # Expressions of any type.

    def general(self, t: tuple, s: Scope) -> str | None:
        choice = self.pick([self.if_, self.case, self.case, self.let, self.let, self.called, self.called, self.applied, self.handled, self.selected,
                            self.selected, self.from_container, self.fold, self.forked, self.loop, self.raised, self.local_exception, self.local_function,
                            self.local_polymorphic])
        return choice(t, s.deeper())

    def if_(self, t, s):
        return self.phrase("if ", self.expression(BOOL, s), " then ", self.expression(t, s), " else ", self.expression(t, s))

    def case(self, t, s):
        of = self.pick(s.variables).type if s.variables and self.chance(0.6) else self.type(2)
        return self.phrase("case ", self.expression(of, s), " of ", *self.clauses(of, t, s))

    def let(self, t, s):
        parts: list[str] = ["let "]
        for _ in range(self.random.randint(1, 3)):
            of = self.type(2)
            value = self.expression(of, s)
            if self.chance(0.2):
                bound: list[Variable] = []
                parts += [f"val {self.pattern(of, 2, bound)} : {text_of_type(of)} = ", value, " "]
                s = s.with_variables(bound)
            else:
                v = Variable(self.name("v"), of)
                parts += [f"val {v.name} : {text_of_type(of)} = ", value, " "]
                s = s.with_variables([v])
        return "".join([*parts, "in ", self.expression(t, s), " end"])

    def called(self, t, s):
        choices = []
        for f in self.functions:
            by: dict[str, tuple] = {}
            if f.level < s.level and matched(f.result, t, by):
                choices.append((f, by))
        return self.call(*self.pick(choices), s) if choices else None

    def call(self, f: Function, by: dict, s: Scope) -> str:
        by = dict(by)
        for argument in f.arguments:
            for name in sorted(variables_of(argument) - by.keys()):
                by[name] = self.type(1, False)
        types = [substituted(argument, by) for argument in f.arguments]
        if f.curried:
            parts: list[str] = [f.name]
            for part in types:
                parts += [" ", self.phrase(self.expression(part, s))]
            return self.phrase(*parts)
        if len(types) == 1:
            return self.phrase(f.name, " ", self.phrase(self.expression(types[0], s)))
        return self.phrase(f.name, " ", self.listed("(", types, ")", s))

    def applied(self, t, s):
        fitting = [v for v in s.variables if v.type[0] == "fun" and v.type[2] == t]
        of = self.pick(fitting).type if fitting else ("fun", self.type(1, False), t)
        return self.phrase(self.expression(of, s), " ", self.phrase(self.expression(of[1], s)))

    def handled(self, t, s):
        parts: list[str] = [self.expression(t, s), " handle "]
        for i in range(self.random.randint(1, 2)):
            name, of = self.pick([*self.exceptions, ("Overflow", None), ("Subscript", None), ("Div", None), ("Match", None), ("Fail", STRING), ("Empty", None), ("Chr", None)])
            bound: list[Variable] = []
            pattern = name if of is None else f"{name} {self.pattern(of, 1, bound)}"
            parts += [" | " if i else "", f"{pattern} => ", self.expression(t, s.with_variables(bound))]
        if self.chance(0.5):
            parts += [" | _ => ", self.leaf(t, s)]
        return self.phrase(*parts)

    def raised(self, t, s):
        if self.chance(0.6) or not self.exceptions:
            return None
        name, of = self.pick(self.exceptions)
        value = [] if of is None else [" ", self.phrase(self.expression(of, s))]
        return self.phrase(f"(raise {name}", *value, f") : {text_of_type(t)}")

    def local_exception(self, t, s):
        name, of = self.name("Local"), self.type(1, False)
        v = Variable(self.name("p"), of)
        inner = self.phrase("if ", self.expression(BOOL, s), f" then raise {name} ", self.phrase(self.expression(of, s)), " else ", self.expression(t, s))
        return "".join([f"let exception {name} of {text_of_type(of)} in ", inner, f" handle {name} {v.name} => ", self.expression(t, s.with_variables([v])), " end"])

    def local_function(self, t, s):
        """A local function that calls itself a few times, with less and less of a number."""
        f, n, of = self.name("f"), self.name("n"), self.type(1, False)
        x, r = Variable(self.name("x"), of), Variable(self.name("r"), t)
        inner = s.in_function().with_variables([x, Variable(n, INT)])
        less = [f"{f} ({n} - 1, ", self.expression(of, inner), ")"]
        return "".join([f"let fun {f} ({n} : int, {x.name} : {text_of_type(of)}) : {text_of_type(t)} = if {n} <= 0 then ", self.leaf(t, inner),
                        f" else let val {r.name} = ", *less, " in ", self.expression(t, inner.with_variables([r])), " end ",
                        f"in {f} ({self.random.randint(0, 4)}, ", self.expression(of, s), ") end"])

    def local_polymorphic(self, t, s):
        """A local polymorphic function that captures a value, at two types."""
        f, kept, other = self.name("f"), Variable(self.name("k"), self.type(1, False)), self.type(2, False)
        a, b = Variable(self.name("x"), t), Variable(self.name("y"), other)
        body, first, second = self.pick([("(x, {k})", "#1 ({f} {0})", "#1 ({f} {1})"), ("[x, x]", "hd ({f} {0})", "List.last ({f} {1})"), ("fn {k} => x", "{f} {0} {k}", "{f} {1} {k}"),
                                         ("SOME (ref x)", "!(valOf ({f} {0}))", "!(valOf ({f} {1}))"), ("(Array.fromList [({k}, x)])", "#2 (Array.sub ({f} {0}, 0))", "#2 (Array.sub ({f} {1}, 0))")])

        def around(text: str, argument: str) -> list[str]:
            before, after = text.replace("{f}", f).replace("{k}", kept.name).replace("{0}", "{1}").split("{1}")
            return [before, argument, after]

        return "".join([f"let val {kept.name} : {text_of_type(kept.type)} = ", self.expression(kept.type, s), f" fun {f} x = " + body.replace("{k}", kept.name),
                        f" val {b.name} : {text_of_type(other)} = ", *around(second, self.phrase(self.expression(other, s))),
                        f" val {a.name} : {text_of_type(t)} = ", *around(first, self.phrase(self.expression(t, s.with_variables([b])))),
                        " in ", self.expression(t, s.with_variables([a, b])), " end"])

    def selected(self, t, s):
        if self.chance(0.4):
            types = [t, self.type(1)]
            at = self.random.randint(0, 1)
            of = ("tuple", *(types if at == 0 else reversed(types)))
            return self.phrase(f"#{at + 1} ", self.expression(of, s))
        fitting = [(v, i) for v in s.variables if v.type[0] == "tuple" for i, part in enumerate(v.type[1:], 1) if part == t]
        fitting += [(v, label) for v in s.variables if v.type[0] == "record" for label, part in v.type[1:] if part == t]
        if not fitting:
            return None
        v, selector = self.pick(fitting)
        return self.phrase(f"#{selector} {v.name}")

    def from_container(self, t, s):
        kind = self.pick(["ref", "list", "option", "array", "vector", "hd", "getOpt", "before"])
        if kind == "ref":
            return self.phrase("!", self.expression(("ref", t), s))
        if kind == "list":
            return self.phrase("List.nth (", self.expression(("list", t), s), ", ", self.index(s), ")")
        if kind == "hd":
            return self.phrase(self.pick(["hd ", "List.last "]), self.expression(("list", t), s))
        if kind == "option":
            return self.phrase("valOf ", self.expression(("option", t), s))
        if kind == "getOpt":
            return self.phrase("getOpt (", self.expression(("option", t), s), ", ", self.expression(t, s), ")")
        if kind == "before":
            return self.phrase(self.expression(t, s), " before ignore ", self.phrase(self.expression(INT, s)))
        return self.phrase(f"{kind.capitalize()}.sub (", self.expression((kind, t), s), ", ", self.index(s), ")")

    def index(self, s) -> str:
        return str(self.random.randint(0, 2)) if self.chance(0.7) else self.phrase(self.expression(INT, s), " mod 4")

    def bounded(self, t: tuple, expression: str) -> str:
        """Keeps texts and lists short."""
        if t == STRING:
            return self.phrase("cap ", expression)
        return self.phrase("trim ", expression) if t[0] == "list" else expression

    def fold(self, t, s):
        of, kind = self.type(1, False), self.pick(["List", "List", "Array", "Vector"])
        order = self.pick(["foldl", "foldr"])
        x, z = Variable(self.name("x"), of), Variable(self.name("z"), t)
        body = self.bounded(t, self.expression(t, s.in_function().with_variables([x, z])))
        head = f"({x.name} : {text_of_type(of)}, {z.name} : {text_of_type(t)})"
        return self.phrase(f"{kind}.{order} (fn {head} => ", body, ") ", self.phrase(self.expression(t, s)), " ", self.expression((kind.lower(), of), s))

    def forked(self, t, s):
        other, inner = self.type(1, False), s.in_function()
        a, b = Variable(self.name("a"), t), Variable(self.name("b"), other)
        left, right = self.expression(t, inner), self.expression(other, inner)
        return "".join([f"let val ({a.name}, {b.name}) = ForkJoin.par (fn () => ", left, ", fn () => ", right, ") in ",
                        self.expression(t, s.with_variables([a, b])), " end"])

    def loop(self, t, s):
        """A while loop over a reference that a few steps change."""
        i, r = self.name("i"), Variable(self.name("r"), ("ref", t))
        first = self.expression(t, s)
        body = self.bounded(t, self.expression(t, s.deeper().with_variables([r, Variable(i, ("ref", INT))])))
        return "".join([f"let val {i} = ref 0 val {r.name} : {text_of_type(r.type)} = ref ", self.phrase(first),
                        f" in while !{i} < {self.random.randint(0, 4)} do ({r.name} := ", self.phrase(body), f"; {i} := !{i} + 1); !{r.name} end"])

    # Expressions by their type.

    def of_type(self, t: tuple, s: Scope) -> str | None:
        kind = t[0]
        if kind == "unit":
            return self.assignment(s)
        by_kind = {"int": self.int_, "bool": self.bool_, "string": self.string, "char": self.char, "real": self.real, "word": self.word, "list": self.list_,
                   "option": self.option, "vector": self.vector, "array": self.array}
        if kind in by_kind and self.chance(0.8):
            return by_kind[kind](t, s)
        return self.built(t, s)

    def form(self, t: tuple, s: Scope, *choices) -> str:
        """Picks a form, texts and types, and makes expressions of its types."""
        return self.phrase(*(self.expression(part, s) if isinstance(part, tuple) else part for part in self.pick(choices)))

    def assignment(self, s):
        places = [v for v in s.variables if v.mutable]
        if not places:
            return None
        v = self.pick(places)
        value = self.bounded(v.type[1], self.expression(v.type[1], s))
        if v.type[0] == "ref":
            return self.phrase(f"{v.name} := ", self.phrase(value))
        return self.phrase(f"Array.update ({v.name}, ", self.index(s), ", ", value, ")")

    def int_(self, t, s):
        of = self.type(1, False)
        lst = ("list", of)
        if self.chance(0.15):
            return self.reduced(s)
        return self.form(t, s, (INT, " + ", INT), (INT, " - ", INT), (INT, " * ", INT), (INT, " div ", INT), (INT, " mod ", INT), ("~ ", INT), ("abs ", INT),
                         ("size ", STRING), ("ord ", CHAR), ("length ", lst), ("Int.min (", INT, ", ", INT, ")"), ("Int.max (", INT, ", ", INT, ")"),
                         ("Int.quot (", INT, ", ", INT, ")"), ("Int.rem (", INT, ", ", INT, ")"), ("Int.sign ", INT), ("Array.length ", ("array", of)),
                         ("Vector.length ", ("vector", of)), ("floor ", REAL), ("trunc ", REAL), ("round ", REAL), ("Word.toIntX ", WORD), ("Word.toInt ", WORD),
                         ("valOf (Int.fromString ", STRING, ")"), (INT, " mod 1000"), (INT, " mod 10 * (", INT, " mod 10)"))

    def bool_(self, t, s):
        of, eq = self.type(1, False), self.type(2, False, True)
        if not self.has_equality(eq):
            eq = INT
        ordered = self.pick([INT, CHAR, STRING, REAL, WORD])
        op = self.pick(["<", "<=", ">", ">="])
        return self.form(t, s, (ordered, f" {op} ", ordered), (ordered, f" {op} ", ordered), (eq, " = ", eq), (eq, " <> ", eq), ("not ", BOOL), (BOOL, " andalso ", BOOL),
                         (BOOL, " orelse ", BOOL), ("null ", ("list", of)), ("isSome ", ("option", of)), ("String.isPrefix ", STRING, " ", STRING),
                         ("List.exists ", ("fun", of, BOOL), " ", ("list", of)), ("List.all ", ("fun", of, BOOL), " ", ("list", of)), ("Char.isAlpha ", CHAR),
                         ("Char.isDigit ", CHAR), ("Vector.exists ", ("fun", of, BOOL), " ", ("vector", of)), ("Real.isNan ", REAL),
                         ("String.isSubstring ", STRING, " ", STRING))

    def string(self, t, s):
        of = self.type(1, False)
        return self.form(t, s, ("cap (", STRING, " ^ ", STRING, ")"), ("Int.toString ", INT), ("str ", CHAR), ("Bool.toString ", BOOL), ("Real.toString ", REAL),
                         ("Word.toString ", WORD), ("implode (rev (explode ", STRING, "))"), ("String.map ", ("fun", CHAR, CHAR), " ", STRING),
                         ("cap (concat (map ", ("fun", of, STRING), " ", ("list", of), "))"), ("String.substring (", STRING, ", 0, ", INT, ")"),
                         ("cap (String.concatWith ", STRING, " ", ("list", STRING), ")"), ("String.extract (", STRING, ", ", INT, ", NONE)"), ("implode ", ("list", CHAR)),
                         ("cap (String.toString ", STRING, ")"), ("hd (String.tokens Char.isSpace ", STRING, ")"))

    def char(self, t, s):
        return self.form(t, s, ("String.sub (", STRING, ", ", INT, ")"), ("chr (", INT, " mod 256)"), ("chr ", INT), ("Char.toUpper ", CHAR), ("Char.succ ", CHAR),
                         ("if ", CHAR, " < ", CHAR, " then ", CHAR, " else ", CHAR))

    def real(self, t, s):
        return self.form(t, s, (REAL, " + ", REAL), (REAL, " - ", REAL), (REAL, " * ", REAL), (REAL, " / ", REAL), ("~ ", REAL), ("abs ", REAL), ("real ", INT),
                         ("Real.min (", REAL, ", ", REAL, ")"), ("Real.max (", REAL, ", ", REAL, ")"), ("Math.sqrt ", REAL), ("real (", INT, " mod 100) / 4.0"),
                         ("Real.realFloor ", REAL))

    def word(self, t, s):
        return self.form(t, s, (WORD, " + ", WORD), (WORD, " - ", WORD), (WORD, " * ", WORD), (WORD, " div ", WORD), (WORD, " mod ", WORD), ("Word.andb (", WORD, ", ", WORD, ")"),
                         ("Word.orb (", WORD, ", ", WORD, ")"), ("Word.xorb (", WORD, ", ", WORD, ")"), ("Word.notb ", WORD), ("Word.fromInt ", INT),
                         ("Word.<< (", WORD, ", 0w" + str(self.random.randint(0, 70)) + ")"), ("Word.>> (", WORD, ", ", WORD, ")"),
                         ("Word.~>> (", WORD, ", 0w" + str(self.random.randint(0, 70)) + ")"))

    def list_(self, t, s):
        of, from_ = t[1], self.type(1, False)
        forms = [("trim (", of, " :: ", t, ")"), ("trim (", t, " @ ", t, ")"), ("rev ", t), ("map ", ("fun", from_, of), " ", ("list", from_)),
                 ("List.filter ", ("fun", of, BOOL), " ", t), ("tl ", t), ("List.tabulate (", str(self.random.randint(0, 4)), ", ", ("fun", INT, of), ")"),
                 ("List.take (", t, ", 1)"), ("List.mapPartial ", ("fun", from_, ("option", of)), " ", ("list", from_)), ("#2 (List.partition ", ("fun", of, BOOL), " ", t, ")"),
                 ("trim (List.concat ", ("list", t), ")"), ("Vector.foldr (op ::) [] ", ("vector", of)), ("Array.foldr (op ::) [] ", ("array", of)),
                 ("List.drop (", t, ", ", INT, " mod 3)")]
        if of == CHAR:
            forms.append(("trim (explode ", STRING, ")"))
        if of[0] == "tuple" and len(of) == 3:
            forms.append(("ListPair.zip (", ("list", of[1]), ", ", ("list", of[2]), ")"))
        return self.form(t, s, *forms)

    def option(self, t, s):
        from_ = self.type(1, False)
        return self.form(t, s, ("SOME ", t[1]), ("List.find ", ("fun", t[1], BOOL), " ", ("list", t[1])), ("Option.map ", ("fun", from_, t[1]), " ", ("option", from_)),
                         ("Option.mapPartial ", ("fun", from_, t), " ", ("option", from_)), ("SOME ", t[1], " handle _ => NONE"))

    def vector(self, t, s):
        from_ = self.type(1, False)
        return self.form(t, s, ("Vector.map ", ("fun", from_, t[1]), " ", ("vector", from_)), ("Vector.tabulate (", str(self.random.randint(0, 4)), ", ", ("fun", INT, t[1]), ")"),
                         ("Vector.fromList ", ("list", t[1])), ("Vector.update (", t, ", 0, ", t[1], ")"))

    def array(self, t, s):
        if self.chance(0.5):
            return self.form(t, s, ("Array.tabulate (", str(self.random.randint(0, 4)), ", ", ("fun", INT, t[1]), ")"), ("Array.fromList ", ("list", t[1])),
                             ("Array.array (", str(self.random.randint(0, 3)), ", ", t[1], ")"))
        n, i, a = self.random.choice([0, 1, 3, 50]), Variable(self.name("i"), INT), self.name("a")
        body = self.expression(t[1], s.in_function().with_variables([i]))
        make = self.pick([f"Array.array ({n}, ", None])
        first = [make, self.leaf(t[1], s), ")"] if make else [f"ForkJoin.alloc {n}"]
        return "".join([f"let val {a} : {text_of_type(t)} = ", *first, f" val () = ForkJoin.parfor (0, {n}, fn {i.name} => Array.update ({a}, {i.name}, ", body, f")) in {a} end"])

    def reduced(self, s) -> str:
        """A number that a `reduce` makes, over one of some monoids."""
        i, n = Variable(self.name("i"), INT), self.random.choice([0, 1, 5, 60])
        inner = s.in_function().with_variables([i])
        of, combine, zero, made = self.pick([
            (INT, "(fn (a, b) => (a + b) mod 1000003)", "0", "{} mod 1000003"), (INT, "Int.max", "~1", "abs ({} mod 1000)"), (STRING, "(op ^)", '""', "substring (cap {}, 0, 1)"),
            (("list", INT), "(op @)", "[]", "List.take ({}, 1)"), (BOOL, "(fn (a, b) => a orelse b)", "false", "{}"),
            (("option", INT), "(fn (SOME a, _) => SOME a | (NONE, b) => b)", "NONE", "{}")])
        body = self.expression(of, inner)
        before, after = made.split("{}")
        result = {"int": "", "string": "size ", "list": "length ", "bool": "(fn b => if b then 1 else 0) ", "option": "(fn x => getOpt (x, ~5)) "}[of[0]]
        return self.phrase(f"{result}(ForkJoin.reduce (0, {n}, fn {i.name} => {before}", body, f"{after}, {combine}, {zero}))")
