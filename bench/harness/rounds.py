"""Measures one program: all its processes exist side by side, and make one run each in turn."""

import math
import statistics
import sys

import catalogue
import machine
from served import Served

# A rival is left out if its first run takes more than this many times the seconds that all its runs may take.
FIRST_RUN = 5


class NoRoom(Exception):
    """The processes do not fit into the memory together."""


def measure(program, plan):
    """Starts a process for the serial variant and for each other variant and number of workers, and makes their runs, one
    at a time. Returns the processes, the serial one first."""
    processes = _processes(program, plan)
    processes[0].start()
    _check_room(program, processes)
    take_turns(processes, plan.repeat, plan.rival_seconds, plan.labels)
    return processes


def take_turns(processes, repeat, rival_seconds=math.inf, labels={}, before_round=lambda: None):
    """Starts the processes, makes one run of each in turn until each has made its runs, at most `repeat`, and ends them. `labels`
    has the names of variants in the progress, if they differ from their own names. `before_round` is called before each round."""
    def name(process):
        return f"{labels.get(process.variant, process.variant)} on {process.workers}"

    try:
        for process in processes:
            _show(f"{process.program}: {name(process)}, first run")
            if not process.has_started:
                process.start()
        repeats = {process: _repeat(process, repeat, rival_seconds) for process in processes}
        for i in range(repeat):
            before_round()
            for process in processes:
                if i < repeats[process]:
                    _show(f"{process.program}: round {i + 1} of {repeat}, {name(process)}")
                    process.run()
        for process in processes:
            process.finish()
    finally:
        _show("")
        for process in processes:
            if not process.report:
                process.abandon()


def _show(text):
    """Shows on a terminal what is being measured, in one line that changes."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def _check_room(program, processes):
    """Raises NoRoom if the processes do not fit into the memory together. Each is assumed to need as much as the first, which has
    started. If all were started nevertheless, the kernel would kill a process, perhaps another user's."""
    need, room = processes[0].peak_mib(), machine.free_mib()
    if need * (len(processes) - 1) <= room:
        return
    processes[0].abandon()
    raise NoRoom(f"{program.name}: {len(processes)} processes of {need} MiB each, of which one has it, do not fit into the {room} MiB "
                 "that are free: measure fewer at a time, by --workers or --variants")


def over(other, process):
    """Returns the ratios of the times of the same round, as median, min and max; None if there are none."""
    if other is None or process is other:
        return None
    ratios = [mine / theirs for mine, theirs in zip(process.seconds, other.seconds)]
    if not ratios:
        return None
    return {"median": statistics.median(ratios), "min": min(ratios), "max": max(ratios)}


def managed_beside(process, processes):
    """Returns the process of plain stealing on as many workers; None if it was not measured."""
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
                processes.append(Served(program.name, asked, workers, command, plan.timeout, patience, settles=not plan.quick))
    return processes


def _worker_counts(variant, plan):
    return [1] if variant in catalogue.SERIAL else plan.workers


def _repeat(process, repeat, rival_seconds):
    """Returns the number of measured runs of a process. Slow rivals get fewer runs: they would take most of the time, and a
    few runs show their distance from the others as well."""
    if process.variant not in catalogue.RIVALS:
        return repeat
    affordable = int(rival_seconds / max(process.first_seconds, 1e-6))
    return max(1, min(repeat, affordable))
