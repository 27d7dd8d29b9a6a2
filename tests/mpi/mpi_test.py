#!/usr/bin/env python3
"""Starts a program with several numbers of ranks, over shared memory and over TCP, and counts what its last lines say.

    mpi_test.py storm|awaitables|... PROGRAM [--mpirun MPIRUN] [--long] [--seed N] [--rounds N]
    mpi_test.py examples FOLDER [--tine TINE] ...
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time


def environment(workers, tcp=False):
    """The environment of a job, also for the superuser of a container, and with what sanitizers need."""
    return dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", TINE_NUM_THREADS=str(workers),
                # Containers often forbid a process to read the memory of another one, which Open MPI then does in vain.
                OMPI_MCA_btl_vader_single_copy_mechanism="none",
                **({"UCX_TLS": "tcp,self"} if tcp else {}),  # for MPICH
                # MPI leaves memory to the end of the process, in modules that it has unloaded by then, so that no list
                # of exceptions names it.
                ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0",
                # The libraries of MPI are not instrumented.
                TSAN_OPTIONS=os.environ.get("TSAN_OPTIONS", "") + ":ignore_noninstrumented_modules=1")


def is_open_mpi(mpirun):
    said = subprocess.run([mpirun, "--version"], capture_output=True, text=True).stdout
    return "Open MPI" in said or "OpenRTE" in said  # as mpirun, and as mpiexec


COUNTS = re.compile(r"^(\d+) passed, (\d+) failed$", re.M)


def output_of(command, variables, timeout, may_hang_at_end):
    """Runs a job and returns its output and its exit code, "no end" after `timeout` seconds. A job that may hang at its end is ended 10 seconds
    after it has printed its counts, with the exit code 0."""
    with tempfile.TemporaryFile() as file:
        job = subprocess.Popen(command, env=variables, stdout=file, stderr=subprocess.STDOUT)
        end, code_if_late = time.monotonic() + timeout, "no end"
        while True:
            code = None
            try:
                code = job.wait(0.2)
            except subprocess.TimeoutExpired:
                pass
            output = os.pread(file.fileno(), 1 << 24, 0).decode(errors="replace")
            if code is None and time.monotonic() >= end:
                job.terminate()  # not SIGKILL, after which the ranks would run on
                job.wait()
                code = code_if_late
            if code is not None:
                return output, code
            if may_hang_at_end and code_if_late != 0 and COUNTS.search(output):
                end, code_if_late = time.monotonic() + 10, 0


class jobs:
    def __init__(self, mpirun):
        self.mpirun, self.open_mpi = mpirun, is_open_mpi(mpirun)
        self.passed = self.failed = 0

    def command(self, ranks, tcp):
        if not self.open_mpi:
            return [self.mpirun, "-n", str(ranks)]
        return [self.mpirun, "--oversubscribe", "--bind-to", "none", *(["--mca", "btl", "tcp,self"] if tcp else []), "-n", str(ranks)]

    def run(self, program, ranks, workers, *arguments, tcp=False, timeout=250):
        """Runs one job, or, for 0 ranks, the program without mpirun. Adds what its last line counts."""
        command = ([] if ranks == 0 else self.command(ranks, tcp)) + [program, *map(str, arguments)]
        began = time.monotonic()
        # The TCP of UCX, on which MPICH runs, often hangs in MPI_Finalize on a busy machine, also in programs without
        # tine (https://github.com/openucx/ucx/issues/8738). Such a job has said all by then.
        output, code = output_of(command, environment(workers, tcp), timeout, may_hang_at_end=tcp and not self.open_mpi)
        counts = COUNTS.findall(output)
        passed, failed = map(int, counts[-1]) if counts else (0, 0)
        if failed == 0 and (code != 0 or not counts):
            failed = 1
        print(f"{ranks} ranks, {workers} workers{', TCP' if tcp else ''} {' '.join(map(str, arguments))}: {passed} passed, {failed} failed "
              f"({time.monotonic() - began:.1f} s)", flush=True)
        if failed:
            print(f"TINE_NUM_THREADS={workers} {' '.join(command)}\n{output}")
        self.passed += passed
        self.failed += failed


def storm(j, program, long, seed, rounds, *_):
    if long:
        for workers, ranks, tcp in [(1, 8, False), (2, 8, False), (1, 4, True), (8, 3, False)]:
            j.run(program, ranks, workers, "--seed", seed, "--rounds", rounds or 1000, tcp=tcp, timeout=3600)
        j.run(program, 4, 2, "--seed", seed, "--rounds", rounds or 1000, "--multiple", timeout=3600)
        return
    j.run(program, 0, 2, "--seed", seed, "--rounds", 2)
    for workers, ranks, tcp in [(1, 8, False), (2, 4, False), (2, 3, True)]:
        j.run(program, ranks, workers, "--seed", seed, "--rounds", rounds or 3, tcp=tcp)
    j.run(program, 2, 2, "--seed", seed, "--rounds", rounds or 2, "--multiple")


def awaitables(j, program, *_):
    j.run(program, 0, 2)
    j.run(program, 2, 1)
    j.run(program, 3, 2, "--delays")
    j.run(program, 2, 2, tcp=True)
    j.run(program, 3, 2, "--multiple", "--delays")


def answers(j, program, *others):
    for ranks, workers, tcp in [(0, 2, False), (2, 1, False), (3, 2, True), (4, 1, False), (8, 1, True)]:
        j.run(program, ranks, workers, tcp=tcp)


def examples(j, folder, long, seed, rounds, tine):
    """The programs of examples/mpi, which check their answers, with every number of ranks over both ways."""
    jobs_of = [("uts", "t1"), ("uts", "t3"), ("heat", "200", "50")] + ([("uts", "t1l"), ("heat", "1000", "200")] if long else [])
    for name, *arguments in jobs_of:
        ways = [(0, False), *((r, tcp) for r in (2, 3, 4, 8) for tcp in (False, True))] if long else [(0, False), (2, False), (3, True), (8, True)]
        for ranks, tcp in ways:
            began = time.monotonic()
            command = ([] if ranks == 0 else j.command(ranks, tcp)) + [f"{folder}/{name}", *arguments]
            done = subprocess.run(command, env=environment(2 if ranks == 0 else 1, tcp), capture_output=True, text=True, timeout=200)
            good = done.returncode == 0
            print(f"{ranks} ranks{', TCP' if tcp else ''} {name} {' '.join(arguments)}: {'passed' if good else 'failed'} "
                  f"({time.monotonic() - began:.1f} s)", flush=True)
            if not good:
                print(" ".join(command), done.stdout, done.stderr)
            j.passed, j.failed = j.passed + good, j.failed + (not good)
    profiles(j, f"{folder}/uts", tine)


def profiles(j, program, tine):
    """A process without a launcher leaves one profile, and each rank of a job one of its own, which `tine report` joins."""
    with tempfile.TemporaryDirectory() as folder:
        written, wrong = [], []
        for ranks in 0, 3:
            command = ([] if ranks == 0 else j.command(ranks, False)) + [program, "t3"]
            done = subprocess.run(command, env={**environment(1), "TINE_PROFILE": f"work,span,grain:{folder}/{ranks}.profile"},
                                  capture_output=True, text=True, timeout=100)
            if done.returncode != 0:
                wrong.append(done.stdout + done.stderr)
        written = sorted(os.listdir(folder))
        if written != ["0.profile", "3.rank0.profile", "3.rank1.profile", "3.rank2.profile"]:
            wrong.append(f"the profiles are {written}")
        if tine and not wrong:
            wrong += wrong_in_job(tine, [f"{folder}/{name}" for name in written[1:]])
        print(f"profiles of three ranks: {'passed' if not wrong else 'failed: '}", *wrong)
        j.passed, j.failed = j.passed + (not wrong), j.failed + bool(wrong)


def wrong_in_job(tine, files):
    """Returns the facts that do not hold in the report of three ranks, each with the report."""
    report = subprocess.run([tine, "report", *files, "--json"], capture_output=True, text=True, timeout=100)
    if report.returncode != 0:
        return [report.stderr]
    job = json.loads(report.stdout)
    ranks = job["job"]["by_rank"]
    spans = [json.loads(subprocess.run([tine, "report", f, "--json"], capture_output=True, text=True).stdout)["roots"] for f in files]
    facts = {
        "the ranks": [r["rank"] for r in ranks] == [0, 1, 2] and job["job"]["missing"] == [],
        "the work": job["roots"]["work_ns"] == sum(s["work_ns"] for s in spans) and abs(sum(r["work_share"] for r in ranks) - 1) < 1e-9,
        "the span": job["roots"]["span_ns"]["low"] == max(s["span_ns"]["low"] for s in spans),
        "the forks": job["forks"] > 500_000,  # of 4,112,897 nodes an eighth has children, eight each
        "work came from other ranks": sum(r["steals"] for r in ranks) > 0 and sum(r["given"] for r in ranks) >= sum(r["steals"] for r in ranks),
        "messages": min(r["messages"] for r in ranks) > 0 and min(r["bytes"] for r in ranks) > 0,
        "the time": job["job"]["wall_ns"] >= max(r["begin_ns"] + r["wall_ns"] for r in ranks),
        "periods without work": all(abs(sum(p["without_work_ns"] for p in r["idle_periods"]) - r["without_work_ns"]) < 10_000 for r in ranks),
    }
    return [f"{fact}: {report.stdout[:2000]}" for fact, holds in facts.items() if not holds]


# name -> ranks, whether the job fails, what it must print
ENDINGS = {
    "level": (1, False, ["level: tine::mpi::environment: MPI provides MPI_THREAD_", "and MPI_THREAD_MULTIPLE is needed"]),
    "policy": (1, False, ["policy: tine::mpi::team: the pool must have resume_policy::same_thread"]),
    "arguments": (2, False, ["radix: tine::mpi::team: the radix of the lifelines is 1, and must be 2 or more",
                             "ranks: tine::mpi::distribution: it is for 3 ranks, but the team has 2"]),
    "failed": (2, False, ["rank 0 got: tine::mpi: rank 1: no more (of rank 1)", "rank 1 got: tine::mpi: rank 1: no more (of rank 1)"]),
    "exception": (2, True, ["tine::mpi: rank 1: no code has caught the exception 'rank 1 gives up'. The job ends."]),
    "error": (2, True, ["tine::mpi: rank 1: MPI_Isend failed: ", "The job ends."]),
    "killed": (2, True, []),
}


def endings(j, program, *_):
    for name, (ranks, fails, texts) in ENDINGS.items():
        began = time.monotonic()
        try:
            done = subprocess.run(j.command(ranks, False) + [program, name], env=environment(1), capture_output=True, text=True, timeout=50)
            output, code = done.stdout + done.stderr, done.returncode
        except subprocess.TimeoutExpired as late:
            output, code = str(late.stdout), "no end"
        wrong = [f"'{t}' is missing" for t in texts if t not in output]
        if code == "no end" or (code != 0) != fails:
            wrong.append(f"the job ends with {code}")
        print(f"{name}: {'; '.join(wrong) or 'as it must'} ({time.monotonic() - began:.1f} s)", flush=True)
        if wrong:
            print(output)
        j.passed, j.failed = j.passed + (not wrong), j.failed + bool(wrong)


KINDS = {"storm": storm, "awaitables": awaitables, "endings": endings, "answers": answers, "examples": examples}


def main():
    a = argparse.ArgumentParser()
    a.add_argument("what", choices=list(KINDS))
    a.add_argument("program")
    a.add_argument("--mpirun", default="mpirun")
    a.add_argument("--tine", help="the tine command, for the profiles of the examples")
    a.add_argument("--long", action="store_true")
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--rounds", type=int)
    given = a.parse_args()
    j = jobs(given.mpirun)
    KINDS[given.what](j, given.program, given.long, given.seed, given.rounds, given.tine)
    print(f"{j.passed} passed, {j.failed} failed")
    return 0 if j.failed == 0 and j.passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
