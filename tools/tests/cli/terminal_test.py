#!/usr/bin/env python3
"""Colours and the progress of long work: on a terminal, and nowhere else."""

import os
import pathlib
import re
import time

from driver import SANITIZED, WITHOUT_SPORK, Driver
from schedules import example, saved

BOLD, RED, GREEN, YELLOW, LIMIT, ERROR = (f"\x1b[{code}m" for code in ("1", "31", "32", "33", "1;33", "1;31"))
PROGRAM = pathlib.Path(__file__).parents[3] / "spork/bench/ir/fib.spork"
ERASE = "\r\x1b[K"
PROGRESS = re.compile(r"\rcomparing the engines: (\d+) of 100000000 programs, \d+ s\x1b\[K")


def colours(d: Driver) -> None:
    full, slower = d.make("full"), d.make("slower")
    shown = d.on_terminal("report", full)
    d.check(re.search(r"\x1b\[1m +work +span", shown) is not None, "headings are bold", shown)
    d.check(re.search(r"\x1b\[1;33mfill_rows [^\n]*\x1b\[0m", shown) is not None, "the limiting site has a colour", shown)
    d.check(shown.count(LIMIT + "fill_rows") == 1 and LIMIT + "sort_halves" not in shown, "and no other site has", shown)
    d.check(LIMIT + "limit  " in shown, "the verdict on serial time has a colour", shown)
    shown = d.on_terminal("diff", full, slower)
    d.check(f"{RED}work " in shown and f"{RED}sort_halves" in shown, "what got worse is red", shown)
    d.check(f"{GREEN}serial share" in shown, "what got better is green", shown)
    d.check("\nforks " in shown, "a figure that is neither good nor bad has no colour", shown)
    shown = d.on_terminal("diff", slower, full)
    d.check(f"{GREEN}work " in shown and f"{RED}serial share" in shown, "and the other way round", shown)
    shown = d.on_terminal("report", d.at / "missing")
    d.check(shown.startswith(f"{ERROR}tine report:\x1b[0m "), "the name in an error has a colour", shown)
    shown = d.on_terminal("reprot")
    d.check(shown.startswith(f"{ERROR}tine:\x1b[0m there is no reprot"), "and in an error of usage", shown)


def switches(d: Driver) -> None:
    full = d.make("full")
    plain = d.tine("report", full, env={"TERM": "xterm"})
    d.check(plain.returncode == 0 and "\x1b" not in plain.stdout + plain.stderr, "a pipe gets no escapes", plain.stdout)
    d.check("\x1b" not in d.tine("reprot", env={"TERM": "xterm"}).stderr, "nor errors in a pipe")
    for what, words, env, expected in (
        ("NO_COLOR", (), {"NO_COLOR": "1"}, False),
        ("an empty NO_COLOR", (), {"NO_COLOR": ""}, True),
        ("a dumb terminal", (), {"TERM": "dumb"}, False),
        ("--color=never", ("--color=never",), {}, False),
        ("--color=auto", ("--color=auto",), {}, True),
        ("--color=always over NO_COLOR", ("--color=always",), {"NO_COLOR": "1"}, True),
    ):
        shown = d.on_terminal(*words, "report", full, env=env)
        d.check(("\x1b[" in shown) == expected and "fill_rows" in shown, f"{what}: colours {expected}", shown)
    shown = d.on_terminal("report", full, "--color", "never")
    d.check("\x1b[" not in shown, "the option may follow the verb", shown)
    always = d.tine("--color=always", "report", full)
    d.check(BOLD in always.stdout, "--color=always in a pipe", always.stdout)
    d.check(re.sub(r"\x1b\[[\d;]*m", "", always.stdout) == plain.stdout, "colours change no text", always.stdout)
    d.expect(d.tine("--color=sometimes", "report", full), 2, "--color", "auto,always,never")


def schedule_differences(d: Driver) -> None:
    after = example()
    after["nodes"][0][1]["pieces"][0]["run"]["owner"] = 3
    shown = d.on_terminal("schedule", "diff", saved(d, "before", example()), saved(d, "after", after))
    d.check(f"{YELLOW}~ " in shown, "differences of schedules have colours", shown)


def shown_until(d: Driver, process, terminal: int, holds) -> str:
    """Returns what the terminal shows until the condition holds, and ends the process."""
    shown = ""
    while not holds(shown):
        piece = d.shown_next(terminal)
        if not piece:
            break
        shown += piece
    process.terminate()
    process.wait(60)
    os.close(terminal)
    return shown


def check_begins(d: Driver, process, terminal: int, line: str) -> None:
    shown = shown_until(d, process, terminal, lambda text: line in text)
    d.check(line in shown, f"{process.args[1:3]} shows {line!r}", shown)


def progress(d: Driver) -> None:
    process, terminal = d.start_on_terminal("ir", "fuzz", "--count", "100000000")
    shown = shown_until(d, process, terminal, lambda text: len(set(PROGRESS.findall(text))) >= 2)
    steps = [int(n) for n in PROGRESS.findall(shown)]
    d.check(len(steps) >= 2 and 0 < steps[0] < steps[-1], "the line shows how far the work is", shown)

    work = ("ir", "fuzz", "--count", 1000)  # seconds
    shown = d.on_terminal(*work, env={"NO_COLOR": "1"})
    before, _, after = shown.rpartition(ERASE)
    d.check("\rcomparing" in before and after.startswith("1000 programs"), "the line is gone before the result", shown)
    shown = d.on_terminal(*work, env={"TERM": "dumb"})
    d.check(shown == "1000 programs from seed 1 on: all engines agree\r\n", "no progress on a dumb terminal", shown)
    quiet = d.tine(*work, env={"TERM": "xterm"})
    d.check(quiet.returncode == 0 and quiet.stderr == "", "no progress in a pipe", quiet.stderr)


def every_long_work(d: Driver) -> None:
    if not WITHOUT_SPORK:
        process, terminal = d.start_on_terminal("ir", "explore", PROGRAM, "--max-states", "1000000000")
        check_begins(d, process, terminal, " states, ")
    if not SANITIZED:
        process, terminal = d.start_on_terminal("calibrate", "--dry-run")
        check_begins(d, process, terminal, " of 8 steps, ")
    process, terminal = d.start_on_terminal("report", d.make("large"))
    check_begins(d, process, terminal, "\rreading ")
    pipe = d.at / "pipe"  # opening it to read waits for a writer
    os.mkfifo(pipe)
    for verb in "show", "gantt", "export":
        process, terminal = d.start_on_terminal("schedule", verb, pipe, *(["--to", "dot"] if verb == "export" else []))
        check_begins(d, process, terminal, "\rreading ")
    process, terminal = d.start_on_terminal("schedule", "diff", saved(d, "before", example()), pipe)
    check_begins(d, process, terminal, "\rreading ")


def short_work(d: Driver) -> None:
    began = time.monotonic()
    shown = d.on_terminal("report", d.make("full"), "--color=never")
    if time.monotonic() - began < 0.5:
        d.check("reading" not in shown and "\x1b" not in shown, "short work shows no progress", shown)


Driver.run(colours, switches, schedule_differences, *([] if WITHOUT_SPORK else [progress]), every_long_work, short_work)
