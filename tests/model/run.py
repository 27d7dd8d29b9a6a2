#!/usr/bin/env python3
"""Explores tine's protocols under weak memory: the product's own code under Relacy.

    run.py --suite SUITE    one suite, with fixed seeds; every suite is a test of ctest (CMakeLists.txt)
    run.py --build PART    a program of suites, or the prelude; --list prints the programs and their suites
    run.py --weaken     weakens every memory order alone and expects some model to fail, or a reason in reasons.md; --only
                        selects some orders; parts of a run add up while no program changes, see the last lines
    run.py --show SUITE SCHEDULE    one schedule of a Relacy suite; prints the counterexample if it fails

README.md says what the models cover and how to read their output. run.py builds everything under build/model.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

from relacy import Failure, corrected_relacy

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
REASONS = HERE / "reasons.md"
REDS = HERE / "reds.txt"
OPENMP = "compat/openmp/src"

# program -> libraries, and its suites with the number of schedules of a short run
PROGRAMS = {
    "protocols_model": ([], {
        "deque_race": 200_000, "deque_last": 200_000, "deque_growth": 100_000, "deque_reuse": 200_000, "join": 50_000,
        "shared_paths": 20_000, "lending": 50_000, "group_ends": 50_000, "group_begins": 50_000,
        "group_interrupted": 50_000, "ring_overtaken": 50_000,
    }),
    "sync_model": ([], {
        "three_lock": 20_000, "two_lock_often": 20_000, "one_tries": 20_000, "mutex_ends": 20_000, "readers_and_writers": 20_000,
        "writers_and_reader": 20_000, "holders_change": 20_000, "shared_mutex_ends": 20_000, "once": 20_000, "one_by_one": 20_000, "all_at_once": 20_000,
        "two_notify": 20_000, "permit_or_time": 20_000, "two_permits": 20_000, "semaphore_ends": 10_000, "notified_or_time": 20_000,
        "writer_gives_up": 20_000, "holders_give_up": 20_000, "latch_ends": 20_000, "latch_lets_all_in": 10_000, "three_meet": 20_000,
    }),
    "openmp_model": ([], {
        "strand_sleeps": 50_000, "thread_sleeps": 50_000, "strand_and_thread_sleep": 50_000, "two_wakers": 50_000, "takes_turns": 20_000,
        "strands_meet": 20_000, "threads_meet": 20_000, "threads_meet_with_task": 20_000, "meeting_is_cancelled": 20_000, "members_end": 50_000,
        "borrows_at_barrier": 50_000, "borrowers_compete": 50_000, "child_borrows": 50_000,
        "strands_lock": 50_000, "threads_lock": 50_000, "strand_and_thread_lock": 50_000, "two_locks": 50_000, "lock_ends": 50_000,
        "shares_chunks": 20_000, "ordered_chunks": 20_000, "iterations_wait": 20_000,
    }),
    "scheduler_model": (["-lboost_context"], {
        "tree": 40_000, "eager_tree": 20_000, "parked": 20_000, "starvation": 60_000, "short_of_tokens": 30_000, "short_and_long": 40_000,
        "unserved_requests": 20_000, "external_threads": 60_000, "rivals": 60_000, "deserted": 40_000, "busy_origin": 40_000, "same_thread": 40_000,
        "aside_same_thread": 40_000, "late_caller": 30_000, "absence": 40_000,
        "observed_forks": 30_000, "observed_eagerly": 20_000, "counted_forks": 30_000, "counted_eagerly": 20_000,
        "own_roots": 20_000, "stands_aside": 20_000, "only_waits": 20_000,
    }),
    "outside_model": (["-lboost_context"], {
        "pinned": 20_000, "shared": 20_000, "both_lists": 20_000, "caller_departs": 20_000, "among_workers": 20_000,
        "pool_ends": 20_000, "event": 20_000, "event_of_worker": 20_000, "alerted": 20_000, "two_alerts": 20_000, "alert_and_caller": 30_000,
        "unwanted": 20_000, "waits_for_roots": 20_000, "stops_root": 30_000,
    }),
    "score_model": (["-lboost_context"], {
        "there_and_back": 20_000, "crosswise": 20_000, "turns": 20_000, "turned": 20_000, "out_of_turn": 20_000,
        "absent_strand": 20_000, "program_owners": 20_000,
    }),
    "join_model": (["-lboost_context"], {
        "one_steal": 40_000, "two_steals": 30_000, "frames_end": 30_000, "asked_for": 60_000, "deep_calls": 40_000,
        "two_throw": 30_000, "leaves_forks_open": 30_000, "waits_in_code": 30_000,
        "waits_outside": 30_000, "moves": 30_000,
    }),
}

# the files whose orders are weakened -> the programs that explore the weakened orders
WEAKENED = {
    "include/tine/detail/algo/lending_set.hpp": ["protocols_model"],
    "include/tine/augment/labels/shared_path.hpp": ["protocols_model"],
    "include/tine/detail/sync/permits.hpp": ["sync_model"],
    "include/tine/sync/barrier.hpp": ["sync_model"],
    "include/tine/sync/latch.hpp": ["sync_model"],
    "include/tine/sync/mutex.hpp": ["sync_model"],
    "include/tine/sync/once_flag.hpp": ["sync_model"],
    "include/tine/sync/shared_mutex.hpp": ["sync_model"],
    "src/sync/barrier.cpp": ["sync_model"],
    "src/sync/mutex.cpp": ["sync_model"],
    "src/sync/once_flag.cpp": ["sync_model"],
    "src/sync/shared_mutex.cpp": ["sync_model"],
    "src/sync/wait_queue.cpp": ["sync_model"],
    "compat/openmp/src/eventcount.hpp": ["openmp_model"],
    "compat/openmp/src/locks.hpp": ["openmp_model"],
    "compat/openmp/src/team_barrier.hpp": ["openmp_model"],
    "compat/openmp/src/thread_numbers.hpp": ["openmp_model"],
    "compat/openmp/src/workshare.cpp": ["openmp_model"],
    "src/managed/open_tasks.hpp": ["protocols_model"],
    "src/sched/deque.hpp": ["protocols_model"],
    "src/sched/event_ring.hpp": ["protocols_model"],
    "include/tine/detail/sched/task.hpp": ["protocols_model"],
    "include/tine/detail/sched/shadow_stack.hpp": ["scheduler_model", "outside_model"],
    "src/sched/alert.cpp": ["outside_model"],
    "src/sched/callers.cpp": ["scheduler_model"],
    "src/sched/demand.hpp": ["scheduler_model", "outside_model"],
    "src/sched/inbox.hpp": ["outside_model"],
    "src/sched/submit.cpp": ["outside_model"],
    "src/sched/submitted_root.cpp": ["outside_model"],
    "src/sched/external_wait.cpp": ["outside_model"],
    "src/sched/event_source.cpp": ["outside_model"],
    "include/tine/detail/sched/end_listeners.hpp": ["outside_model"],
    "src/sched/parker.hpp": ["scheduler_model", "outside_model"],
    "src/sched/hazard.hpp": ["scheduler_model", "outside_model"],
    "src/sched/pool.cpp": ["scheduler_model", "outside_model"],
    "src/sched/pool_state.hpp": ["scheduler_model", "outside_model"],
    "src/sched/promote.cpp": ["scheduler_model", "outside_model"],
    "src/sched/join.cpp": ["scheduler_model"],
    "src/sched/sleep.cpp": ["scheduler_model", "outside_model"],
    "src/sched/steal.cpp": ["scheduler_model", "outside_model"],
    "src/sched/stop.cpp": ["outside_model"],
    "src/sched/observer.cpp": ["scheduler_model"],
    "src/sched/worker.cpp": ["scheduler_model", "outside_model"],
    "src/sched/join_counter.cpp": ["score_model"],
    "src/sched/join_counter.hpp": ["score_model"],
    "src/replay/start_queues.cpp": ["score_model"],
    "src/replay/start_queues.hpp": ["score_model"],
    "include/tine/detail/coro/frame.hpp": ["join_model"],
    "src/coro/join.cpp": ["join_model"],
    "src/coro/driver.cpp": ["join_model"],
}

# files that the models mirror instead of compiling -> the file with the mirror
MIRRORS = {"src/sched/pool.cpp": "tests/model/pool_suite.hpp"}

# places whose weakening only rare schedules show -> suites and numbers of schedules to explore beyond the usual ones
RARE = {"promote.cpp:wake_if_deserted": {"deserted": 1_000_000}, "sleep.cpp:sleep:awake.fetch_sub": {"deserted": 1_000_000}}

CXX = os.environ.get("CXX", "g++-12")
COMPILERS = {"join_model": "clang++-19"}  # g++ 12 wants to copy awaiters
# The compiler's cache, with the settings of CMakePresets.json.
CACHE = ["env", "CCACHE_DEPEND=1", "CCACHE_NOHASHDIR=1", "CCACHE_SLOPPINESS=pch_defines,time_macros", "ccache"] if shutil.which("ccache") else []
FLAGS = ("-std=c++20 -O1 -g0 -w -DTINE_MODEL -fno-access-control -fno-sized-deallocation -U_FORTIFY_SOURCE").split()


# ------------------------------------------------------------------------------------------------------------------
# Building.

def run(command, **options):
    return subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **options)


def must(command, what, **options):
    done = run(command, **options)
    if done.returncode != 0:
        raise Failure(f"{what} failed:\n{done.stdout[-6000:]}")
    return done.stdout


def includes(build, overlay=None):
    product = ["include", "src", OPENMP]
    first = [overlay / d for d in [*product, "tests"]] if overlay else []
    dirs = first + [HERE / "stand_in", HERE.parent, *(ROOT / d for d in product), build / "relacy"]
    return [f"-I{d}" for d in dirs]


def prepare(build):
    """Makes the parts that all programs share: the corrected Relacy and the compiled prelude."""
    build.mkdir(parents=True, exist_ok=True)
    corrected_relacy(build)
    shutil.copy(HERE / "exploration.hpp", build / "exploration.hpp")
    must([*CACHE, CXX, *FLAGS, *includes(build), "-MD", "-x", "c++-header", "-c", build / "exploration.hpp", "-o",
          build / "exploration.hpp.gch"], "compiling the prelude")


def compile_program(build, program, output, overlay=None):
    libraries, _ = PROGRAMS[program]
    compiler = COMPILERS.get(program, CXX)
    prelude = (build if compiler == CXX else HERE) / "exploration.hpp"  # the one in `build` is compiled, with CXX
    # ccache needs -MD, and g++'s -fpch-preprocess for a compiled prelude.
    done = run([*CACHE, compiler, *FLAGS, *(["-fpch-preprocess"] if compiler == CXX else []), "-MD", "-include", prelude,
                *includes(build, overlay), "-c", HERE / f"{program}.cpp", "-o", f"{output}.o"])
    return run([compiler, f"{output}.o", "-o", output, *libraries]) if done.returncode == 0 else done


LATE = 124


def explore(binary, suite, count, first=1, patience=900, **options):
    try:
        return run([binary, suite, count, first], timeout=patience, **options)
    except subprocess.TimeoutExpired as late:
        return subprocess.CompletedProcess(late.cmd, LATE, stdout=f"{suite}: no end after {patience} s")


# ------------------------------------------------------------------------------------------------------------------
# Exploring.

class Tally:
    def __init__(self):
        self.passed = self.failed = 0

    def note(self, good, line):
        self.passed += good
        self.failed += not good
        print(line, flush=True)

    def end(self):
        print(f"\n{self.passed} passed, {self.failed} failed")
        return 0 if self.failed == 0 else 1


def suites_of():
    """Returns the suites of each program."""
    return {program: list(suites) for program, (_, suites) in PROGRAMS.items()}


def build_part(build, part):
    """Builds the prelude, which the programs need, or a program."""
    if part == "prelude":
        prepare(build)
    else:
        done = compile_program(build, part, build / part)
        if done.returncode != 0:
            raise Failure(f"{part} does not compile\n{done.stdout[-6000:]}")


def program_of(suite):
    return next((program for program, (_, suites) in PROGRAMS.items() if suite in suites), None)


def explore_suite(build, name, scale):
    """Prints whether the suite held; keeps a counterexample."""
    began, program = time.monotonic(), program_of(name)
    count = PROGRAMS[program][1][name] * scale
    found = explore(build / program, name, count, patience=900 * scale)
    if found.returncode == 0:
        print(f"{name}: held in {count} schedules from 1 on, {time.monotonic() - began:.1f} s")
        return 0
    where = build / f"{name}.counterexample"
    where.write_text(found.stdout)
    print(*found.stdout.splitlines()[:4], f"the whole counterexample: {where}", sep="\n")
    return 1


def show(build, suite, schedule):
    program = program_of(suite)
    if program is None:
        raise Failure(f"no suite {suite}")
    prepare(build)
    build_part(build, program)
    found = explore(build / program, suite, 1, schedule)
    print(found.stdout)
    return found.returncode


# ------------------------------------------------------------------------------------------------------------------
# Weakening. The name of a place is made of its file, function and operation, never of its line.

ORDER = re.compile(r"\b(?:base::|std::memory_order_)(acquire|release|acq_rel|seq_cst)\b")
OPERATION = re.compile(r"([\w.>-]*?)(?:\.|->|\b|\batomic_thread_)(load|store|exchange|fetch_add|fetch_sub|fetch_or|compare_exchange_strong|compare_exchange_weak|wait|fence)"
                       r"\s*\(")
CONTROL = {"if", "for", "while", "switch", "else", "do", "namespace", "struct", "class", "enum", "union", "return",
           "catch", "try", "extern"}


def without_comments(text):
    """Returns the text with blanks in place of comments and strings. Every position stays the same."""
    def blank(m):
        return re.sub(r"[^\n]", " ", m[0])
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)


def functions_at(code):
    """Returns the innermost function's name for each position. A brace opens a block if a space or `)` precedes it."""
    names, stack, header = [""] * (len(code) + 1), [], 0
    for i, c in enumerate(code):
        if c == "{":
            block = i == 0 or code[i - 1] in " \n)"
            stack.append((block, function_name(code[header:i]) if block else None, header))
            if block:
                header = i + 1
        elif c == "}" and stack:
            block, _, before = stack.pop()
            header = i + 1 if block else before
        elif c == ";" and all(b for b, _, _ in stack):
            header = i + 1
        names[i] = next((n for _, n, _ in reversed(stack) if n), "")
    return names


