#!/usr/bin/env python3
"""Programs in Spork IR under the tools for programs in C++: profiles with the lines of their sources, journals, debuggers."""

import pathlib
import re
import shutil

from driver import EMULATED, Driver

FIB = """\
fun fib(n: i64) -> (i64) {
  block entry { if n < 2 then small else large }
  block small { return (n) }
  block large { par fib(n - 1), fib(n - 2) -> done }
  block done(a: i64, b: i64) { return (a + b) }
}
fun main() -> (i64) {
  block entry { call fib(18) -> out }
  block out(r: i64) { return (r) }
}
"""

# A front end has made this of main.sml and of its basis. The second loop is in a function of the basis.
SOURCES = """\
source 1 = "main.sml"
source 2 = "/lib/basis.sml"
fun body(i: i64) -> (i64) @1:3:5 {
  block entry { goto step(0, i) @1:4:9 }
  block step(k: i64, s: i64) { if k < 50 then more else out @2:17:3 }
  block more { goto step(k + 1, s * 7 % 1009) @2:18:9 }
  block out { return (s) @1:6:6 }
}
fun plus(a: i64, b: i64) -> (i64) @1:8:5 { block entry { return (a + b) @1:8:20 } }
fun visit(i: i64) @2:30:5 { block entry { call body(i) -> out @2:31:9 } block out(r: i64) { return @2:31:20 } }
fun each(n: i64) @2:33:5 { block entry { parfor 0, n, visit() -> out @2:34:9 } block out { return @2:34:30 } }
fun main() -> (i64) @1:20:5 {
  block entry { reduce 0, 100, 0, body(), plus -> next @1:21:7 }
  block next(r: i64) { call each(10) -> out @1:22:7 }
  block out { return (r) @1:23:7 }
}
"""

# The passes put a function of the basis, with a fork, into both of its callers.
INLINED = """\
source 1 = "main.sml"
source 2 = "/lib/basis.sml"
fun leaf(n: i64) @1:3:5 { block entry { if n == 0 then out else more @1:4:3 } block more { call leaf(n - 1) -> out @1:5:3 } block out { return @1:6:3 } }
fun both(n: i64) @2:33:5 { block entry { par leaf(n), leaf(n + 1) -> out @2:34:9 } block out { return @2:34:30 } }
fun twice(n: i64) @2:40:5 { block entry { call both(n) -> out @2:41:9 } block out { return @2:41:30 } }
fun main() @1:20:5 {
  block entry { call both(1) -> next @1:21:7 }
  block next { call twice(10) -> out @1:22:7 }
  block out { return @1:23:7 }
}
"""

# Line 4 of main.sml writes through the null that getenv returns.
CRASH = """\
source 1 = "main.sml"
declare getenv(ptr) -> (ptr)
data unset = "TINE_NO_SUCH_VARIABLE"
fun poke(p: ptr) @1:1:1 {
  block entry { spork body || nothing() @1:2:3 }
  block body {
    store p, 1 @1:4:5
    spoin alone, done @1:5:5
  }
  block alone { call nothing() -> done @1:6:5 }
  block done { return @1:7:5 }
}
fun nothing() @1:8:1 { block entry { return @1:8:9 } }
fun main() @1:9:1 {
  block entry { call poke(getenv(&unset)) -> out @1:10:3 }
  block out { return @1:11:3 }
}
"""

FORMS = ("record", "stackmap")


def forks_of_fib(n: int) -> int:
    return 0 if n < 2 else 1 + forks_of_fib(n - 1) + forks_of_fib(n - 2)


