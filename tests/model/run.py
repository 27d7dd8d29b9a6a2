#!/usr/bin/env python3
"""Explores tine's protocols under weak memory: the product's own code under Relacy, and small twins under loom.

    run.py              every model, short and with fixed seeds; the last line counts: N passed, N failed
    run.py --long       the same with many more schedules (--scale sets how many times more)
    run.py --weaken     weakens every memory order alone and expects some model to fail, or a reason in reasons.md
    run.py --show SUITE SCHEDULE    one schedule of a Relacy suite; prints the counterexample if it fails

README.md says what the models cover and how to read what they print. Everything is built under build/model.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
REASONS = HERE / "reasons.md"
LOOM = HERE / "loom"

# program -> libraries, and its suites with the number of schedules of a short run
PROGRAMS = {
    "protocols_model": ([], {
        "deque_race": 200_000, "deque_last": 200_000, "deque_growth": 100_000, "deque_reuse": 200_000, "join": 50_000,
    }),
    "scheduler_model": (["-lboost_context"], {
        "tree": 40_000, "eager_tree": 20_000, "starvation": 60_000, "short_of_tokens": 30_000, "debts": 20_000,
        "guests": 60_000, "rivals": 60_000, "late_guest": 30_000, "absence": 40_000,
    }),
    "join_model": (["-lboost_context"], {
        "one_steal": 40_000, "two_steals": 30_000, "frames_end": 30_000, "asked_for": 60_000, "deep_calls": 40_000,
        "two_throw": 30_000, "leaves_forks_open": 30_000, "waits_in_code": 30_000,
    }),
}

# whose orders are weakened, and which programs are asked about them
WEAKENED = {
    "include/tine/sched/deque.hpp": ["protocols_model"],
    "include/tine/sched/task.hpp": ["protocols_model"],
    "include/tine/sched/shadow_stack.hpp": ["scheduler_model"],
    "src/sched/demand.hpp": ["scheduler_model"],
    "src/sched/parker.hpp": ["scheduler_model"],
    "src/sched/visit.hpp": ["scheduler_model"],
    "src/sched/pool_state.hpp": ["scheduler_model"],
    "src/sched/promote.cpp": ["scheduler_model"],
    "src/sched/join.cpp": ["scheduler_model"],
    "src/sched/sleep.cpp": ["scheduler_model"],
    "src/sched/steal.cpp": ["scheduler_model"],
    "src/sched/worker.cpp": ["scheduler_model"],
    "include/tine/coro/frame.hpp": ["join_model"],
    "src/coro/join.cpp": ["join_model"],
    "src/coro/driver.cpp": ["join_model"],
}

# places whose weakening only rare schedules show: suites and schedules to ask beyond the usual
RARE = {"promote.cpp:wake_if_deserted": {"rivals": 900_000}, "sleep.cpp:sleep:awake.fetch_sub": {"rivals": 1_500_000}}

CXX = os.environ.get("CXX", "g++-12")
COMPILERS = {"join_model": "clang++-19"}  # g++ 12 wants to copy awaiters
FLAGS = ("-std=c++20 -O1 -g0 -w -DTINE_MODEL -fno-access-control -fno-sized-deallocation -U_FORTIFY_SOURCE").split()


# ------------------------------------------------------------------------------------------------------------------
# Building.

# Relacy is older than C++20, and its schedules are all alike. Three corrections, each to be found exactly as often as said.
RELACY_CORRECTIONS = [
    # C++20 took the same-thread part out of release sequences: a relaxed store no longer carries the release of an
    # earlier store by its thread.
    ("thread.hpp", "prev.busy_ && (rmw || (index_ == prev.thread_id_));", "prev.busy_ && rmw;", 1),
    # C++17 lets the order of a failed compare-exchange be stronger than that of a successful one.
    ("atomic.hpp", "                RL_VERIFY(mo_relaxed == failure_mo);\n"
     "                return compare_swap_impl<spurious_failures, mo_release, &thread_info_base::atomic_rmw_release,",
     "                if (mo_acquire == failure_mo) return compare_swap_impl<spurious_failures, mo_release, "
     "&thread_info_base::atomic_rmw_release, mo_acquire, &thread_info_base::atomic_load_acquire_rmw>(cmp, xchg, info);\n"
     "                return compare_swap_impl<spurious_failures, mo_release, &thread_info_base::atomic_rmw_release,",
     1),
    # A thread goes on for 1, 4, 16 or 64 steps on average, by the schedule's number: uniformly drawn steps hardly ever let
    # one thread stand still while another goes far, which is what most mistakes in a protocol need.
    ("random_scheduler.hpp", "        thread_id_t const running_thread_count = this->running_threads_count;\n",
     "        thread_id_t const running_thread_count = this->running_threads_count;\n"
     "        unsigned const steps = 1u << (2 * (this->iter_ % 4));\n"
     "        if (!yield && this->thread_ && this->thread_->state_ == thread_state_running && rand_.rand() % steps != 0)\n"
     "        {\n            reason = unpark_reason_normal;\n            return this->thread_->index_;\n        }\n", 1),
    ("random_scheduler.hpp", "unsigned /*yield*/)", "unsigned yield)", 1),
]


class Failure(Exception):
    pass


def run(command, **options):
    return subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **options)


def must(command, what, **options):
    done = run(command, **options)
    if done.returncode != 0:
        raise Failure(f"{what} failed:\n{done.stdout[-6000:]}")
    return done.stdout


def corrected_relacy(build):
    for where in ("/usr/include/relacy", "/usr/local/include/relacy"):
        if os.path.isdir(where):
            break
    else:
        raise Failure("Relacy is not installed: the Debian package is relacy-dev")
    target = build / "relacy" / "relacy"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(where, target)
    for name, old, new, times in RELACY_CORRECTIONS:
        text = (target / name).read_text()
        if text.count(old) != times:
            raise Failure(f"this Relacy differs from the one the models know: {name} has not {times} times: {old}")
        (target / name).write_text(text.replace(old, new))
    return target.parent


def includes(build, overlay=None):
    first = [overlay / "include", overlay / "src"] if overlay else []
    dirs = first + [HERE / "stand_in", HERE.parent, ROOT / "include", ROOT / "src", build / "relacy"]
    return [f"-I{d}" for d in dirs]


def prepare(build):
    """What all programs share: Relacy, and the compiled prelude."""
    build.mkdir(parents=True, exist_ok=True)
    corrected_relacy(build)
    shutil.copy(HERE / "prelude.hpp", build / "prelude.hpp")
    must([CXX, *FLAGS, *includes(build), "-x", "c++-header", build / "prelude.hpp", "-o", build / "prelude.hpp.gch"],
         "compiling the prelude")


def compile_program(build, program, output, overlay=None):
    libraries, _ = PROGRAMS[program]
    compiler = COMPILERS.get(program, CXX)
    prelude = (build if compiler == CXX else HERE) / "prelude.hpp"  # compiled in the one place, not in the other
    return run([compiler, *FLAGS, "-include", prelude, *includes(build, overlay), HERE / f"{program}.cpp", "-o", output,
                *libraries])


def explore(binary, suite, count, first=1, patience=900):
    try:
        return run([binary, suite, count, first], timeout=patience)
    except subprocess.TimeoutExpired as late:
        return subprocess.CompletedProcess(late.cmd, 124, stdout=f"{suite}: no end after {patience} s")


def cargo_build(build):
    if shutil.which("cargo") is None:
        raise Failure("cargo is not installed: the Debian package is cargo-web")
    must(["cargo", "build", "--release", "--locked", "--manifest-path", LOOM / "Cargo.toml", "--target-dir",
          build / "loom"], "building the loom twins")
    return build / "loom" / "release" / "twins"


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


def keep(build, name, text):
    path = build / f"{name}.counterexample"
    path.write_text(text)
    return path


def explore_all(build, scale):
    tally = Tally()
    prepare(build)
    for program, (_, suites) in PROGRAMS.items():
        done = compile_program(build, program, build / program)
        if done.returncode != 0:
            tally.note(False, f"relacy  {program}: does not compile\n{done.stdout[-6000:]}")
            continue
        for suite, count in suites.items():
            began = time.monotonic()
            found = explore(build / program, suite, count * scale, patience=900 * scale)
            if found.returncode == 0:
                tally.note(True, f"relacy  {suite:<16} held in {count * scale} schedules from 1 on, "
                                 f"{time.monotonic() - began:.1f} s")
            else:
                where = keep(build, suite, found.stdout)
                head = "\n        ".join(found.stdout.splitlines()[:4])
                tally.note(False, f"relacy  {suite:<16} {head}\n        the whole counterexample: {where}")
    try:
        binary = cargo_build(build)
    except Failure as problem:
        tally.note(False, f"loom    {problem}")
        return tally.end()
    for twin in run([binary]).stdout.split():
        began = time.monotonic()
        found = run([binary, twin] + (["long"] if scale > 1 else []))
        if found.returncode == 0:
            tally.note(True, f"loom    {found.stdout.strip()}, {time.monotonic() - began:.1f} s")
        else:
            where = keep(build, f"loom_{twin}", found.stdout)
            tally.note(False, f"loom    {twin:<16} FAILED; the whole counterexample: {where}")
    return tally.end()


# ------------------------------------------------------------------------------------------------------------------
# Weakening. A place is named by file, function and operation, never by its line.

ORDER = re.compile(r"\bbase::(acquire|release|acq_rel|seq_cst)\b")
OPERATION = re.compile(r"([\w.>-]*?)(?:\.|->|\b)(load|store|exchange|fetch_add|fetch_sub|compare_exchange_strong|fence)"
                       r"\s*\(")
CONTROL = {"if", "for", "while", "switch", "else", "do", "namespace", "struct", "class", "enum", "union", "return",
           "catch", "try", "extern"}


def without_comments(text):
    """The same text, comments and strings blanked, every position kept."""
    def blank(m):
        return re.sub(r"[^\n]", " ", m[0])
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)


def functions_at(code):
    """For each position its innermost function's name. A brace opens a block if a space or a bracket stands before it."""
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
    """What the order may be weakened to; None: without the fence."""
    if operation == "fence":
        return ["acquire", None]
    if order == "seq_cst":
        return {"load": ["acquire"], "store": ["release"]}.get(operation, ["acq_rel"])
    return {"acquire": ["relaxed"], "release": ["relaxed"], "acq_rel": ["acquire", "release"]}[order]


