#!/usr/bin/env python3
"""The commands of tine-gdb.py, in gdb's batch mode, on live processes and on core files of held_app.

usage: gdb_test.py APP SOURCE SCRIPT [--shared LIBRARY_FOLDER] [--seed N]

The expected call sites come from held_app's source text. With --shared only a few states are looked at: the app is linked with the
installed shared library, and gdb has to find the script by itself."""

import argparse
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import checks  # noqa: E402

TRACES = re.compile(r"Traceback \(most recent|Python Exception|Error occurred in Python")


def check(holds, what, detail=""):
    checks.check(what, holds, detail)


class Source:
    """The places of calls in the source of the app."""

    def __init__(self, path):
        self.name, self.lines = path.name, path.read_text().splitlines()

    def line(self, function, text):
        """The line of the first `text` at or behind the definition of a function."""
        start = next(i for i, l in enumerate(self.lines) if re.search(rf"\b{function}\(.*\) {{", l))
        return f"{self.name}:{start + 1 + next(i for i, l in enumerate(self.lines[start:]) if text in l)}"


class Gdb:
    def __init__(self, options, work):
        self.app, self.work = options.app, work
        self.source = ["-ex", f"source {options.script}"]
        self.environment = {**os.environ, "TINE_STACK_BYTES": str(256 << 10), "HOME": str(work)}
        if options.shared:
            self.environment["LD_LIBRARY_PATH"] = str(options.shared)
            self.source = []

    def run(self, *commands, state=None, core=None, first=(), environment={}, seconds=120):
        words = ["gdb", "-q", "-batch", "-nx", "-iex", "set pagination off", "-iex", "set width 0", "-iex", "set debuginfod enabled off", *first, *self.source]
        for c in commands:
            words += ["-ex", c]
        words += ["--args", str(self.app), state] if state else [str(self.app)] + ([str(core)] if core else [])
        started = time.monotonic()
        try:
            done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=seconds,
                                  env={**self.environment, **environment}, stdin=subprocess.DEVNULL, cwd=self.work)
        except subprocess.TimeoutExpired as e:
            check(False, f"gdb ends within {seconds} s", f"{words}\n{(e.stdout or b'')[-2000:]}")
            return ""
        check(not TRACES.search(done.stdout), f"{state or core}: no error of Python", f"{commands}\n{done.stdout[-4000:]}")
        self.took = time.monotonic() - started
        return done.stdout

    def held(self, state, *commands, **more):
        return self.run("break held", "run", *commands, state=state, **more)


def in_order(text, *pieces):
    at = 0
    for p in pieces:
        at = text.find(p, at)
        if at < 0:
            return False
        at += len(p)
    return True


def strands(text):
    """(number, kind, rest) of each line of `info tine strands`."""
    return [(int(n), kind, rest) for n, kind, rest in re.findall(r"^ *(\d+) (running|suspended|queued) +(.*)$", text, re.M)]


def stolen_chain(s):
    """Returns the pieces that a trace of the innermost strand in the states `stolen` and `joining` must have, with the lines of the three forks."""
    return ["held ()", "bottom () at", "third()::$_1", s.line("third", "bottom();").rsplit(":")[0],
            "lambda in (anonymous namespace)::third()", "third () at", s.line("third", "tine::par"),
            "second()", "lambda in (anonymous namespace)::second()", "second () at", s.line("second", "tine::par"),
            "lambda in (anonymous namespace)::first()", "first () at", s.line("first", "tine::par"), "root:"]


def coroutine_chain(s):
    return ["co_await in (anonymous namespace)::inner(int) at ", s.name, "co_await in (anonymous namespace)::outer(int) at ", s.name,
            "third_waits () at", s.line("third_waits", "tine::par"), "second_waits () at", s.line("second_waits", "tine::par"),
            "first_waits () at", s.line("first_waits", "tine::par"), "root:", "coroutine () at", "main () at"]


