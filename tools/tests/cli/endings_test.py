#!/usr/bin/env python3
"""Profiles of programs that do not end by themselves, that start others, and that fork more often than a profile can hold."""

import signal
import subprocess
import time

from driver import PATIENCE, Driver


def has(predicate) -> bool:
    end = time.monotonic() + PATIENCE
    while not predicate():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def forks_at(data: dict, function: str) -> int:
    return sum(s["count"] for s in data.get("sites", []) if s["function"] == function)


def check_cut_short(d: Driver, data: dict, number: int, what: str) -> None:
    d.check(data.get("ended") == "signalled" and data.get("signal") == number, f"{what}: ended by the signal", data)
    d.check(data.get("unfinished_roots") == 1 and data["forks"] >= 7 + 255, f"{what}: the open root's forks", data)
    d.check(data["forks"] == forks_at(data, "split"), f"{what}: forks by site are all forks", data)
    span = data["roots"]["span_ns"]
    d.check(0 < span["high"] <= data["roots"]["work_ns"], f"{what}: the span is at most the work", data["roots"])
    d.check(data["wall_ns"] > 0, f"{what}: when", data)


def killed(d: Driver) -> None:
    for number in signal.SIGTERM, signal.SIGINT, signal.SIGHUP:
        file = f"killed-{number}.profile"
        p = d.start("for-ever", TINE_PROFILE=f"work,grain,trace:{file}")
        d.check(p.stdout.readline() == "ready\n", "it runs")
        p.send_signal(number)
        p.send_signal(number)  # as timeout(1) does, to the process and to its group
        said = p.communicate(timeout=PATIENCE)
        d.check(p.returncode == -number, f"signal {number} has its usual effect", (p.returncode, said))
        check_cut_short(d, d.report(file), number, f"signal {number}")
        d.expect(d.tine("report", file), 0, f"cut short by signal {int(number)}", "1 root had not ended")
        for form in "collapsed", "speedscope", "pprof", "perfetto", "dot", "cilkscale-csv":
            d.expect(d.tine("export", file, "--to", form, "-o", "out"), 0)
    p = d.start("for-ever", TINE_PROFILE="work:work.profile")
    p.stdout.readline()
    p.terminate()
    p.communicate(timeout=PATIENCE)
    d.expect(d.tine("report", "work.profile"), 0, "without the analysis `grain` nothing is known")