def element(code, end):
    """The array before an index that ends at `end`: of `awake[x].load`, `awake`."""
    m = re.search(r"([\w.]+)\[[^\[\]]*\]$", code[:end])
    return m[1] if m else ""


class Mutant:
    def __init__(self, path, key, text, programs):
        self.path, self.key, self.text, self.programs = path, key, text, programs


def mutants_of(path, programs):
    text = (ROOT / path).read_text()
    code = without_comments(text)
    functions, seen = functions_at(code), {}
    for m in ORDER.finditer(code):
        if code[:m.start()].endswith("return "):
            continue  # ThreadSanitizer's builds only
        calls = [c for c in OPERATION.finditer(code, max(0, m.start() - 160), m.start())]
        if not calls:
            raise Failure(f"{path}: an order without an operation near {code[m.start() - 60:m.end()]!r}")
        call = calls[-1]
        operation = call[2]
        receiver = re.sub(r"^.*[.>]", "", re.sub(r"\[[^\]]*\]?", "", call[1] or element(code, call.start())))
        what = f"{receiver}.{operation}" if receiver else operation
        if operation == "compare_exchange_strong":
            what += " failure" if "base::" in code[call.end():m.start()] else " success"
        place = f"{pathlib.PurePath(path).name}:{functions[m.start()]}:{what}"
        seen[place] = seen.get(place, 0) + 1
        if seen[place] > 1:
            place += f" #{seen[place]}"
        for to in weaker(operation, m[1]):
            if to is None:
                begin, end = call.start(), code.index(";", m.end())
                begin = code.rindex("base::", 0, begin + 7) if "base::" in code[begin - 6:begin + 7] else begin
                changed = text[:begin] + text[end:]
            else:
                changed = text[:m.start()] + f"base::{to}" + text[m.end():]
            yield Mutant(path, f"{place}: {m[1]} -> {to or 'nothing'}", changed, programs)