def function_name(header):
    header = re.sub(r"^\s*(public|private|protected):", "", header.strip())
    header = re.sub(r"template\s*<[^>]*>", "", header)
    m = re.search(r"(~?\w+)\s*\(", header)
    if m is None or m[1] in CONTROL or header.split(maxsplit=1)[0] in CONTROL - {"return"}:
        return None
    return m[1]


def weaker(operation, order):
    """Returns the orders that replace this one. None stands for the removal of a fence."""
    if operation == "fence":
        return ["acquire", None] if order == "seq_cst" else [None]
    if order == "seq_cst":
        return {"load": ["acquire"], "store": ["release"]}.get(operation, ["acq_rel"])
    return {"acquire": ["relaxed"], "release": ["relaxed"], "acq_rel": ["acquire", "release"]}[order]


def element(code, end):
    """Returns the array before an index that ends at `end`: `awake` for `awake[x].load`."""
    m = re.search(r"([\w.]+)\[[^\[\]]*\]$", code[:end])
    return m[1] if m else ""


class Mutant:
    """One weakened order: number `site` of all orders, in the file `path`."""

    def __init__(self, path, key, site, to):
        self.path, self.key, self.site, self.to = path, key, site, to


def product_text(path):
    return (ROOT / MIRRORS.get(path, path)).read_text()


