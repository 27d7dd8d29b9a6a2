#!/usr/bin/env python3
"""Runs litmus tests: programs of a few instructions of aarch64 for some threads, with an outcome that the memory model (armv8.py) forbids or admits.

    // a comment
    init flag=0 data=0          the locations and their values
    thread writer
      str data 1                a store; stlr: with release. The value may be a register
      stlr flag 1
    thread reader
      ldar flag -> seen         a load; ldapr, ldar: with acquire
      if seen=1                 what follows happens only then, and depends on it
      ldr data -> got
      ldr table@got -> x        the address depends on a register
    never seen=1 got=0          or `sometimes`: the outcome; [flag]=1 is the final value of a location

Other instructions: swp, ldadd and cas, with `a`, `l` or `al` behind the name for acquire and release (`swpal flag 1 -> old`; `casal flag 0 1 -> old`
stores 1 if it reads 0); the barriers dmb, dmb ld, dmb st and isb; and membarrier, the system call. `spare: REASON` behind an instruction says why
it is as strong as it is, `spare a: REASON` why an atomic instruction has its acquire: if any other strong instruction of a `never` test is weakened
alone, the outcome must become possible, so that the test shows what each of them is for.

usage: litmus.py [FILE...]       all files in litmus/ by default. Ends with a count.
"""

import pathlib
import re
import sys
from dataclasses import dataclass

import armv8

HERE = pathlib.Path(__file__).resolve().parent
ATOMIC = re.compile(r"(swp|ldadd|cas)(a?l?)$")


@dataclass
class Test:
    path: pathlib.Path
    initial: dict
    threads: list  # of lists of (line number, words, reason why it is spare)
    names: list
    forbidden: bool
    outcome: list  # pairs of a name and a value


def fail(path, number, what):
    sys.exit(f"{path}:{number}: {what}")


def read(path):
    initial, threads, names, outcome, forbidden = {}, [], [], None, True
    for number, line in enumerate(path.read_text().splitlines(), 1):
        code, _, _ = line.partition("//")
        code, _, spare = code.partition("spare")  # "a: REASON", or ": REASON"
        words = code.split()
        if not words:
            continue
        if words[0] == "init":
            initial = {k: int(v) for k, v in (w.split("=") for w in words[1:])}
        elif words[0] == "thread":
            threads.append([])
            names.append(words[1])
        elif words[0] in ("never", "sometimes"):
            forbidden = words[0] == "never"
            outcome = [(k, int(v)) for k, v in (w.split("=") for w in words[1:])]
        elif threads:
            threads[-1].append((number, words, spare.strip()))
        else:
            fail(path, number, f"'{words[0]}' is in no thread")
    if outcome is None or not threads:
        fail(path, 1, "there is no thread, or no outcome")
    return Test(path, initial, threads, names, forbidden, outcome)


def thread_of(path, lines):
    """Returns the function that armv8.executions calls for a thread."""

    def run(thread, values):
        trace = armv8.Trace()
        registers, sources = {}, {}  # of each register: its value, and the reads that it depends on
        control = set()

        def add(kind, location="", value=0, address=frozenset(), data=frozenset(), **how):
            event = armv8.Event(thread, len(trace.events), kind, location, value, **how)
            trace.events.append(event)
            trace.address_of |= {(r, event) for r in address}
            trace.data_of |= {(r, event) for r in data}
            trace.control_of |= {(r, event) for r in control}
            return event

        def value_of(word):
            return (int(word), frozenset()) if word.lstrip("-").isdigit() else (registers[word], sources[word])

        for number, words, _ in lines:
            name = words[0]
            if name in ("dmb", "isb", "membarrier"):
                add(" ".join(words))
                continue
            if name == "if":
                register, wanted = words[1].split("=")
                control |= sources[register]
                if registers[register] != int(wanted):
                    break
                continue
            location, _, index = words[1].partition("@")
            address = sources[index] if index else frozenset()
            into = words[words.index("->") + 1] if "->" in words else ""
            atomic = ATOMIC.match(name)
            if name in ("str", "stlr"):
                value, data = value_of(words[2])
                add("W", location, value, address, data, release=name == "stlr")
                continue
            if name not in ("ldr", "ldar", "ldapr") and not atomic:
                fail(path, number, f"there is no instruction '{name}'")
            got = next(values, None)
            if got is None:
                return location
            acquire = {"ldar": "A", "ldapr": "Q"}.get(name, "A" if atomic and "a" in atomic[2] else "")
            event = add("R", location, got, address, acquire=acquire)
            registers[into], sources[into] = got, frozenset({event})
            if atomic:
                operands = [value_of(w) for w in words[2 : words.index("->")]]
                if atomic[1] == "cas" and got != operands[0][0]:
                    continue
                value, data = operands[-1]
                value += got if atomic[1] == "ldadd" else 0
                write = add("W", location, value, address, data | {event} if atomic[1] == "ldadd" else data, release="l" in atomic[2])
                trace.pairs.add((event, write))
        trace.registers = registers
        return trace

    return run


def is_reached(test, threads):
    runs = [thread_of(test.path, lines) for lines in threads]
    for registers, final in armv8.executions(runs, test.initial):
        if all((final[name[1:-1]] if name.startswith("[") else registers.get(name)) == value for name, value in test.outcome):
            return True
    return False


def weakened(words):
    """Yields what an instruction may be weakened to (None: nothing), and the letter of what it loses, of an atomic instruction."""
    name = words[0]
    if name in ("dmb", "membarrier"):
        yield None, ""
    plain = {"stlr": "str", "ldar": "ldr", "ldapr": "ldr"}.get(name)
    atomic = ATOMIC.match(name)
    if plain:
        yield [plain, *words[1:]], ""
    for strength in ("a", "l") if atomic else ():
        if strength in atomic[2]:
            yield [atomic[1] + atomic[2].replace(strength, ""), *words[1:]], strength


def check(path):
    """Returns what is wrong."""
    test = read(path)
    if is_reached(test, test.threads) == test.forbidden:
        return [f"{path.name}: the outcome is {'possible' if test.forbidden else 'impossible'}"]
    wrong = []
    for t, lines in enumerate(test.threads) if test.forbidden else ():
        for i, (number, words, spare) in enumerate(lines):
            for weaker, letter in weakened(words):
                is_spare = spare.startswith((":", f"{letter}:"))
                changed = lines[:i] + ([(number, weaker, "")] if weaker else []) + lines[i + 1 :]
                reached = is_reached(test, [*test.threads[:t], changed, *test.threads[t + 1 :]])
                said = f"{path.name}:{number}: '{' '.join(words)}' as '{' '.join(weaker or ['nothing'])}'"
                if reached and is_spare:
                    wrong.append(f"{said} makes the outcome possible, so it is not spare")
                if not reached and not is_spare:
                    wrong.append(f"{said} changes nothing; say what it is for by `spare: REASON`")
    return wrong


def main():
    files = [pathlib.Path(a) for a in sys.argv[1:]] or sorted(HERE.glob("litmus/*.litmus"))
    bad = 0
    for path in files:
        wrong = check(path)
        bad += bool(wrong)
        print(f"{'FAIL' if wrong else 'ok  '} {path.stem}")
        for what in wrong:
            print(f"     {what}")
    print(f"{len(files) - bad} passed, {bad} failed")
    return 1 if bad or not files else 0


if __name__ == "__main__":
    sys.exit(main())
