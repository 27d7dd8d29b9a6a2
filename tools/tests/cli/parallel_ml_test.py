#!/usr/bin/env python3
"""Programs in Parallel ML under all tools: run, build, explore, profile, record and replay."""

import re

from driver import Driver

FIB = """\
fun fib n =
  if n < 2 then n
  else
    let
      val (a, b) = ForkJoin.par (fn () => fib (n - 1), fn () => fib (n - 2))
    in
      a + b
    end
val n = case CommandLine.arguments () of [text] => valOf (Int.fromString text) | _ => 18
val () = print (Int.toString (fib n) ^ "\\n")
"""

RACE = """\
val r = ref 0
val _ = ForkJoin.par (fn () => r := 1, fn () => r := 2)
val () = print (Int.toString (!r) ^ "\\n")
"""

# The serially first exception wins, although the second branch raises in any order.
ORDER = """\
exception Left and Right
val () = (ignore (ForkJoin.par (fn () => raise Left, fn () => (raise Right) : int)); print "none") handle Left => print "left" | Right => print "right"
"""

LIBRARY = "structure Library = struct fun twice x = 2 * x end\n"
USER = 'val () = print (Int.toString (Library.twice 21) ^ "\\n")\n'

POLICIES = ("on-demand", "eager", "heartbeat:100us,30")

LOOPS = """fun weight i =
  if i mod 3 = 0 then 1 else 2
val () = print (Int.toString (ForkJoin.reduce (0, 30000, weight, op +, 0)) ^ "\\n")
val cells = Array.array (20000, 0)
val () = ForkJoin.parfor (0, 20000, fn i =>
  Array.update (cells, i, i))
"""


def runs(d: Driver) -> None:
    fib = d.write("fib.sml", FIB)
    for form in ("record", "stackmap"):
        for workers in ("1", "2", "8"):
            for policy in POLICIES:
                run = d.tine("ml", "run", "--workers", workers, "--promotion", form, "--promote", policy, fib, "15")
                d.check((run.returncode, run.stdout, run.stderr) == (0, "610\n", ""), f"run with {form}, {workers}, {policy}", run)
    for level in "0123":
        d.expect(d.tine("ml", "run", "--level", level, fib, "12"), 0, "144\n")
    d.expect(d.tine("ml", "run", "--elide", fib, "15"), 0, "610\n")
    d.expect(d.tine("ml", "run", fib, "x"), 1, "uncaught exception Option")
    d.expect(d.tine("ml", "run", "--with", d.write("library.sml", LIBRARY), d.write("user.sml", USER)), 0, "42\n")
    d.expect(d.tine("ml", "run", d.write("wrong.sml", "val x = 1 + true\n")), 1, "wrong.sml:1:13: error:")
    d.expect(d.tine("ml", "run", "no.sml"), 2, "no.sml")
    d.expect(d.tine("ml", "run", "--promote", "never", fib), 2, "never")


def builds(d: Driver) -> None:
    for form in ("record", "stackmap"):
        app = d.at / f"app-{form}"
        d.expect(d.tine("ml", "build", "library.sml", "user.sml", "fib.sml", "-o", app, "--promotion", form), 0)
        for workers in ("1", "2", "8"):
            run = d.execute(app, 16, env={"TINE_NUM_THREADS": workers})
            d.check((run.returncode, run.stdout) == (0, "42\n987\n"), f"the executable with {form} on {workers}", run)
    d.expect(d.tine("ml", "build", "fib.sml", "--emit=ir", "-o", "fib.spork"), 0)
    d.expect(d.tine("ir", "check", "fib.spork"), 0, "well-formed")
    d.expect(d.tine("ir", "print", "fib.spork"), 0, 'source 1 = "fib.sml"', "@1:5:")
    calls = "".join(f"val () = t (fn () => Int.toString {i})\n" for i in range(200))
    d.expect(d.tine("ml", "build", d.write("calls.sml", 'fun t f = print (f () ^ "\\n") handle e => print (exnName e)\n' + calls), "--emit=ir", "-o", "calls.spork"), 0)
    instances = len(re.findall(r"^fun t\.", (d.at / "calls.spork").read_text(), re.M))
    d.check(instances == 65, "a function has at most 64 instances, and one for all others", instances)
    d.expect(d.tine("ml", "build", d.write("warned.sml", "fun f 1 = 2\nval () = print (Int.toString (f 1))\n"), "-o", "warned"), 0, "warned.sml:1:5: warning:")


