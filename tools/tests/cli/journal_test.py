#!/usr/bin/env python3
"""TINE_RECORD and TINE_REPLAY on a program that is not prepared for them, however it ends."""

import os
import random
import resource
import signal
import struct
import subprocess
import sys
import time

import journals
from driver import EMULATED, Driver, seed


class Journals(Driver):
    def run_app(self, *words, program="journal_app", **more) -> subprocess.CompletedProcess:
        """Runs the application; keyword arguments in capitals are variables."""
        env = {name: more.pop(name) for name in list(more) if name.isupper()}
        return self.execute(self.programs / program, *words, env=env, **more)

    def good(self, *words, **more) -> str:
        run = self.run_app(*words, **more)
        self.check(run.returncode == 0 and not run.stderr, f"{words} {more} runs and says nothing", run)
        return run.stdout


def records_and_replays(d: Journals) -> None:
    """A serial replay puts each strand on its worker, in the order of the recorded begins."""
    for words in ("tree", 1), ("tree", 2), ("tree", 3), ("roots", 4), ("locks", 1), ("nested", 2):
        d.good(*words, TINE_RECORD=d.at / "a")
        recorded = journals.read(d.at / "a")
        d.check(all(r.ended is not None for r in recorded), "all roots have ended", words)
        once = d.good(*words, TINE_REPLAY=f"{d.at}/a,serial", TINE_RECORD=d.at / "b")
        d.check(journals.repeats(recorded, journals.read(d.at / "b")), f"{words}: the order is repeated", words)
        again = d.good(*words, TINE_REPLAY=f"{d.at}/a,serial,must_match")
        d.check(once == again, f"{words}: two serial replays do the same in the same order", (once, again))
        for how in "strict", "unordered", "relaxed":
            if words[0] == "locks":  # whose order is not that of the locks
                continue
            run = d.run_app(*words, TINE_REPLAY=f"{d.at}/a,{how}")
            # idle workers of a relaxed replay steal, and roots begin on other workers than the recorded ones
            quiet = how != "strict" or not run.stderr
            d.check(run.returncode == 0 and quiet, f"{words} runs in the mode {how}", run)
        d.expect(d.tine("schedule", "show", "a"), 0, "journal of ")


def keeps_nodes_together(d: Journals) -> None:
    """In a pool with other NUMA nodes, the strands of a recorded node run on one node."""
    small = {"HWLOC_SYNTHETIC": "node:2 core:2 pu:1", "TINE_NUM_THREADS": 4}
    for seed in 1, 2, 3:
        d.good("machine", 2, TINE_PERTURB=f"{seed}:{d.at}/a", HWLOC_SYNTHETIC="node:2 core:4 pu:1", TINE_NUM_THREADS=8)
        recorded = journals.read(d.at / "a")[0]
        if recorded.numa_nodes is None:
            return print("the process has less time than processors, so that workers have no NUMA nodes: not tested")
        d.check(recorded.numa_nodes == [0] * 4 + [1] * 4, "the journal has the nodes", recorded.numa_nodes)
        # one worker for two of them cannot always keep their common order, and the replay says so
        run = d.run_app("machine", 2, TINE_REPLAY=f"{d.at}/a,serial,must_match", TINE_RECORD=d.at / "b", **small)
        d.check(run.returncode == 0, "the replay comes to every place", run)
        replay = journals.read(d.at / "b")[0]
        pairs = {(recorded.numa_nodes[s[0]], replay.numa_nodes[replay.strands[p][0]]) for p, s in recorded.strands.items()}
        d.check(len(pairs) == 2 and len(dict(pairs)) == 2, "a node of the pool for each recorded node", (seed, pairs))


def repeats_overlaps(d: Journals) -> None:
    """A read in the second branch that came before a write in the first one: the order of ends tells it, that of begins does not."""
    for _ in range(20):
        if d.run_app("overlap", TINE_RECORD=d.at / "o").returncode == 5:
            break
    for _ in range(5):
        d.expect(d.run_app("overlap", TINE_REPLAY="o,by_ends,must_match"), 5)
        d.expect(d.run_app("overlap", TINE_REPLAY="o,serial,must_match"), 0)
    for words in ("tree", 1), ("tree", 2), ("roots", 4), ("nested", 1):
        d.good(*words, TINE_RECORD=d.at / "a")
        d.good(*words, TINE_REPLAY="a,by_ends,must_match")


