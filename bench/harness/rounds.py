"""Measuring one program: all its processes side by side, one run of each in turn."""

import math
import statistics
import sys

import catalogue
import machine
from served import Served

# How many times the seconds of all its runs a rival may take for its first one before it is left out.
FIRST_RUN = 5


class NoRoom(Exception):
    """The processes do not fit into the memory together."""


def measure(program, plan):
    """Starts a process for the serial variant and for each other variant and number of workers; returns them, the
    serial one first, with their runs made. Nothing runs at the same time as anything else."""
    processes = _processes(program, plan)
    processes[0].start()
    _check_room(program, processes)
    take_turns(processes, plan.repeat, plan.rival_seconds)
    return processes


def take_turns(processes, repeat, rival_seconds=math.inf):
    """Starts the processes, makes one run of each in turn until each had `repeat`, and ends them."""
    try:
        for process in processes:
            _show(f"{process.program}: {process.variant} on {process.workers}, first run")
            if not process.has_started:
                process.start()
        repeats = {process: _repeat(process, repeat, rival_seconds) for process in processes}
        for i in range(repeat):
            for process in processes:
                if i < repeats[process]:
                    _show(f"{process.program}: round {i + 1} of {repeat}, {process.variant} on {process.workers}")
                    process.run()
        for process in processes:
            process.finish()
    finally:
        _show("")
        for process in processes:
            if not process.report:
                process.abandon()


def _check_room(program, processes):
    """Raises NoRoom if the processes do not fit into the memory together; the first one, which has started, tells how much each
    needs. To start them all the same would make the kernel kill one, perhaps another user's."""
    need, room = processes[0].peak_mib(), machine.free_mib()
    if need * (len(processes) - 1) <= room:
        return
    processes[0].abandon()
    raise NoRoom(f"{program.name}: {len(processes)} processes of {need} MiB each, of which one has it, do not fit into the {room} MiB "
                 "that are free: measure fewer at a time, by --workers or --variants")


def over(other, process):
    """The ratios of the times of the same round, as median, min and max; None if there are none."""
    if other is None or process is other:
        return None
    ratios = [mine / theirs for mine, theirs in zip(process.seconds, other.seconds)]
    if not ratios:
        return None
    return {"median": statistics.median(ratios), "min": min(ratios), "max": max(ratios)}


def managed_beside(process, processes):
    """Plain stealing on as many workers; None if that was not measured."""
    return next((other for other in processes if (other.variant, other.workers) == ("managed", process.workers)), None)


def _processes(program, plan):
    executable = str(plan.build_dir / "bench" / program.executable)
    base = [executable, "--serve"] + catalogue.arguments(program, plan.sizes)
    processes = [Served(program.name, "serial", 1, base + ["--variant", "serial"], plan.timeout)]
    for variant in program.variants[1:]:
        for asked in [name for name in plan.variants if name.partition("@")[0] == variant]:
            resume = asked.partition("@")[2]
            for workers in _worker_counts(variant, plan):
                command = base + ["--variant", variant, "--workers", str(workers)] + (["--resume", resume] if resume else [])
                patience = FIRST_RUN * plan.rival_seconds if variant in catalogue.RIVALS else None
                processes.append(Served(program.name, asked, workers, command, plan.timeout, patience))
    return processes


def _worker_counts(variant, plan):
    return [1] if variant in catalogue.SERIAL else plan.workers


def _repeat(process, repeat, rival_seconds):
    """How many measured runs a process gets. Slow rivals get fewer: their share of the time would be the most, and
    their distance from the others is seen as well from a few."""
    if process.variant not in catalogue.RIVALS:
        return repeat
    affordable = int(rival_seconds / max(process.first_seconds, 1e-6))
    return max(1, min(repeat, affordable))


def _show(text):
    """What is going on, for a person who waits."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{text}")
        sys.stderr.flush()