def says_for_which_processors(d: Driver) -> None:
    """The oldest processor of the architecture is the default."""
    fib = d.write("fib.sml", FIB)
    told = d.tine("ml", "build", fib, "-o", "fib")
    d.expect(told, 0, "fib: for all ", " processors; with --march=native, for processors like this one (")
    base = re.search("all (.*) processors;", told.stdout)[1]
    d.expect(d.tine("ml", "build", fib, "-o", "fib", "--march=native"), 0, "fib: for processors like this one (")
    for out, options in (("0", ()), ("1", (f"--march={base}",)), ("2", ("--march=native",))):
        d.expect(d.tine("ml", "build", fib, "--emit=object", "-o", out, *options), 0, "")
    first, same, native = ((d.at / out).read_bytes() for out in "012")
    d.check(first == same, "the default is the oldest processor", base)
    d.check(first != native or base == "native", "native code is other code", base)
    d.expect(d.tine("ml", "build", "--help"), 0, f"}}={base}\n")


def refuses_files(d: Driver) -> None:
    """A file that cannot be written is no fault of the program; other files stay."""
    fib, ir = d.write("fib.sml", FIB), d.write("main.spork", "export fun f() { block entry { return } }\nfun main() { block entry { return } }\n")
    for verb, file, kinds in ("ml", fib, ("program", "object", "llvm", "ir")), ("ir", ir, ("program", "object", "llvm")):
        for kind in kinds:
            for out in ("/nonexistent/a", "."):
                d.expect(d.tine(verb, "build", file, f"--emit={kind}", "-o", out), 2, out)
    d.expect(d.tine("ir", "build", ir, "--emit=object", "-o", "a.o", "--header", "/nonexistent/a.h"), 2, "/nonexistent/a.h")
    d.expect(d.tine("ir", "build", ir, "--emit=llvm", "-o", "/dev/full"), 2, "/dev/full")
    mine = d.write("kept.o", "mine")
    d.expect(d.tine("ir", "build", ir, "-o", "kept"), 0, "kept: for ")
    d.check(mine.read_text() == "mine", "an object beside the executable stays", mine)


def explores(d: Driver) -> None:
    found = d.tine("ml", "explore", d.write("race.sml", RACE))
    d.expect(found, 1, "race.sml: the schedules lead to 2 outcomes")
    for answer, script in re.findall(r'"(\d)\\n" by --schedule=\'(script:[^\']*)\'', found.stderr):
        d.expect(d.tine("ml", "run", "--schedule", script, "race.sml"), 0, f"{answer}\n")
        d.passed += 1
    d.check(found.stderr.count(" by --schedule=") == 2, "both outcomes have a script", found.stderr)
    d.expect(d.tine("ml", "explore", d.write("order.sml", ORDER)), 0, 'every schedule gives "left"')
    d.expect(d.tine("ml", "run", "--schedule=eager", "order.sml"), 0, "left")
    d.expect(d.tine("ml", "run", "--schedule=none", "fib.sml"), 1, "trap", "tine_ml_argument_count")


def observes(d: Driver) -> None:
    """The sites of forks and loops are in the program, not in the basis."""
    d.expect(d.tine("ml", "build", d.write("loops.sml", LOOPS), "fib.sml", "-o", d.at / "loops"), 0, "")
    run = d.tine("profile", "-q", "-o", d.at / "loops.profile", "--", d.at / "loops", 16)
    d.check((run.returncode, run.stdout) == (0, "50000\n987\n"), "a profiled run", run)
    report = d.json("report", "--json", d.at / "loops.profile")
    lines = {(site["file"].rsplit("/", 1)[-1], site["line"]) for site in report["sites"]}
    d.check(lines == {("loops.sml", 2), ("loops.sml", 5), ("fib.sml", 5)}, "the sites", report["sites"])
    for variable in ({"TINE_RECORD": d.at / "j"}, {"TINE_REPLAY": f"{d.at}/j,serial,must_match"}):
        run = d.execute(d.at / "loops", 14, env={**variable, "TINE_NUM_THREADS": 2})
        d.check((run.returncode, run.stdout) == (0, "50000\n377\n"), f"{list(variable)}", run)


Driver.run(runs, builds, says_for_which_processors, refuses_files, explores, observes)
