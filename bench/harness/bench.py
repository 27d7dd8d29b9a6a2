#!/usr/bin/env python3
"""The benchmark driver behind ./dev bench: measures variants side by side and compares them with serial code."""

import argparse
import datetime
import sys
from dataclasses import dataclass, field
from pathlib import Path

import catalogue
import machine
import memory
import microscope
import report
import rounds
import study
import study_algorithms
import study_coarsening
import study_locality
import study_mpi
import study_parallel_ml
import study_quickhull
import study_races
import study_release
import study_score
import study_simulate
import study_timeline
import study_whatif

ROOT = Path(__file__).resolve().parent.parent.parent
DATED = "dated"  # --json without a file
MOST_WORKERS = 512
STUDIES = {"quickhull": study_quickhull, "release": study_release, "score": study_score, "locality": study_locality,
           "coarsening": study_coarsening, "algorithms": study_algorithms, "races": study_races, "mpi": study_mpi,
           "whatif": study_whatif, "simulate": study_simulate, "timeline": study_timeline, "parallel-ml": study_parallel_ml}

DESCRIPTION = f"""\
Measures benchmark programs. Each program's serial variant and each other variant and number of workers is a process of
its own; they take turns, one run each, and a ratio is formed from the times of one round. Every answer is checked; a
wrong one, or a process that fails, makes the exit status 1.

programs: {", ".join(catalogue.PROGRAMS)}
variants: {", ".join(catalogue.VARIANTS)}
suites:   {"; ".join(f"{name} = {' '.join(suite.programs)}" for name, suite in catalogue.SUITES.items())}
"""


@dataclass
class Plan:
    """The programs to measure, and the way to measure them."""

    programs: list
    variants: list
    workers: list
    repeat: int
    rival_seconds: float
    sizes: str
    timeout: float
    build_dir: Path
    json: Path = None
    memory: bool = False
    microscope: bool = False
    analyses: str = None
    study: str = None
    quick: bool = False
    labels: dict = field(default_factory=dict)  # names of variants in the table


def main():
    plan = read_plan(sys.argv[1:])
    facts = {"commit": machine.commit(ROOT), "machine": machine.machine()}
    print_opening(plan, facts)
    if plan.memory:
        return memory.sweep(plan)
    if plan.microscope:
        return microscope.sweep(plan)
    if plan.study:
        return run_study(plan)
    if plan.sizes:
        facts["sizes"] = plan.sizes
    report.print_header(plan.labels)
    complaints, right = [], 0
    for program in plan.programs:
        try:
            processes = rounds.measure(program, plan)
        except rounds.NoRoom as error:
            complaints.append(str(error))
            continue
        report.print_rows(processes, plan.labels)
        if plan.json:
            report.append_json(plan.json, processes, facts)
        complaints += [text for text in map(report.complaint, processes) if text]
        right += sum(not process.too_slow and report.verified(process) for process in processes)
    for text in complaints:
        print(f"bench: {text}", file=sys.stderr)
    if plan.quick:
        print(f"{right} passed, {len(complaints)} failed")
    return 1 if complaints else 0


def run_study(plan):
    try:
        one = study.Study(plan.study, plan.build_dir, plan.json)
        STUDIES[plan.study].run(one, plan.quick)
    except (RuntimeError, ValueError) as error:
        print(f"bench: {plan.study}: {error}", file=sys.stderr)
        return 1
    return one.end()