def perturbs_by_seed(d: Journals, number: int) -> None:
    programs = [("tree", 1), ("tree", 5), ("roots", 2), ("locks", 3), ("exceptions", 2), ("deep", 3000), ("nested", 1)]
    if EMULATED:
        programs.remove(("locks", 3))
        print("skipped: the run of a seed with locks (in an emulator a strand may seem to wait for another one)")
    for i, words in enumerate(programs):
        first = d.good(*words, TINE_PERTURB=f"{number + i}:{d.at}/a")
        d.check(d.good(*words, TINE_PERTURB=f"{number + i}:{d.at}/b") == first, f"{words}: a seed is a run", number + i)
        recorded = journals.order(journals.read(d.at / "a"))
        d.check(recorded == journals.order(journals.read(d.at / "b")), f"{words}: and an order", number + i)
        replayed = d.good(*words, TINE_REPLAY=f"{d.at}/a,serial,must_match", TINE_RECORD=d.at / "c")
        d.check(replayed == first and journals.order(journals.read(d.at / "c")) == recorded, f"{words}: which is repeated", number + i)


def survives_ends(d: Journals) -> None:
    for mode, code in ("abort", -signal.SIGABRT), ("kill", -signal.SIGKILL), ("crash", -signal.SIGSEGV), ("exit", 7), \
                      ("uncaught", -signal.SIGABRT):
        for variables in {"TINE_RECORD": d.at / "e"}, {"TINE_PERTURB": f"7:{d.at}/e"}:
            run = d.run_app(mode, **variables)
            d.check(run.returncode == code, f"{mode} ends the program", run)
            roots = journals.read(d.at / "e")
            if mode != "uncaught":
                d.check([r.ended is not None for r in roots] == [True, False], f"{mode}: the second root has not ended", roots)
                d.check(len(roots[1].strands) > 1, f"{mode}: the steal in the second root is there", roots[1].strands)
                d.expect(d.tine("schedule", "show", "e", "--root", 1), 0, "has not ended")
            again = d.run_app(mode, TINE_REPLAY=f"{d.at}/e,serial")
            d.check(again.returncode == code, f"{mode}: the replay ends in the same way", again)
    app = subprocess.Popen([d.programs / "journal_app", "hang"], cwd=d.at, env={**os.environ, "TINE_RECORD": str(d.at / "h")})
    deadline = time.time() + 30
    while time.time() < deadline:
        time.sleep(0.05)
        if (d.at / "h").exists() and len(roots := journals.read(d.at / "h")) == 2 and len(roots[1].strands) > 1:
            break
    d.check(len(roots) == 2 and roots[1].ended is None, "a journal is readable while the program hangs", roots)
    app.send_signal(signal.SIGINT)
    app.wait()
    d.check(journals.order(journals.read(d.at / "h")).keys() == {(0, 0), (0, 1)}, "and after it was interrupted")
    d.expect(d.tine("schedule", "show", "h", "--root", 1), 0, "call 1 of thread 0")


def names_what_is_wrong(d: Journals) -> None:
    d.good("tree", 1, TINE_PERTURB=f"1:{d.at}/a")
    for path, why in ("/nowhere/a", "No such file"), (d.at, "Is a directory"), ("/dev/full", "a journal needs a regular file"):
        run = d.run_app("tree", 1, TINE_RECORD=path)
        d.expect(run, 0, f"TINE_RECORD: {path} cannot be written: ", why, "runs without a recording")
    for value, parts in {
            "missing": ["missing: cannot be read: No such file"], __file__: ["not a journal: it does not begin with"],
            ",serial": ["has no file"], "a,quickly": ["'quickly' is no option", "must_match"], "a,stop=3": ["only if it is serial"],
            "a,serial,stop=x": ["'stop=x' is no option"]}.items():
        d.expect(d.run_app("tree", 1, TINE_REPLAY=value), 2, "tine: TINE_REPLAY", *parts)
    d.expect(d.run_app("tree", 1, TINE_PERTURB="x"), 2, "TINE_PERTURB is 'x', but it must be a number and a file")
    d.expect(d.run_app("tree", 1, TINE_PERTURB="1:b", TINE_RECORD="c"), 2, "beside TINE_RECORD")
    d.expect(d.run_app("0", program="order_bugs", TINE_REPLAY="a,serial"), 2, "recorded by another program: its shape key is ")
    run = d.run_app("0", program="order_bugs", TINE_REPLAY="a,serial,any_program")
    d.check("root 0 differs from the recorded run: fork " in run.stderr, "unless it may be", run)
    run = d.run_app("tree", 2, TINE_REPLAY="a,serial,must_match")
    d.expect(run, 2, "root 0 differs from the recorded run: ", "the program ends, as must_match demands")
    run = d.run_app("tree", 1, TINE_REPLAY="a,serial,stop=5")
    d.check(run.returncode == -signal.SIGTRAP and "the replay stops before strand 5: " in run.stderr, "a replay stops", run)
    stamp = {s[1]: p for p, s in journals.read(d.at / "a")[0].strands.items()}[5]
    d.check(f" {stamp[-2]}" in run.stderr or f"/{stamp[-2]}" in run.stderr, "at that strand", (stamp, run.stderr))