def written_reasons():
    """reasons.md: rows of a table, | `place: order -> weaker` | reason |"""
    rows = re.findall(r"^\|\s*`([^`]+)`\s*\|\s*(.+?)\s*\|\s*$", REASONS.read_text(), re.M)
    return dict(rows)


def ask_relacy(build, mutant, number, scale, shares):
    """Which suite fails, and when; None if all hold. First so many times fewer schedules: most fail at once."""
    overlay = build / "weakened" / str(number)
    target = overlay / mutant.path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(mutant.text)
    try:
        for program in mutant.programs:
            binary = overlay / program
            done = compile_program(build, program, binary, overlay)
            if done.returncode != 0:
                raise Failure(f"{mutant.key}: does not compile:\n{done.stdout[-3000:]}")
            suites = PROGRAMS[program][1]
            rounds = [(suite, count * scale // share) for share in shares for suite, count in suites.items()]
            rounds += [(suite, count * scale) for place, more in RARE.items() if mutant.key.startswith(place)
                       for suite, count in more.items()]
            for suite, count in rounds:
                found = explore(binary, suite, count, patience=600)
                if found.returncode != 0:
                    m = re.search(r"FAILED in schedule (\d+)\n(.*)", found.stdout)
                    return f"{suite}, schedule {m[1]}: {m[2].lower()}" if m else f"{suite}: died"
        return None
    finally:
        shutil.rmtree(overlay, ignore_errors=True)


def ask_loom(binary, twin, place):
    found = run([binary, twin], env={**os.environ, "TINE_WEAKEN": place})
    if found.returncode == 0:
        return None
    m = re.search(r"panicked at .*?\n(.*)", found.stdout)
    return m[1][:70] if m else "it failed"


def loom_places(binary):
    """Lines `twin place: order -> weaker` from the twins themselves."""
    for line in run([binary, "orders"]).stdout.splitlines():
        twin, place = line.split(" ", 1)
        yield twin, place


def judge(tally, reasons, key, red):
    reason = reasons.pop(key, None)
    if red and reason:
        tally.note(False, f"RED    {key}\n         {red}\n         but reasons.md says why it is green: take that out")
    elif red:
        tally.note(True, f"red    {key}\n         {red}")
    elif reason:
        tally.note(True, f"green  {key}\n         {reason}")
    else:
        tally.note(False, f"GREEN  {key}\n         no model fails, and reasons.md does not say why")


def weaken_all(build, scale, jobs, only):
    tally, reasons = Tally(), written_reasons()
    prepare(build)
    mutants = [m for path, programs in WEAKENED.items() for m in mutants_of(path, programs) if only in m.key]
    if len({m.key for m in mutants}) != len(mutants):
        raise Failure("two places have one name")
    binary = cargo_build(build)
    loom = {}  # place: twin and what it says; a place may stand in several twins, one red is enough
    for twin, place in loom_places(binary):
        if only in place and not loom.get(place, (None, None))[1]:
            loom[place] = (twin, ask_loom(binary, twin, place))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        def ask(i, m):
            known = loom.get(m.key, (None, None))[1]
            return pool.submit(ask_relacy, build, m, i, scale, (20,) if known else (20, 1))

        answers = [ask(i, m) for i, m in enumerate(mutants)]
        for m, answer in zip(mutants, answers):
            twin, by_loom = loom.pop(m.key, (None, None))
            red = [f"relacy {answer.result()}" if answer.result() else None, f"loom {twin}: {by_loom}" if by_loom else None]
            judge(tally, reasons, m.key, "; ".join(r for r in red if r))
    for place, (twin, by_loom) in loom.items():
        judge(tally, reasons, place, f"loom {twin}: {by_loom}" if by_loom else None)
    if not only:
        for key in reasons:
            tally.note(False, f"STALE  {key}\n         reasons.md has a reason for an order that is not there")
    return tally.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="the short run, which is the default")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--weaken", action="store_true")
    parser.add_argument("--scale", type=int, help="schedules, as a multiple of the short run's")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="weakened builds at once")
    parser.add_argument("--only", default="", help="with --weaken: only places whose name contains this")
    parser.add_argument("--show", nargs=2, metavar=("SUITE", "SCHEDULE"))
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "model")
    asked = parser.parse_args()
    build = asked.build.resolve()
    try:
        if asked.show:
            prepare(build)
            program = next((p for p, (_, suites) in PROGRAMS.items() if asked.show[0] in suites), None)
            if program is None:
                raise Failure(f"no suite {asked.show[0]}")
            done = compile_program(build, program, build / program)
            if done.returncode != 0:
                raise Failure(done.stdout)
            found = explore(build / program, asked.show[0], 1, asked.show[1])
            print(found.stdout)
            return found.returncode
        if asked.weaken:
            return weaken_all(build, asked.scale or 1, asked.jobs, asked.only)
        return explore_all(build, asked.scale or (50 if asked.long else 1))
    except Failure as problem:
        print(f"model: {problem}", file=sys.stderr)
        print("0 passed, 1 failed")
        return 1


if __name__ == "__main__":
    sys.exit(main())