def live_states(g, s):
    for state in ("stolen", "joining"):
        out = g.held(state, "info tine workers", "info tine strands", "tine bt", "echo ----\\n", "bt")
        logical, native = out.split("----")
        check(in_order(logical, *stolen_chain(s), f"{state} () at", "main () at"), f"{state}: tine bt names all call sites", logical)
        check(in_order(native, "#0 ", "held", "bottom", "third", "[fork: lambda in (anonymous namespace)::third()", "third ()", s.line("third", "tine::par"),
                       "second ()", s.line("second", "tine::par"), "first ()", s.line("first", "tine::par"), "[root:", "main ()"),
              f"{state}: bt continues behind the base of the fiber", native)
        check(len(re.findall(r"runs strand \d+: ", logical)) >= 1 and "* worker" in logical, f"{state}: workers are listed", logical)
        listed = strands(logical)
        check([n for n, _, _ in listed] == list(range(1, len(listed) + 1)) and len(listed) == 4, f"{state}: four strands", logical)
        check("backtrace stopped" not in native.lower() and "corrupt" not in native, f"{state}: bt ends well", native)

    out = g.held("coroutine", "info tine strands", "python for i in range(1, 6): gdb.execute(f'tine bt {i}')")
    number = [n for n, kind, rest in strands(out) if "inner(int)" in rest and kind == "suspended"]
    check(len(number) == 1, "coroutine: the suspended coroutine is listed", out)
    check(in_order(out, f"strand {number[0] if number else 0}, suspended", *coroutine_chain(s)), "coroutine: its backtrace names all call sites", out)

    out = g.held("nested", "info tine workers", "info tine strands", "tine bt")
    check(in_order(out, "of pool 1", "of pool 2", "in_second_pool () at", s.line("in_second_pool", "tine::par"), "root:", "of pool 2",
                   "in_first_pool()", "in_first_pool () at", s.line("in_first_pool", "tine::par"), "root:", "of pool 1", "nested () at", "main () at"),
          "nested: the backtrace leads out of the inner pool and of the outer one", out)
    check("works for another pool; strand" in out, "nested: a worker that is away", out)

    # either worker may come to `held`: one has a subrange, the other the loop
    out = g.held("loop", "info tine strands", "python for i in (1, 2): gdb.execute(f'tine bt {i}')")
    check(in_order(out, "iterate()::$_0", "-- iterations 1 to 1 of a loop, lambda in (anonymous namespace)::iterate()", "iterate () at",
                   s.line("iterate", "tine::par_for"), "root:", "loop () at", "main () at"), "loop: the subrange and its loop", out)

    out = g.held("deep", "tine bt", "echo ----\\n", "bt -4")
    logical, native = out.split("----")
    check(in_order(logical, "held ()", "more frames)", "down () at", "deep()::$_0", "root:", "deep () at", "main () at"), "deep: the trace is cut and has its end",
          logical[-3000:])
    check(len(logical.splitlines()) < 500, "deep: the output is bounded", len(logical.splitlines()))
    check("main ()" in native, "deep: bt with a count", native)

    for commands in (["info tine workers"], ["info tine strands"], ["tine bt"]):
        check("no pool" in g.held("none", *commands), f"none: {commands} says that there is no pool")
        check("no pool" in g.run(*commands, state="none"), f"not started: {commands} says that there is no pool")
    check("no strand 77; there are 4" in g.held("stolen", "tine bt 77"), "the number of no strand")


def many(g, core):
    text = g.run("info tine strands", "tine bt 5000", core=core) if core else g.held("many", "info tine strands", "tine bt 5000")
    what = "many" + (" in a core file" if core else "")
    waiting = [n for n, kind, rest in strands(text) if kind == "suspended" and "one_of_many(int)" in rest and "outside of the pool" in rest]
    check(len(waiting) == 10_000, f"{what}: 10,000 suspended coroutines are listed", f"{len(waiting)}\n{text[-2000:]}")
    check(in_order(text, "strand 5000, suspended", "one_of_many(int)", "all_of_many(int)", "root:", "main () at"), f"{what}: the backtrace of one of them", text[-3000:])


def select(g, s):
    """`tine strand N`: native frames of a suspended strand, with its locals."""
    # the numbers differ between processes, so the command is composed in gdb
    script = ("python import re; t = gdb.execute('info tine strands', to_string=True); "
              "n = re.search(r'^ *(\\d+) suspended +lambda in .*third_waits', t, re.M).group(1); gdb.execute(f'tine strand {n}'); "
              "gdb.execute('bt -no-filters'); gdb.execute('frame'); gdb.execute('tine strand off'); gdb.execute('bt')")
    out = g.held("coroutine", script)
    check(in_order(out, "its frames are those from", "#1 ", "switch_context", "third_waits()::$_0", "make_fcontext", "#1 ", "switch_context", "the thread again",
                   "#0 ", "held"), "select: the frames of the strand", out)