def has_bounds(d: Journals) -> None:
    run = d.run_app("many", 150, TINE_PERTURB=f"1:{d.at}/m", TINE_RECORD_MAX_MIB=1)
    size = (d.at / "m").stat().st_size
    d.check(run.returncode == 0 and size <= 1 << 20 and run.stderr.count("grows no more: it has reached 1 MiB") == 1, "a largest size", run)
    d.expect(d.tine("schedule", "show", "m"), 0, "the recording stopped before the end of the process")
    small = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))
    run = d.run_app("many", 40, TINE_PERTURB=f"1:{d.at}/n", preexec_fn=small)
    d.check(run.returncode == 0 and run.stderr.count("grows no more: File too large") == 1, "a limit of the system", run)
    journals.read(d.at / "n")


def knows_processes(d: Journals) -> None:
    run = d.run_app("fork", 1, TINE_RECORD=d.at / "f")
    d.expect(run, 0, "a child of fork(2) is neither recorded nor replayed")
    d.check([(r.origin, r.number) for r in journals.read(d.at / "f")] == [(0, 0), (0, 1)], "the roots of the parent")
    d.expect(d.run_app("system", 1, TINE_RECORD=d.at / "s"), 0, "another process records into it")
    d.check(len(journals.read(d.at / "s")) == 1, "the first one is recorded")
    d.good("exec", 1, TINE_RECORD=d.at / "x")
    d.check(len(journals.read(d.at / "x")) == 1, "the program after exec is recorded")
    d.good("system", 1, TINE_RECORD=d.at / "p%p")
    d.check(len(list(d.at.glob("p[0-9]*"))) == 2, "a file for each process")


def survives_damage(d: Journals, number: int) -> None:
    """Changes single numbers of a journal, with and without a new check."""
    d.good("tree", 1, TINE_PERTURB=f"3:{d.at}/a")
    whole = (d.at / "a").read_bytes()
    dice = random.Random(number)
    for i in range(120):
        data = bytearray(whole)
        at = 64 * dice.randrange(len(data) // 64)
        if i % 3 == 0:
            data = data[:dice.randrange(len(data))]
        else:
            word = at + 8 * dice.randrange(8)
            data[word:word + 8] = struct.pack("<Q", dice.choice([0, 1, 2, 3, 255, 1 << 32, (1 << 32) - 1, 1 << 63, (1 << 64) - 1, dice.getrandbits(64)]))
        if i % 3 == 2 and at != 0:
            words = struct.unpack_from("<8Q", data, at)
            data[at:at + 8] = struct.pack("<Q", journals.check_of(words[1:7], at // 64 - 1))
        (d.at / "bad").write_bytes(data)
        run = d.tine("schedule", "show", "bad", "--depth", 3, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30)))
        d.check(run.returncode in (0, 2) and (run.returncode == 2) == bool(run.stderr), "a damaged journal is read or refused", (i, run))
        if i % 10 == 0 and run.returncode == 0:
            run = d.run_app("tree", 1, TINE_REPLAY=f"{d.at}/bad,serial,any_program")
            d.check(run.returncode in (0, 2), "and a replay ends", (i, run))
        if i % 10 == 1 and run.returncode == 2:
            d.check(len(run.stderr.splitlines()) == 1, "with one line", run)


NUMBER = seed()
sys.setrecursionlimit(50_000)  # a tree is as deep as the recursion of the program
Journals.run(records_and_replays, keeps_nodes_together, repeats_overlaps, survives_ends, names_what_is_wrong, has_bounds,
             knows_processes, lambda d: perturbs_by_seed(d, NUMBER), lambda d: survives_damage(d, NUMBER))
