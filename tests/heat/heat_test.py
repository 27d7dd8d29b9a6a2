#!/usr/bin/env python3
"""Runs the example heat: plain, along a saved schedule, profiled, and built by a stranger with an installed tine.

usage: heat_test.py SOURCE BUILD WORK HEAT TINE

The oracle simulates the plates in Python, in the order of operations in which the program adds, so that the printed numbers must be
equal to the last digit."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

SIZE, STEPS = 24, 40
passed = failed = 0


def check(what, holds, detail=""):
    global passed, failed
    passed, failed = passed + bool(holds), failed + (not holds)
    if not holds:
        print(f"failed: {what}\n{detail}")


def run(*words, **environment):
    done = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300,
                          env={**os.environ, **environment}, check=False)
    return done.returncode, done.stdout


def must(*words):
    code, output = run(*words)
    if code != 0:
        sys.exit(f"{' '.join(map(str, words))}\n{output}\n{passed} passed, {failed + 1} failed")
    return output


def oracle(size, steps):
    """Returns the line that the program must print."""
    plates = []
    for rows, columns in ((size, size), (size // 2, 2 * size), (size, size // 4), (size // 8, size)):
        plates.append([[0.0] * (columns + 2) for _ in range(rows + 2)])
    plates[0][0] = [1000.0] * len(plates[0][0])
    for _ in range(steps):
        for left, right in zip(plates, plates[1:]):
            for row in range(1, min(len(left), len(right)) - 1):
                left[row][-1] = right[row][1]
                right[row][0] = left[row][-2]
        change = 0.0
        for n, p in enumerate(plates):
            new = [row[:] for row in p]
            for r in range(1, len(p) - 1):
                for c in range(1, len(p[0]) - 1):
                    new[r][c] = (p[r - 1][c] + p[r + 1][c] + p[r][c - 1] + p[r][c + 1]) / 4
                    change = max(change, abs(new[r][c] - p[r][c]))
            plates[n] = new
    heat = 0.0
    for p in plates:
        for row in p[1:-1]:
            for cell in row[1:-1]:
                heat += cell
    return f"{steps} steps, last change {change:.17g}, heat {heat:.17g}"


def check_runs(heat, work):
    expected = oracle(SIZE, STEPS)
    for workers in (1, 2, 4):
        _, output = run(heat, SIZE, STEPS, TINE_NUM_THREADS=str(workers))
        check(f"{workers} workers: the numbers are those of the oracle", output.splitlines()[:1] == [expected], f"{expected}\n{output}")
    file = work / "heat.schedule"
    for attempt in ("recorded", "loaded", "loaded again"):
        code, output = run(heat, SIZE, STEPS, file, TINE_NUM_THREADS="3")
        check(f"{attempt}: the numbers are those of the oracle", output.splitlines()[:1] == [expected], output)
        check(f"{attempt}: no fork differs from the schedule", code == 0 and output.endswith(" 0 differed\n"), output)
        check(f"{attempt}: the schedule was saved", file.exists() and json.loads(file.read_text()))
    # A loop that never ran elsewhere leaves no step, so a schedule may have few; what it has is one step of the plates.
    file.write_text('{"no": "schedule"}')
    code, output = run(heat, SIZE, STEPS, file)
    check("a file that is no schedule is refused", code == 2 and output.startswith("heat: "), output)


def check_profile(heat, tine, work):
    """The logical graph does not depend on workers, nor on the schedule that is followed."""
    seen = []
    for workers in (1, 3):
        file = work / f"{workers}.profile"
        code, output = run(tine, "profile", "-o", file, "--", heat, SIZE, STEPS, TINE_NUM_THREADS=str(workers))
        check(f"{workers} workers: tine profile", code == 0 and file.exists(), output)
        code, output = run(tine, "report", file, "--json")
        check(f"{workers} workers: tine report", code == 0, output)
        report = json.loads(output)
        code, text = run(tine, "report", file)
        check(f"{workers} workers: each site has its function", code == 0 and "step" in text and "relax" in text and "heat+0x" not in text, text)
        seen.append((report["forks"], report["loops"], report["iterations"]))
    rows = SIZE + SIZE // 2 + SIZE + SIZE // 8
    # A step forks a task for each plate and runs a loop for each; a loop over the plates computes the change. Its code
    # is compiled from Spork IR, where each row is forked beside the rest of the rows, which is split.
    expected = ((4 + 2 * rows) * STEPS, 5 * STEPS, (rows + 4) * STEPS)
    check("forks, loops and iterations are those of the program", seen == [expected, expected], f"{expected}\n{seen}")


def check_spork(source, tine):
    """The interpreter runs the same loop nest: at the last inner cell of a plate of 4 times 4 the change is 10 / 2."""
    file = source / "examples/heat/change.spork"
    for schedule in ("none", "eager", "seed:5"):
        code, output = run(tine, "ir", "run", file, f"--schedule={schedule}")
        check(f"the interpreter, schedule {schedule}", (code, output) == (0, "5.0\n"), output)


def second_compiler(build, prefix):
    """Returns g++, and the words that tell CMake to use it, for the architecture of the build."""
    cache = dict(re.findall(r"^(\w+):\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE))
    if not (toolchain := cache.get("CMAKE_TOOLCHAIN_FILE")):
        return ["g++-12"], ["-DCMAKE_CXX_COMPILER=g++-12"]
    compiler, sysroot = "aarch64-linux-gnu-g++-12", cache["TINE_SYSROOT"]
    return [compiler, f"--sysroot={sysroot}"], ["--toolchain", pathlib.Path(cache["CMAKE_HOME_DIRECTORY"]) / toolchain,
                                                f"-DTINE_SYSROOT={sysroot}", f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_FIND_ROOT_PATH={prefix}"]


def check_installed(source, build, work):
    """A stranger's compiler, an installed tine, and find_package."""
    prefix = work / "a folder"
    compiler, words = second_compiler(build, prefix)
    for component in ("development", "tools", "spork"):
        must("cmake", "--install", build, "--prefix", prefix, "--component", component)
    project, to = work / "project", work / "built"
    shutil.copytree(source / "examples/heat", project)
    must("cmake", "-S", project, "-B", to, "-G", "Ninja", *words, "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_PREFIX_PATH={prefix}")
    must("cmake", "--build", to)
    _, output = run(to / "heat", SIZE, STEPS)
    check("installed: the numbers are those of the oracle", output.splitlines()[:1] == [oracle(SIZE, STEPS)], output)
    # A plugin may hold the object, too.
    plugin = must(*compiler, "-shared", "-o", work / "change.so", to / "spork/heat/change.o", f"-L{next(prefix.glob('**/libtine.a')).parent}",
                  "-ltine", "-Wl,-z,nodelete", "-lboost_context", "-lhwloc")
    check("an object with exported functions goes into a shared library", (work / "change.so").exists(), plugin)
    (project / "change.spork").write_text((project / "change.spork").read_text().replace("export fun", "fun"))
    code, output = run("cmake", "--build", to)
    check("a program without exported functions is refused", code != 0 and "write 'export fun'" in output, output)


def main():
    source, build, work, heat, tine = map(pathlib.Path, sys.argv[1:])
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    check_runs(heat, work)
    check_profile(heat, tine, work)
    check_spork(source, tine)
    check_installed(source, build, work)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