def core_files(g, s, work):
    for state, strand, chain in (("stolen", "", stolen_chain(s)[1:]), ("coroutine", "5", coroutine_chain(s))):
        core = work / f"{state}.gcore"
        g.held(state, f"generate-core-file {core}")
        check(core.exists(), f"{state}: gdb wrote a core file")
        out = g.run("info tine workers", "info tine strands", "python [gdb.execute(f'tine bt {i}') for i in range(1, 5)]", f"tine bt {strand}", "bt", core=core)
        check(in_order(out, *chain), f"{state}: the backtrace in a core file of gdb", out)
        check(state == "coroutine" or in_order(out, "[fork: lambda in (anonymous namespace)::third()", "third ()", "first ()", "main ()"), "stolen: bt in a core file", out)
        core.unlink(missing_ok=True)
    pattern = pathlib.Path("/proc/sys/kernel/core_pattern").read_text().strip()
    soft, hard = resource.getrlimit(resource.RLIMIT_CORE)
    if pattern.startswith("|") or "/" in pattern or hard == 0:
        print(f"the system writes no core files here (core_pattern {pattern}, limit {hard}): those of gdb alone are tested")
        return
    for state in ("stolen", "many"):
        subprocess.run([str(g.app), state, "abort"], cwd=work, env=g.environment, stderr=subprocess.DEVNULL, timeout=60,
                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (hard, hard)))
        core = next(work.glob("core*"), None)
        check(core is not None, f"{state}: the system wrote a core file", pattern)
        if core is None:
            continue
        if state == "many":
            many(g, core)
        else:
            out = g.run("tine bt", core=core)
            check(in_order(out, "abort ()", *stolen_chain(s), "stolen () at", "main () at"), "stolen: the backtrace in a core file of the system", out)
        core.unlink()


STORM = r"""
import random, re, subprocess
rng = random.Random(SEED)
gdb.execute("set pagination off")
gdb.execute("handle SIGINT stop nopass")
gdb.execute("break main")
gdb.execute("run")
pid = gdb.selected_inferior().pid
counts = {"stops": 0, "strands": 0, "damaged": 0}
for i in range(COUNT):
    delay = rng.uniform(0.002, 0.03)
    timer = subprocess.Popen(["sh", "-c", f"sleep {delay}; kill -INT {pid}"])  # a thread of gdb's Python does not run during `continue`
    gdb.execute("continue", to_string=True)
    timer.wait()
    counts["stops"] += 1
    threads = gdb.selected_inferior().threads()
    for t in rng.sample(list(threads), min(2, len(threads))):
        t.switch()
        for command in ("info tine workers", "info tine strands", "tine bt", "bt 40"):
            try:
                text = gdb.execute(command, to_string=True)
                if "damaged" in text: counts["damaged"] += 1
                if command == "info tine strands":
                    listed = len(re.findall(r"^ *\d+ (?:running|suspended|queued) ", text, re.M))
                    counts["strands"] += listed
                    for n in range(1, min(listed, 3) + 1):
                        gdb.execute(f"tine bt {n}", to_string=True)
            except gdb.error as e:
                if "runs no strand" not in str(e): print("unexpected:", command, e)
print("storm:", counts)
gdb.execute("kill")
"""


def storm(g, seed, count):
    path = g.work / "storm.py"
    path.write_text(STORM.replace("SEED", str(seed)).replace("COUNT", str(count)))
    out = g.run(f"source {path}", state="storm")
    found = re.search(r"storm: \{'stops': (\d+), 'strands': (\d+), 'damaged': (\d+)", out)
    check(found and int(found[1]) == count and int(found[2]) >= count, f"storm: {count} interrupts (seed {seed})", out[-3000:])
    check("unexpected" not in out, f"storm: no unexpected error (seed {seed})", out[-3000:])
    print(found[0] if found else "no storm")