def forks_of_loop(n: int) -> int:
    """An iteration is forked beside the rest, whose halves are forked, even if they are empty."""
    return 0 if n == 0 else 2 + forks_of_loop((n - 1) // 2) + forks_of_loop((n - 1) - (n - 1) // 2)


def built(d: Driver, name: str, text: str, *options: str) -> pathlib.Path:
    d.write(f"{name}.spork", text)
    app = d.at / ("-".join([name, *options]).replace("=", "") + ".app")
    d.expect(d.tine("ir", "build", f"{name}.spork", "-o", app, *options), 0)
    return app


def profile(d: Driver, app: pathlib.Path, workers: int, answer: str, *options: str) -> dict:
    out = d.at / "compiled.profile"
    run = d.tine("profile", "-q", "-o", out, *options, "--", app, env={"TINE_NUM_THREADS": workers})
    d.check((run.returncode, run.stdout) == (0, answer + "\n"), f"{app.name} is right when it is profiled on {workers}", run)
    return d.json("report", "--json", out)


def sites(report: dict) -> dict:
    return {(pathlib.Path(s["file"]).name, s["line"], s["function"]): s["count"] for s in report["sites"]}


def profiles(d: Driver) -> None:
    for form in FORMS:
        app = built(d, "fib", FIB, f"--promotion={form}")
        for workers in (1, 2, 8):
            report = profile(d, app, workers, "2584")
            d.check(report["forks"] == forks_of_fib(18), f"{form}: the forks on {workers}", report["forks"])
            d.check(sites(report) == {("fib.spork", 4, "fib"): forks_of_fib(18)}, f"{form}: the site on {workers}", report["sites"])
            work, span = report["roots"]["work_ns"], report["roots"]["span_ns"]["high"]
            d.check(0 < span < work, f"{form}: work and span on {workers}", (work, span))


def sources(d: Driver) -> None:
    answer = str(sum(i * pow(7, 50, 1009) % 1009 for i in range(100)))
    printed = d.tine("ir", "print", d.write("sources.spork", SOURCES))
    for form in FORMS:
        for name, text in (("sources", SOURCES), ("printed", printed.stdout)):
            app = built(d, name, text, f"--promotion={form}")
            report = profile(d, app, 2, answer, "--timeline")
            lines = {}
            for (file, line, _), count in sites(report).items():
                lines[file, line] = lines.get((file, line), 0) + count
            d.check(lines == {("main.sml", 21): forks_of_loop(100), ("basis.sml", 34): forks_of_loop(10)}, f"{form}: sites are in the sources of {name}", report["sites"])
    shown = d.tine("profile", "-o", "a.profile", "--caller=2", "--", app).stderr
    d.check("basis.sml:34" in shown and "← main" in shown.replace("(main.sml:", "← main(main.sml:"), "callers of a site are shown", shown)


def inlined(d: Driver) -> None:
    for form in FORMS:
        app = built(d, "inlined", INLINED, f"--promotion={form}")
        out = d.at / "inlined.profile"
        d.expect(d.tine("profile", "-q", "-o", out, "--", app), 0)
        shown = d.json("report", "--json", out)["sites"]
        chains = sorted([(s["function"], s["line"])] + [(c["function"], c["line"]) for c in s["callers"]][:2] for s in shown)
        d.check(chains == [[("both", 34), ("main", 21), ("main", 20)], [("both", 34), ("twice", 41), ("main", 22)]], f"{form}: inlined calls are callers", shown)
        skipped = d.json("report", "--json", "--skip", "basis.sml", out)
        d.check(set(sites(skipped)) == {("main.sml", 21, "main"), ("main.sml", 22, "main")}, f"{form}: a site of the basis is shown where it is called", skipped)


def debuggers(d: Driver) -> None:
    app = built(d, "lines", SOURCES, "--level=0")
    symbols = d.execute("nm", app).stdout
    begins = [int(begin, 16) for begin in re.findall(r"([0-9a-f]+) t spork\.", symbols)]
    d.check(len(begins) >= 3, "functions keep their symbols", symbols)
    addresses = [hex(begin + i) for begin in begins for i in range(0, 1024, 2)]
    found = d.execute("addr2line", "-e", app, *addresses).stdout.split("\n")
    places = {place.rsplit("/", 1)[-1].split(" ")[0] for place in found}
    d.check({"main.sml:4", "basis.sml:17", "basis.sml:18", "main.sml:21", "basis.sml:34"} <= places, "addr2line knows the lines", places)
    if EMULATED:
        print("skipped: gdb shows the line of a crash (the emulator has no ptrace)")
        return
    if not shutil.which("gdb"):
        return
    for form in FORMS:
        crash = built(d, "crash", CRASH, f"--promotion={form}")
        run = d.execute("gdb", "-batch", "-nx", "-iex", "set debuginfod enabled off", "-ex", "run", "-ex", "bt 3", crash,
                        env={"TINE_NUM_THREADS": 1})
        d.check("SIGSEGV" in run.stdout and "main.sml:4" in run.stdout, f"{form}: gdb shows the line of a crash", run.stdout + run.stderr)


def journals(d: Driver) -> None:
    for form in FORMS:
        app = built(d, "fib", FIB, f"--promotion={form}")
        for workers in ("1", "2", "8"):
            journal = d.at / f"{form}{workers}.journal"
            run = d.execute(app, env={"TINE_NUM_THREADS": workers, "TINE_RECORD": journal})
            d.check((run.returncode, run.stdout, run.stderr) == (0, "2584\n", ""), f"{form}: recorded on {workers}", run)
            d.expect(d.tine("schedule", "show", journal), 0)
            for how in ("strict", "unordered", "serial"):
                again = d.execute(app, env={"TINE_NUM_THREADS": workers, "TINE_REPLAY": f"{journal},{how},must_match"})
                d.check((again.returncode, again.stdout, again.stderr) == (0, "2584\n", ""), f"{form}: {how} replay on {workers}", again)


Driver.run(profiles, sources, inlined, debuggers, journals)
