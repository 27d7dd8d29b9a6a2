#!/usr/bin/env python3
"""Counts the instructions of forks, coroutines and chunks on aarch64, as off_path_test.py does by callgrind on x86-64: qemu writes the address of
every instruction that the program executes, and those count that belong to `measured`, without those of `wait`.

usage: count_by_qemu.py PROGRAM SYSROOT      PROGRAM is off_path, built for aarch64 with -O3 -DNDEBUG. It takes two minutes.

A short loop is not counted: the log makes its iterations so slow that the loop is not a short one.
"""
import os
import subprocess
import sys

from off_path_test import EXPECTED

PIE_BASE = 0x5500000000  # where qemu loads position-independent executables
INSTRUCTION = 4  # bytes


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def entries(program):
    """Returns the addresses of `measured` and `wait`."""
    base = PIE_BASE if "DYN" in output("aarch64-linux-gnu-readelf", "-h", program) else 0
    symbols = {words[2]: int(words[0], 16) for words in map(str.split, output("aarch64-linux-gnu-nm", program).splitlines()) if len(words) == 3}
    return base + symbols["measured"], base + symbols["wait"]


def count(program, sysroot, construct, size):
    measured, wait = entries(program)
    log, into = os.pipe()
    run = subprocess.Popen(["qemu-aarch64-static", "-L", sysroot, "-singlestep", "-d", "exec,nochain", "-D", f"/dev/fd/{into}",
                            program, construct, str(size)],
                           pass_fds=[into], env={**os.environ, "TINE_NUM_THREADS": "1"}, stdout=subprocess.DEVNULL)
    os.close(into)
    total, threads = 0, {}
    for line in os.fdopen(log):
        if not line.startswith("Trace "):
            continue
        thread, _, rest = line[len("Trace "):].partition(":")
        here = int(rest.split("/")[1], 16)
        # the addresses to which `measured` and `wait` return, 0 outside of them; and the last instruction of the thread
        after_measured, after_wait, last = threads.get(thread, (0, 0, 0))
        if here == after_wait:
            after_wait = 0
        if here == after_measured and not after_wait:
            after_measured = 0
        if here == measured and not after_measured:
            after_measured = last + INSTRUCTION
        elif here == wait and after_measured:
            after_wait = last + INSTRUCTION
        total += bool(after_measured and not after_wait)
        threads[thread] = (after_measured, after_wait, here)
    if run.wait() != 0:
        sys.exit(f"{program} {construct} {size} ended with {run.returncode}")
    return total


def main(program, sysroot):
    for construct, (few, many, more, on_x86) in EXPECTED.items():
        if construct.endswith("_loop"):  # the emulator is too slow for a loop to be short
            continue
        found = count(program, sysroot, construct, many) - count(program, sysroot, construct, few)
        print(f"{construct:10} {found / more:6.2f} instructions each, {found / on_x86:.2f} of those on x86-64")


if __name__ == "__main__":
    main(*sys.argv[1:])
