#!/usr/bin/env python3
"""Links programs of each compiler and optimisation level with libraries of each compiler and build mode, and runs them.

The libraries are those of the presets release, gcc and asan, which are built if they are not there. A program has two files;
some programs have one of each compiler. The last line is `N passed, N failed`."""

import argparse
import itertools
import os
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent

CLANG, GCC = "clang++-19", "g++-12"
LIBRARIES = ["release", "gcc", "asan"]  # presets
# -O0 has assertions, the others have none
FLAGS = {"O0": ["-O0"], "O2": ["-O2", "-DNDEBUG"], "O3": ["-O3", "-DNDEBUG"]}
PROGRAMS = [(f"{name}-{level}", compiler, FLAGS[level])
            for (name, compiler), level in itertools.product([("clang", CLANG), ("gcc", GCC)], FLAGS)]
MIXED = [("clang-O2", "gcc-O0"), ("gcc-O2", "clang-O0"), ("clang-O3", "clang-O0"), ("clang-O0", "gcc-O3")]
TIMEOUT_S = 300
FILES = ["libtine_profiler.a", "libtine_replay.a", "libtine.a"]


def build_libraries(preset):
    """Returns the paths of the preset's libraries, which are configured and built if necessary."""
    folder = ROOT / "build" / preset
    if not (folder / "build.ninja").exists():
        subprocess.run(["cmake", "--preset", preset, "--log-level=NOTICE"], cwd=ROOT, check=True)
    files = [f"src/{file}" for file in FILES]
    subprocess.run(["cmake", "--build", folder, "--target", *files], cwd=ROOT, check=True)
    return [folder / file for file in files]


def compile_file(include, out, name, compiler, flags, file):
    """Compiles one file of one program and returns its object."""
    target = out / f"{file}-{name}.o"
    launcher = ["ccache"] if subprocess.run(["which", "ccache"], capture_output=True).returncode == 0 else []
    subprocess.run([*launcher, compiler, "-std=c++20", "-g1", *flags, f"-I{include}", "-c", HERE / f"{file}.cpp", "-o", target],
                   check=True)
    return target


def is_hidden_where_kept(out):
    """Returns true if the functions that preserve registers cannot be called through the procedure linkage table."""
    target = compile_file(ROOT / "include", out, "clang-pic", CLANG, ["-O2", "-DNDEBUG", "-fPIC"], "first")
    symbols = subprocess.run(["readelf", "-sW", target], capture_output=True, text=True, check=True).stdout
    kept = [line for line in symbols.splitlines() if line.endswith(" _ZN4tine5sched4pollEv")]
    return bool(kept) and all(" HIDDEN " in line for line in kept)


def link(out, preset, libraries, first, second):
    """Links two objects, `-O` levels as in their names, with the libraries, and returns the program."""
    program = out / f"{preset}-{first}-{second}"
    sanitizers = ["-fsanitize=address,undefined"] if preset == "asan" else []
    subprocess.run([CLANG, *sanitizers, out / f"first-{first}.o", out / f"second-{second}.o", *libraries, "-o", program,
                    "-lboost_context", "-lhwloc", "-pthread"], check=True)
    return program


def run(program):
    """Runs the program. Returns None and the layouts that it printed, or the problem and None."""
    environment = dict(os.environ, ASAN_OPTIONS="detect_stack_use_after_return=0:detect_leaks=1")
    try:
        done = subprocess.run([program], capture_output=True, text=True, timeout=TIMEOUT_S, env=environment)
    except subprocess.TimeoutExpired:
        return f"did not end in {TIMEOUT_S} s", None
    if done.returncode != 0:
        return f"exit code {done.returncode}\n{done.stdout}{done.stderr}", None
    return None, [line.split(":", 1)[1] for line in done.stdout.splitlines() if line.startswith("layout")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", action="append", metavar="PRESET=FOLDER", default=[],
                        help="the folder of libraries that are built already, instead of a preset's")
    parser.add_argument("--include", default=ROOT / "include", help="the headers of the programs")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build" / "border", help="where the programs go")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    given = dict(entry.split("=", 1) for entry in asked.library)
    libraries = {preset: [pathlib.Path(given[preset]) / file for file in FILES] if preset in given else build_libraries(preset)
                 for preset in (given or LIBRARIES)}
    pairs = [(name, name) for name, _, _ in PROGRAMS] + MIXED
    cases = [(preset, *pair) for preset in libraries for pair in pairs]
    with ThreadPoolExecutor(asked.jobs) as pool:
        files = [(*program, file) for program in PROGRAMS for file in ("first", "second")]
        list(pool.map(lambda f: compile_file(asked.include, asked.out, *f), files))
        programs = list(pool.map(lambda c: link(asked.out, c[0], libraries[c[0]], c[1], c[2]), cases))
        results = list(pool.map(run, programs))
    failed, layouts = 0, set()
    for case, (problem, printed) in zip(cases, results):
        print(f"{case[0]} library, program of {case[1]} and {case[2]}: {problem or 'passed'}")
        failed += problem is not None
        layouts.update(printed or [])
    if len(layouts) > 1:
        print("the layouts differ:", *sorted(layouts), sep="\n")
    failed += len(layouts) > 1
    if not is_hidden_where_kept(asked.out):
        print("the functions that preserve registers are not hidden")
        failed += 1
    print(f"{len(cases) + 2 - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