def read_plan(arguments):
    parser = argparse.ArgumentParser(
        prog="./dev bench", usage="./dev bench [PROGRAM...] [OPTION...]", description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("programs", metavar="PROGRAM", nargs="*", help="what to measure; all of the suite by default")
    parser.add_argument("--suite", default="base", metavar="NAME", help="programs and repeats (default: base)")
    parser.add_argument("--executables", metavar="A,B", help="of the suite, only the programs of these executables in bench/")
    parser.add_argument("--quick", action="store_true", help="small sizes and few runs: checks answers, not speed")
    parser.add_argument("--large", action="store_true",
                        help="sizes beyond the processor's caches, and few runs; a program with little data has its usual size")
    parser.add_argument("--study", metavar="NAME",
                        help=f"instead of programs, a case study with its checks: {', '.join(STUDIES)}")
    parser.add_argument("--memory", action="store_true",
                        help="instead of times, peak memory of the coroutine variants over the number of workers "
                             f"(default: {','.join(map(str, memory.WORKERS))}), with a fitted power of it")
    parser.add_argument("--microscope", action="store_true",
                        help="instead of times, what a profile adds to them, and what it was predicted to add")
    parser.add_argument("--analyses", metavar="A,B", help=f"what --microscope has in the profile (default: {microscope.ANALYSES})")
    parser.add_argument("--workers", metavar="N,N", help="numbers of workers (default: 1 and all processors)")
    parser.add_argument("--variants", metavar="A,B", help="variants beside serial, which always runs (default: the suite's); "
                             "managed@origin is managed with that resume policy")
    parser.add_argument("--repeat", type=int, metavar="N", help="runs of each process (default: the suite's, base: 9)")
    parser.add_argument("--rival-seconds", type=float, metavar="S",
                        help="tbb and openmp get fewer runs to stay below this time (default: the suite's, base: 20)")
    parser.add_argument("--timeout", type=float, default=300, metavar="S",
                        help="a process that takes longer for one run is killed (default: 300)")
    parser.add_argument("--json", nargs="?", const=DATED, metavar="FILE",
                        help="append one JSON object a line (default FILE: a dated one in bench/results)")
    parser.add_argument("--build-dir", type=Path, default=ROOT / "build" / "release", metavar="DIR",
                        help="where the programs were built (default: build/release)")
    try:
        return checked(parser.parse_args(arguments))
    except ValueError as error:
        parser.error(str(error))  # exits with status 2


def checked(given):
    """Returns the plan that the arguments describe. Raises ValueError with a message for the user."""
    suite = catalogue.SUITES[one_of("--suite", given.suite, catalogue.SUITES)]
    if given.json in catalogue.PROGRAMS:
        raise ValueError(f"--json: '{given.json}' is a program; name programs before the options")
    names = [one_of("PROGRAM", name, catalogue.PROGRAMS) for name in given.programs or suite.programs]
    if given.executables:
        known = sorted({program.executable for program in catalogue.PROGRAMS.values()})
        chosen = [one_of("--executables", name, known) for name in given.executables.split(",")]
        names = [name for name in names if catalogue.PROGRAMS[name].executable in chosen]
    if given.study:
        one_of("--study", given.study, STUDIES)
        names = []
    variants = catalogue.COROUTINES if given.memory else microscope.VARIANTS if given.microscope else suite.variants
    if given.variants:
        variants = [variant_with_resume(name, given) for name in given.variants.split(",")]
    plan = Plan(
        programs=[catalogue.PROGRAMS[name] for name in dict.fromkeys(names)],
        variants=variants,
        workers=numbers_of_workers(given.workers, memory.WORKERS if given.memory else None),
        repeat=memory.REPEAT if given.memory else suite.repeat,
        rival_seconds=suite.rival_seconds,
        sizes=suite.sizes,
        timeout=positive("--timeout", given.timeout),
        build_dir=given.build_dir,
        json=json_path(given),
        memory=given.memory,
        microscope=given.microscope,
        analyses=given.analyses or microscope.ANALYSES,
        study=given.study,
        quick=given.quick,
        labels=suite.labels,
    )
    if given.quick and given.large:
        raise ValueError("--quick and --large are two sizes; ask for one")
    if given.large and (given.study or given.memory or given.microscope):
        raise ValueError("--large does not go with --study, --memory and --microscope, which have sizes of their own")
    if given.large and not any(program.large for program in plan.programs):
        raise ValueError("--large: none of these programs has a large size; "
                         "those of the suites parallel-ml and locality that move much memory have")
    if given.quick or given.large:
        vars(plan).update(catalogue.QUICK if given.quick else catalogue.LARGE)
    if bool(plan.study) + plan.memory + plan.microscope > 1 or (plan.study and given.programs):
        raise ValueError("--memory, --microscope and --study are measurements of their own; ask for one at a time")
    if given.analyses and not plan.microscope:
        raise ValueError("--analyses goes with --microscope only")
    if plan.study and (given.workers or given.repeat or given.variants):
        raise ValueError("--study sets its own workers, repeats and variants")
    if (plan.memory or plan.microscope) and plan.json:
        raise ValueError("--json does not go with --memory and --microscope, which only print a table")
    if given.repeat is not None:
        plan.repeat = positive("--repeat", given.repeat)
    if given.rival_seconds is not None:
        plan.rival_seconds = positive("--rival-seconds", given.rival_seconds)
    for program in plan.programs:
        if not (plan.build_dir / "bench" / program.executable).is_file():
            raise ValueError(f"there is no program bench/{program.executable} in --build-dir; "
                             "`./dev build release` makes it in build/release")
    return plan


def variant_with_resume(text, given):
    """Checks the name of a variant, which may have a resume policy after an @, such as managed@origin, and returns it."""
    name, at, resume = text.partition("@")
    one_of("--variants", name, catalogue.VARIANTS)
    if at:
        one_of("--variants: the policy after @", resume, catalogue.RESUME)
        if name in catalogue.RIVALS or given.memory or given.microscope:
            raise ValueError(f"--variants: '{text}' has a resume policy, which only times of tine's variants can have")
    return text


def one_of(what, name, allowed):
    if name not in allowed:
        raise ValueError(f"{what}: '{name}' is not one of {', '.join(allowed)}")
    return name


def positive(what, number):
    if not number > 0:
        raise ValueError(f"{what}: {number:g} is not allowed, it must be more than 0")
    return number


def numbers_of_workers(text, default):
    if text is None:
        return default or sorted({1, machine.machine()["cores"]})
    numbers = [int(word) if word.isdecimal() else 0 for word in text.split(",")]
    if not all(1 <= number <= MOST_WORKERS for number in numbers):
        raise ValueError(f"--workers: '{text}' is not a list of numbers from 1 to {MOST_WORKERS}, such as 1,2")
    return list(dict.fromkeys(numbers))


def json_path(given):
    if given.json is None or given.json != DATED:
        return Path(given.json) if given.json else None
    what = f"study-{given.study}" if given.study else "-".join(given.programs) or given.suite
    return ROOT / "bench" / "results" / f"{datetime.date.today().isoformat()}-{what}.jsonl"


def print_opening(plan, facts):
    where = facts["machine"]
    print(f"{where['cpu']}, {where['cores']} processors, {where['kernel']}, {where['memory_gib']} GiB; "
          f"commit {facts['commit']}" + (f"; up to {plan.repeat} runs each" if plan.programs else ""))
    for program in plan.programs:
        chosen = catalogue.arguments(program, plan.sizes)[len(program.arguments):]
        if chosen:
            print(f"{program.name} runs at another size than usual: {' '.join(chosen)}")
    warning = machine.busy_warning()
    if warning:
        print(warning)
    print()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