def under_the_command(d: Driver) -> None:
    """`tine profile` forwards SIGTERM to the program."""
    words = [d.tine_path, "profile", "-o", "wrapped.profile", "--", d.app, "for-ever"]
    p = subprocess.Popen(words, cwd=d.at, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    d.check(p.stdout.readline() == "ready\n", "it runs")
    p.terminate()
    said = p.communicate(timeout=PATIENCE)[1]
    d.check(p.returncode == 128 + 15 and "cut short by signal 15" in said, "the report, and the program's exit code", said)


def handled(d: Driver) -> None:
    p = d.start("in-order", TINE_PROFILE="work,grain:order.profile")
    d.check(p.stdout.readline() == "ready\n", "it runs")
    p.terminate()
    said = p.communicate(timeout=PATIENCE)
    d.check(p.returncode == 0, "the program's own handler ends it in order", (p.returncode, said))
    data = d.report("order.profile")
    d.check(data.get("ended") == "normal" and data.get("unfinished_roots") == 0, "and the last profile is whole", data)


def own_signals(d: Driver) -> None:
    for way, number in ("abort", 6), ("raise", 15), ("abort-in-branch", 6):
        run = d.tine("profile", "-o", f"{way}.profile", "--", d.app, way)
        d.expect(run, 128 + number, f"cut short by signal {number}")
        d.check("still here" not in run.stdout, f"{way}: the signal comes before the sender continues", run.stdout)
        d.check(d.report(f"{way}.profile").get("forks", 0) >= 7, f"{way}: the root that had ended")


def snapshots(d: Driver) -> None:
    p = d.start("for-ever", TINE_PROFILE="work,grain:first.profile")
    p.stdout.readline()
    p.send_signal(signal.SIGUSR2)
    d.check(has((d.at / "first.profile").exists), "a snapshot on SIGUSR2")
    data = d.report("first.profile")
    d.check(data["ended"] == "running" and data["unfinished_roots"] == 1 and p.poll() is None, "of a run that continues", data)
    p.kill()
    p.communicate(timeout=PATIENCE)
    p = d.start("for-ever", TINE_PROFILE="work,grain:often.profile", TINE_PROFILE_EVERY="20ms", TINE_PROFILE_SIGNAL="none")
    p.stdout.readline()
    file = d.at / "often.profile"
    d.check(has(file.exists), "a snapshot after an interval")
    number = file.stat().st_ino
    d.check(has(lambda: file.stat().st_ino != number), "and another one")
    d.expect(d.tine("report", "often.profile"), 0, "a snapshot of a run that had taken")
    p.send_signal(signal.SIGUSR2)
    p.communicate(timeout=PATIENCE)
    d.check(p.returncode == -signal.SIGUSR2, "no signal asks for a snapshot if none shall", p.returncode)


def children(d: Driver) -> None:
    run = d.tine("profile", "-q", "-o", "tree.profile", "--", d.app, "children")
    d.expect(run, 0, "profiles of 2 processes", f"{d.at}/tree.profile  ")
    others = sorted(d.at.glob("tree.profile.*"))
    d.check(len(others) == 1 and d.report(others[0])["forks"] == 3 + 7, "the child's forks are in a file of its own", others)
    d.check(d.report("tree.profile")["forks"] == 7 + 15, "and the parent's file has the parent's")
    d.expect(d.tine("profile", "-q", "-o", "p-%p.profile", "--", d.app, "children"), 0, "profiles of 2 processes")
    d.check(len(list(d.at.glob("p-*.profile"))) == 2, "a file each with %p", sorted(d.at.glob("p-*")))
    run = d.tine("profile", "-q", "-o", "amid.profile", "--analyses", "work,grain,trace", "--", d.app, "child-amid-root")
    d.expect(run, 0, "profiles of 2 processes")
    data = [d.report(file) for file in sorted(d.at.glob("amid.profile*"))]
    d.check([(p["forks"], p["unfinished_roots"]) for p in data] == [(15 + 3, 0), (7, 1)],
            "a child in the middle of a root counts what it does itself", data)
    line = f'"{d.app}" two-roots; "{d.app}" two-roots; true'
    run = d.tine("profile", "-q", "-o", "sh.profile", "--", "sh", "-c", line)
    d.expect(run, 0, "profiles of 2 processes", f"{d.at}/sh.profile  ", "profiled_app two-roots")
    d.expect(d.execute(d.app, "children", env={"TINE_PROFILE": "work:hand.profile"}), 0)
    d.check(d.report("hand.profile")["forks"] == 7 + 15 and len(list(d.at.glob("hand.profile.*"))) == 1, "the same by hand")


def sizes(d: Driver) -> None:
    words = ["--threshold", "0us", "--max-size", "64KiB", "--analyses", "work,grain,trace", "--"]
    run = d.tine("profile", "-o", "many.profile", *words, d.app, "many-forks")
    d.expect(run, 0, "leaves 1048576", "resolution  forks and loops with less work than")
    file = d.at / "many.profile"
    d.check(file.stat().st_size < (64 << 10) + 16_384, "the file stays within its size", file.stat().st_size)
    data = d.report(file)
    d.check(data["forks"] == 2**20 - 1 == forks_at(data, "split"), "all forks are counted", data["forks"])
    data = d.page(file)
    nodes, threshold = data["nodes"], data["run"]["threshold"]
    d.check(nodes["forks"][0] == 2**20 - 1, "the dag's forks add up", nodes["forks"][0])
    leaves = sum(w for w, n in zip(nodes["work"], nodes["children"]) if n == 0)
    d.check(abs(nodes["work"][0] - leaves) <= len(nodes["work"]), "and its work, but for the rounding of each node", nodes["work"][0])
    small = [w for w, shape in zip(nodes["work"], nodes["is"]) if shape == 2 and w + 1 < threshold]
    d.check(not small and len(nodes["work"]) > 20, "nodes have the threshold", (small, threshold))
    d.check(min(data["points"]["work"]) + 1 >= threshold, "points, too", threshold)

    d.expect(d.tine("profile", "-q", "-o", "roots.profile", *words, d.app, "many-roots"), 0, "leaves 6000")
    data = d.report("roots.profile")
    d.check(data["forks"] == 3000, "forks of roots that share a row", data["forks"])
    d.check((d.at / "roots.profile").stat().st_size < (64 << 10) + 16_384, "roots have a cap, too")
    run = d.tine("profile", "-o", "loops.profile", *words, d.app, "many-loops")
    d.expect(run, 0, "resolution  forks and loops with less work than")
    data = d.report("loops.profile")
    d.check(data["forks"] == 100 * 100 * 15 and data["loops"] == 101, "forks in chunks whose nodes are folded", data["forks"])
    d.check((d.at / "loops.profile").stat().st_size < (64 << 10) + 16_384, "loops stay within the size, too")
    for option, text in ("--threshold", "soon"), ("--max-size", "1KiB"), ("--every", "1us"):
        d.expect(d.tine("profile", option, text, "--", d.app, "two-roots"), 2, option, text)


Driver.run(killed, under_the_command, handled, own_signals, snapshots, children, sizes)