DAMAGE = r"""
gdb.execute("set python print-stack full")
import random
rng = random.Random(SEED)
gdb.execute("set pagination off")
gdb.execute("break held")
gdb.execute("run")
inferior = gdb.selected_inferior()
def word(at): return int.from_bytes(bytes(inferior.read_memory(at, 8)), "little")
head = int(gdb.parse_and_eval("&tine_debugger"))
table, names = word(head + 16), {}
for i in range(200):
    raw = bytes(inferior.read_memory(table + 48 * i, 48))
    name = raw[:40].split(b"\0")[0].decode()
    if not name: break
    names[name] = int.from_bytes(raw[40:], "little")
pools = word(head + 40)
pool = word(word(pools + names["pool_list.all"]))
workers = [word(word(pool + names["pool_state.table_"]) + 8 * i) for i in range(2)]
entry = word(word(head + 32))
fibers = []
while entry:
    fibers.append((entry, word(entry + names["guard_pages::entry.of"])))
    entry = word(entry + names["guard_pages::entry.next"])
targets = [head + 16, head + 24, head + 32, head + 40, pools + names["pool_list.all"], pools + names["pool_list.all"] + 8]
targets += [pool + names[n] for n in names if n.startswith("pool_state.")]
targets += [w + names[n] for w in workers for n in names if n.startswith("worker.")]
targets += [e + names[n] for e, _ in fibers for n in names if n.startswith("guard_pages::entry.")]
targets += [f + names[n] for _, f in fibers for n in names if n.startswith("fiber.")]
targets += [word(f + names["fiber.records_"]) + 8 * i for _, f in fibers for i in range(6)]
targets += [word(f + names["fiber.point"]) + 8 * i for _, f in fibers for i in range(8)]
for round in range(COUNT):
    kept = {}
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.choice(targets)
        try:
            old = bytes(inferior.read_memory(at, 8))
        except gdb.MemoryError:
            continue
        kept.setdefault(at, old)
        value = rng.choice((0, 1, 7, rng.getrandbits(64), rng.getrandbits(47), at, rng.choice(targets), word(head + 32), int.from_bytes(old, "little") ^ 8))
        inferior.write_memory(at, value.to_bytes(8, "little"))
    for command in ("info tine workers", "info tine strands", "tine bt", "tine bt 1", "tine bt 2", "bt 30"):
        try:
            gdb.execute(command, to_string=True)
        except gdb.error as e:
            if "Error occurred in Python" in str(e): print("unexpected:", round, command, e, {hex(a) for a in kept})
    for at, old in kept.items(): inferior.write_memory(at, old)
print("damaged", COUNT, "times,", gdb.execute("info tine strands", to_string=True).splitlines()[-1])
gdb.execute("kill")
"""


def damage(g, seed, count):
    path = g.work / "damage.py"
    path.write_text(DAMAGE.replace("SEED", str(seed)).replace("COUNT", str(count)))
    out = g.run(f"source {path}", state="joining")
    check(f"damaged {count} times," in out, f"damage: {count} times (seed {seed})", out[-3000:])
    check("unexpected" not in out, f"damage: messages, no errors of Python (seed {seed})", out[-3000:])


def found_by_gdb(g, options):
    """gdb finds the script in the program, once its owner trusts it; without that it says which line to write."""
    g.source = []
    out = g.held("stolen", "info tine workers", "tine bt", first=["-iex", f"add-auto-load-safe-path {g.app}"])
    check("runs strand" in out and "root:" in out, "gdb loads the script from the program", out)
    out = g.held("stolen", "info tine workers")
    check("add-auto-load-safe-path" in out and "runs strand" not in out, "gdb refuses a program that is not trusted", out)


def shared(g, s, options):
    """An installed shared library: the script has the name under which gdb looks for it, beside the library or in its own folder."""
    library = (options.shared / "libtine.so").resolve()
    script = next(options.shared.parents[1].glob(f"**/gdb/auto-load/**/{library.name}-gdb.py"), None)
    check(script is not None, "the script is installed under the name of the library", options.shared)
    if script is None:
        return
    beside = library.parent / script.name
    shutil.copy(script, beside)
    try:
        g.source = []
        out = g.held("stolen", "info tine workers", "info tine strands", "tine bt", "bt", first=["-iex", f"add-auto-load-safe-path {beside}"])
        check(in_order(out, "runs strand", *stolen_chain(s), "stolen () at", "main () at"), "shared: tine bt names all call sites", out)
        check(in_order(out, "[fork: lambda in", "third ()", "[root:", "main ()"), "shared: bt", out)
    finally:
        beside.unlink()


def main():
    p = argparse.ArgumentParser()
    for name in ("app", "source", "script"):
        p.add_argument(name, type=lambda path: pathlib.Path(path).resolve())
    p.add_argument("--shared", type=lambda path: pathlib.Path(path).resolve())
    p.add_argument("--seed", type=int, default=int(time.time()))
    options = p.parse_args()
    if shutil.which("gdb") is None:
        print("no gdb: skipped")
        return 77
    print(f"seed {options.seed}")
    s = Source(options.source)
    with tempfile.TemporaryDirectory(prefix="tine-gdb-") as folder:
        work = pathlib.Path(folder)
        g = Gdb(options, work)
        if "no process" in g.held("stolen", "info inferiors") or "ptrace" in g.held("stolen", "bt"):
            print("gdb may not trace processes here: skipped")
            return 77
        if options.shared:
            shared(g, s, options)
        else:
            parts = {"live": lambda: live_states(g, s), "select": lambda: select(g, s), "many": lambda: many(g, None), "cores": lambda: core_files(g, s, work),
                     "storm": lambda: storm(g, options.seed, 50), "damage": lambda: damage(g, options.seed, 60),
                     "found": lambda: found_by_gdb(g, options)}
            for name, part in parts.items():
                started = time.monotonic()
                part()
                print(f"{name}: {time.monotonic() - started:.1f} s")
    checks.end()


sys.exit(main())
