#!/usr/bin/env python3
"""`tine omp`: what it preloads and sets, how it ends, and the programs that it refuses. A library that runs nothing stands in for libtine_omp.so;
compat/openmp/tests/command_test.py has the real one."""

import os
import pathlib
import shutil
import signal

from driver import EMULATED, Driver

SHOW = "echo $LD_PRELOAD; echo $TINE_NUM_THREADS/$OMP_NUM_THREADS; echo $TINE_RECORD; echo $TINE_REPLAY"


def prepare(d: Driver) -> None:
    """Puts a copy of the command beside the stand-in, and another one where there is no library."""
    for folder in "with", "with out":
        (d.at / folder).mkdir()
        os.link(d.tine_path, d.at / folder / "tine") if os.stat(d.tine_path).st_dev == os.stat(d.at).st_dev else shutil.copy(d.tine_path, d.at / folder)
    d.library = d.at / "with/libtine_omp.so"
    shutil.copy(d.programs / "libomp_stand_in.so", d.library)
    shutil.copy(d.programs / "libomp_stand_in.so", d.at / "with out/libtine_omp.so")
    d.tine_path = d.at / "with/tine"


def environment(d: Driver) -> None:
    shown = d.expect(d.tine("omp", "--", "sh", "-c", SHOW), 0).stdout.splitlines()
    d.check(shown == [str(d.library), "/", "", ""], "it sets nothing that was not asked for", shown)
    other = d.programs / "libomp_stand_in.so"
    shown = d.expect(d.tine("omp", "--workers", 3, "--threads", "4,2", "--record", "a.journal", "--replay", "b.journal,serial", "--", "sh", "-c", SHOW,
                            env={"LD_PRELOAD": other}), 0).stdout.splitlines()
    d.check(shown == [f"{d.library}:{other}", "3/4,2", str(d.at / "a.journal"), str(d.at / "b.journal,serial")], "all options", shown)
    d.expect(d.tine("omp", "--", "sh", "-c", "grep -q libtine_omp /proc/$$/maps"), 0)
    d.check(d.tine("omp", "--", "sh", "-c", "cat", input="through").stdout == "through", "standard input")


def endings(d: Driver) -> None:
    d.expect(d.tine("omp", "--", "sh", "-c", "exit 7"), 7)
    d.expect(d.tine("omp", "--", "sh", "-c", "kill -9 $$"), -signal.SIGKILL)
    d.expect(d.tine("omp", "--", "sh", "-c", "kill -PIPE $$"), -signal.SIGPIPE)
    number = d.expect(d.tine("omp", "--", "sh", "-c", "echo $PPID"), 0).stdout
    d.check(int(number) == os.getpid(), "the command becomes the program", number)


def profiles(d: Driver) -> None:
    run = d.tine("omp", "--profile", "--", d.app, "two-roots", env={"TINE_NUM_THREADS": 2})
    d.expect(run, 0, "parallelism", "profile: ")
    d.check(len(list(d.at.glob("tine-*.profile"))) == 1, "it has the usual name")
    d.expect(d.tine("omp", "--profile=named.profile", "--workers", 3, "--", d.app, "two-roots"), 0, "with 3 workers", "named.profile")
    d.check(d.report("named.profile").get("forks", 0) > 0, "the profile is that of the program")
    d.expect(d.tine("omp", "--profile", "--", d.app), 2, "it has called no function of OpenMP")
    program = d.at / "openmp.sh"
    program.write_text("#!/bin/sh\n# libgomp.so\nexit 4\n")
    program.chmod(0o755)
    d.expect(d.tine("profile", "--", program), 2, f"It uses OpenMP: put `tine omp --` in front of {program}, so that it runs on tine.")


def changed(d: Driver, name: str, offset: int, byte: int) -> pathlib.Path:
    """Returns a copy of a program with another byte."""
    copy = d.at / name
    content = bytearray(d.app.read_bytes())
    content[offset] = byte
    copy.write_bytes(content)
    copy.chmod(0o755)
    return copy


def refusals(d: Driver) -> None:
    refused = "tine omp: libtine_omp.so cannot be preloaded: "
    other_machine, other_class = changed(d, "machine", 18, 40), changed(d, "class", 4, 1)
    for program in other_machine, other_class:
        d.expect(d.tine("omp", "--", program), 2, f"{refused}{program} is a program for another architecture; use the tine of its architecture")
    # PT_INTERP of the first segment that is one becomes PT_NULL.
    content = d.app.read_bytes()
    at = int.from_bytes(content[32:40], "little")
    while content[at:at + 4] != b"\x03\0\0\0":
        at += 56
    static = changed(d, "static", at, 0)
    d.expect(d.tine("omp", "--", static), 2, f"{refused}{static} is linked statically; link it dynamically, or with libtine_omp.a")
    with static.open("ab") as file:
        file.write(b"tine: OpenMP: ")
    d.expect(d.tine("omp", "--", static), 2, f"{refused}{static} contains libtine_omp.a; run it by itself")
    static = changed(d, "static", at, 0)
    script = d.write("script", f"#! {static} -x\n")
    script.chmod(0o755)
    d.expect(d.tine("omp", "--", script), 2, f"{refused}{static} is linked statically")
    d.expect(d.tine("omp", "--", "script", env={"PATH": f"/nope:{d.at}"}), 2, f"{refused}{static} is linked statically")
    itself = d.write("itself", f"#!{d.at}/itself\n")
    itself.chmod(0o755)
    d.expect(d.tine("omp", "--", itself), 2, f"tine omp: cannot run {itself}: ")
    d.expect(d.tine("omp", "--", "./nope"), 2, "tine omp: cannot run ./nope: No such file or directory")


def other_rights(d: Driver) -> None:
    mine = changed(d, "setuid", 0, 0x7f)
    mine.chmod(0o4755)
    d.expect(d.tine("omp", "--", mine, "two-roots"), 0)  # of this user: its rights are the same
    if os.getuid() != 0:
        print("not checked: a setuid program of another user, because only root can make one")
        return
    os.chown(mine, 65534, 65534)
    mine.chmod(0o4755)
    d.expect(d.tine("omp", "--", mine), 2, f"{mine} is setuid or setgid; run a copy that is not")


def wrong_usage(d: Driver) -> None:
    for value in "0", "4,,2", "4,", "x", "-1", "99999999999":
        d.expect(d.tine("omp", f"--threads={value}", "--", "true"), 2, f"--threads: '{value}' is not a number of threads")
    d.expect(d.tine("omp", "--workers", 513, "--", "true"), 2, "--workers")
    d.expect(d.tine("omp"), 2, "COMMAND is required")
    d.tine_path = d.at / "with out/tine"
    d.expect(d.tine("omp", "--", d.app), 2, "the dynamic linker preloads no file whose path has a blank or a colon")
    (d.at / "with out/libtine_omp.so").unlink()
    run = d.tine("omp", "--", d.app, "two-roots")
    if run.returncode == 0:
        print("not checked: a command without the library, because this one's installed tine has it")
        return
    d.expect(run, 2, "`tine omp` needs libtine_omp.so, which is neither beside this command nor installed with it: "
             "build the target tine_omp, or install the component `openmp`")


if __name__ == "__main__":
    # The first two run the machine's own shell, which is for another architecture if the command is emulated.
    Driver.run(prepare, *(() if EMULATED else (environment, endings)), profiles, refusals, other_rights, wrong_usage)