def sites_of(path, text):
    """Yields every order above relaxed: its place, its operation, the order, and its begin and end in the text."""
    code = without_comments(text)
    functions, seen = functions_at(code), {}
    for m in ORDER.finditer(code):
        # The first is for ThreadSanitizer's builds only, and the second for the compiler.
        if code[: m.start()].endswith(("TINE_TSAN ? ", "atomic_signal_fence(")):
            continue
        calls = [c for c in OPERATION.finditer(code, max(0, m.start() - 160), m.start())]
        if not calls:
            raise Failure(f"{path}: an order without an operation near {code[m.start() - 60:m.end()]!r}")
        call = calls[-1]
        operation = call[2]
        receiver = re.sub(r"^.*[.>]", "", re.sub(r"\[[^\]]*\]?", "", call[1] or element(code, call.start())))
        what = f"{receiver}.{operation}" if receiver else operation
        if operation.startswith("compare_exchange"):
            what += " failure" if re.search("base::|std::memory_order", code[call.end():m.start()]) else " success"
        place = f"{pathlib.PurePath(path).name}:{functions[m.start()]}:{what}"
        seen[place] = seen.get(place, 0) + 1
        if seen[place] > 1:
            place += f" #{seen[place]}"
        yield place, operation, m[1], m.start(), m.end()


class Weakenable:
    """A copy of the product in which each order calls `asked_order`: one build of a program serves all mutants."""

    def __init__(self, build):
        self.overlay = build / "weakenable"
        self.mutants = []
        shutil.rmtree(self.overlay, ignore_errors=True)
        shutil.copytree(ROOT / OPENMP, self.overlay / OPENMP)  # its files include each other by their names alone
        sites = 0
        for path in WEAKENED:
            text, asking, done = product_text(path), "", 0
            if path in MIRRORS:
                here = sorted(s[:3] for s in sites_of(path, text))
                if here != sorted(s[:3] for s in sites_of(path, (ROOT / path).read_text())):
                    raise Failure(f"the orders in {path} are not those in {MIRRORS[path]}, which mirrors it")
            for place, operation, order, begin, end in sites_of(path, text):
                asking += text[done:begin] + f"tine::model::asked_order({sites}, {text[begin:end]})"
                done = end
                for to in weaker(operation, order):
                    self.mutants.append(Mutant(path, f"{place}: {order} -> {to or 'nothing'}", sites, to or "relaxed"))
                sites += 1
            target = self.overlay / MIRRORS.get(path, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(asking + text[done:])
        if len({m.key for m in self.mutants}) != len(self.mutants):
            raise Failure("two places have one name")

    def binary(self, program):
        return self.overlay / program

    def compile(self, build, program):
        done = compile_program(build, program, self.binary(program), self.overlay)
        if done.returncode != 0:
            raise Failure(f"{program}, with orders to be weakened, does not compile:\n{done.stdout[-3000:]}")


def orders_outside_functions():
    """Yields the weakened orders in files of the product that no model explores."""
    for path in sorted([*ROOT.glob("include/**/*.hpp"), *ROOT.glob("src/**/*.?pp"), *ROOT.glob(f"{OPENMP}/*.?pp")]):
        name = str(path.relative_to(ROOT))
        # The second file does the operations of the program that it checks, with the strongest order.
        if name in WEAKENED or name in ("include/tine/detail/base/atomic.hpp", "src/race/atomic_operations.cpp"):
            continue
        for place, operation, order, _, _ in sites_of(name, path.read_text()):
            for to in weaker(operation, order):
                yield f"{place}: {order} -> {to or 'nothing'}"


def written_reasons():
    """Reads reasons.md: rows of a table, | `place: order -> weaker` | reason |"""
    rows = re.findall(r"^\|\s*`([^`]+)`\s*\|\s*(.+?)\s*\|\s*$", REASONS.read_text(), re.M)
    return dict(rows)


def remembered_reds():
    """Reads reds.txt: the schedule that failed last for a weakened order, if few fail: place | suite | schedule"""
    rows = [line.split(" | ") for line in REDS.read_text().splitlines() if " | " in line] if REDS.exists() else []
    return {place: (suite, int(schedule)) for place, suite, schedule in rows}


def remember(reds):
    """Keeps the schedules that the first part of a search does not come to."""
    reds = {place: by for place, by in reds.items() if by[1] > 1000}
    REDS.write_text("".join(f"{place} | {suite} | {schedule}\n" for place, (suite, schedule) in sorted(reds.items())))


class Answer:
    """The answer of Relacy to a weakened order."""

    def __init__(self, red=None, by=None, late=None):
        self.red, self.by, self.late = red, by, late


def ask_relacy(ready, mutant, scale, shares, last):
    """Returns the suite and the schedule that fail; no red if all hold. Tries first the schedule that failed last, then
    count / share of the usual schedules for each of `shares`, because most orders fail at once."""
    programs = WEAKENED[mutant.path]
    suites = {suite: (program, count) for program in programs for suite, count in PROGRAMS[program][1].items()}
    asked = {**os.environ, "TINE_MODEL_WEAKEN": f"{mutant.site} {mutant.to}"}
    rounds = [(suite, count * scale // share, 1) for share in shares for suite, (_, count) in suites.items()]
    rounds += [(suite, count * scale, 1) for place, more in RARE.items() if mutant.key.startswith(place)
               for suite, count in more.items()]
    if last and last[0] in suites:
        rounds.insert(0, (last[0], 1, last[1]))
    for suite, count, first in rounds:
        found = explore(ready.binary(suites[suite][0]), suite, count, first, patience=3600, env=asked)
        if found.returncode == LATE:
            return Answer(late=found.stdout)
        if found.returncode != 0:
            m = re.search(r"FAILED in schedule (\d+)\n(.*)", found.stdout)
            if m is None:
                return Answer(f"{suite}: died", (suite, first))
            return Answer(f"{suite}, schedule {m[1]}: {m[2].lower()}", (suite, int(m[1])))
    return Answer()


def judge(reasons, key, red, late=None):
    """Returns the verdict (red, green or wrong) and the text to print."""
    reason = reasons.get(key)
    if late:
        return "wrong", f"LATE   {key}\n         {late}"
    if red and reason:
        return "wrong", f"RED    {key}\n         {red}\n         but reasons.md says why it is green: take that out"
    if red:
        return "red", f"red    {key}\n         {red}"
    if reason:
        return "green", f"green  {key}\n         {reason}"
    return "wrong", f"GREEN  {key}\n         no model fails, and reasons.md does not say why"


class Ledger:
    """The answers of exactly these programs, from this run and from earlier parts of it."""

    def __init__(self, build, scale):
        self.path, self.scale, self.stamps = build / "weakened.json", scale, {}
        self.answers = json.loads(self.path.read_text()) if self.path.exists() else {}

    def stamp(self, programs):
        for p in programs:
            self.stamps[p] = self.stamps.get(p) or hashlib.sha256(p.read_bytes()).hexdigest()
        return [self.scale, *(self.stamps[p] for p in programs)]

    def knows(self, key, programs):
        return key in self.answers and self.answers[key]["stamp"] == self.stamp(programs)

    def note(self, key, programs, **answer):
        self.answers[key] = {**answer, "stamp": self.stamp(programs)}
        self.path.write_text(json.dumps(self.answers, indent=1))


def weaken_all(build, scale, jobs, only):
    prepare(build)
    tally, reasons, reds = Tally(), written_reasons(), remembered_reds()
    ready, ledger = Weakenable(build), Ledger(build, scale)
    mutants = {m.key: m for m in ready.mutants}
    keys = [*mutants, *sorted(set(orders_outside_functions()))]

    def programs(key):
        return [ready.binary(p) for p in WEAKENED[mutants[key].path]] if key in mutants else []

    def ask(key):
        began = time.monotonic()
        shares = [1] if key in reasons else [20, 1]
        found = ask_relacy(ready, mutants[key], scale, shares, reds.get(key)) if key in mutants else Answer()
        return found, time.monotonic() - began

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(lambda program: ready.compile(build, program), PROGRAMS))
        fresh = [key for key in keys if only in key and not ledger.knows(key, programs(key))]
        # orders with a reason hold, so they are slow; they come first, so that the run does not end with one slow order
        fresh.sort(key=lambda key: key not in reasons)
        answers = {pool.submit(ask, key): key for key in fresh}
        for answer in concurrent.futures.as_completed(answers):
            key, (found, took) = answers[answer], answer.result()
            if found.late is None:
                ledger.note(key, programs(key), red=found.red, seconds=round(took, 1))
            if found.by and reds.get(key) != found.by:
                reds[key] = found.by
                remember(reds)
            verdict, text = judge(reasons, key, found.red, found.late)
            tally.note(verdict != "wrong", text)
    for key in reasons:
        if key not in keys:
            tally.note(False, f"STALE  {key}\n         reasons.md has a reason for an order that is not there")
    if gone := [key for key in reds if key not in mutants]:
        remember({key: by for key, by in reds.items() if key not in gone})
    known = {key: ledger.answers[key] for key in keys if ledger.knows(key, programs(key))}
    return sum_up(tally, reasons, known, len(keys))


def sum_up(tally, reasons, known, there_are):
    """Prints the sum of all known answers of these programs, from this run and from earlier parts of it."""
    verdicts = [judge(reasons, key, answer["red"]) for key, answer in known.items()]
    count = {v: sum(w == v for w, _ in verdicts) for v in ("red", "green", "wrong")}
    for text in [text for verdict, text in verdicts if verdict == "wrong"]:
        print(text)
    print(f"\n{there_are} weakened orders, {len(known)} asked about: {count['red']} red, {count['green']} green with a "
          f"reason, {count['wrong']} wrong; {sum(a['seconds'] for a in known.values()) / 60:.0f} minutes in all")
    return max(tally.end(), 1 if count["wrong"] else 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="print the parts with their suites, one part a line")
    parser.add_argument("--build", choices=["prelude", *suites_of()], metavar="PART", help="the prelude, or a program")
    parser.add_argument("--suite", choices=sum(suites_of().values(), []), metavar="SUITE")
    parser.add_argument("--weaken", action="store_true")
    parser.add_argument("--scale", type=int, default=int(os.environ.get("TINE_MODEL_SCALE", "1")),
                        help="schedules, as a multiple of the short run's (default: TINE_MODEL_SCALE, or 1)")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="with --weaken: explorations at once")
    parser.add_argument("--only", default="", help="with --weaken: only places whose name contains this")
    parser.add_argument("--afresh", action="store_true", help="with --weaken: forget what earlier parts have found")
    parser.add_argument("--show", nargs=2, metavar=("SUITE", "SCHEDULE"))
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build" / "model", help="where everything is built")
    asked = parser.parse_args()
    build = asked.folder.resolve()
    try:
        if asked.list:
            print("\n".join(" ".join([part, *suites]) for part, suites in suites_of().items()))
            return 0
        if asked.build:
            build_part(build, asked.build)
            return 0
        if asked.suite:
            return explore_suite(build, asked.suite, asked.scale)
        if asked.show:
            return show(build, *asked.show)
        if asked.weaken:
            if asked.afresh:
                (build / "weakened.json").unlink(missing_ok=True)
            return weaken_all(build, asked.scale, asked.jobs, asked.only)
        parser.error("one of --list, --build, --suite, --weaken and --show is needed")
    except Failure as problem:
        print(f"model: {problem}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
