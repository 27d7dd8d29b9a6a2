#!/usr/bin/env python3
"""Builds the wheel of a tine that is installed for it, installs the wheel into a new environment, and runs scripts that load a library with OpenMP.

    wheel_test.py BUILD-FOLDER WORK"""

import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "tests"))
import checks  # noqa: E402

BUILD, WORK = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
REGION = HERE.parents[1] / "openmp/tests/linking/region.c"  # says on how many threads of the system a team of four runs
SCRIPT = """import ctypes, sys
print(ctypes.CDLL(sys.argv[1]).threads_of_a_team(), sys.argv[2:], sys.flags.dev_mode)
sys.exit(3)
"""


def python_with_backend():
    """Debian's Python has the packages of Debian; another one in PATH need not have them."""
    for python in "/usr/bin/python3", sys.executable:
        if shutil.which(python) and checks.succeeds(python, "-c", "import setuptools, pip, venv, wheel")[0]:
            return python
    sys.exit("no Python here has pip, setuptools, venv and wheel (Debian: python3-pip python3-setuptools python3-venv python3-wheel)")


def build(python):
    """Returns the wheel. The sources are copied, because a build leaves files beside them."""
    prefix, source = WORK / "prefix", WORK / "source"
    for component in "tools", "openmp":
        checks.must("cmake", "--install", BUILD, "--component", component, "--prefix", prefix, "--strip")
    shutil.copytree(HERE.parent, source, ignore=shutil.ignore_patterns("tests", "build", "*.egg-info"))

    def is_refused(what, text, prefix):
        code, output = checks.run(python, "setup.py", "--version", cwd=source, env={**os.environ, "TINE_PREFIX": prefix})
        checks.check(what, code != 0 and text in output, output)

    is_refused("no prefix", "set TINE_PREFIX to the folder where tine is installed", "")
    is_refused("a prefix without tine", f"there is no tine in {source}", str(source))
    checks.must(python, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index", "-w", WORK, source,
                env={**os.environ, "TINE_PREFIX": str(prefix)})
    wheels = list(WORK.glob("*.whl"))
    checks.check("the wheel is for one platform, and for any Python", len(wheels) == 1 and "-py3-none-linux_" in wheels[0].name, wheels)
    return wheels[0]


def run(*words, **options):
    """Returns (exit code, output, errors)."""
    done = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60, cwd=WORK, **options)
    return done.returncode, done.stdout, done.stderr


def scripts(bin_folder):
    python, script, library = bin_folder / "python", WORK / "script.py", WORK / "region.so"
    script.write_text(SCRIPT)
    checks.must(shutil.which("gcc-12") or "gcc", "-O1", "-g", "-fopenmp", "-fPIC", "-shared", REGION, "-o", library)

    def expect(what, words, code, output, *errors):
        got = run(python, *words)
        checks.check(what, got[0] == code and got[1] == output and all(e in got[2] for e in errors), got)

    on_one_worker = ("-m", "tine", "--workers", 1)
    expect("without tine", (script, library, "a"), 3, "4 ['a'] False\n")
    expect("on tine", (*on_one_worker, script, library, "a", "--profile"), 3, "1 ['a', '--profile'] False\n")
    expect("flags of the interpreter", ("-X", "dev", "-mtine", "--workers=1", script, library), 3, "1 [] True\n")
    expect("a module", (*on_one_worker, "-m", "script", library), 3, "1 [] False\n")
    expect("a text", (*on_one_worker, "-c", "import sys; print(sys.argv)", "--", "x"), 0, "['-c', '--', 'x']\n")
    expect("a profile", (*on_one_worker, "--profile=a.profile", script, library), 3, "1 [] False\n", "threads_of_a_team", "a.profile")
    got = run(python, "-m", "tine", "--profile", script, library)
    checks.check("a profile by its usual name", got[0] == 3 and "parallelism" in got[2] and len(list(WORK.glob("tine-*.profile"))) == 1, got)
    expect("an option that is none", ("-m", "tine", "--profil", script), 1, "", "python -m tine: there is no option --profil;")
    expect("no value", ("-m", "tine", "--workers"), 1, "", "python -m tine: --workers needs a value")
    expect("no script", ("-m", "tine", "--profile"), 1, "", "python -m tine: there is no script to run")
    checks.check("help", run(python, "-m", "tine", "--help")[1].startswith("usage: python -m tine"))
    command = run(bin_folder / "tine", "report", "a.profile")
    checks.check("the command", command[0] == 0 and "threads_of_a_team" in command[1], command)
    next(bin_folder.parent.glob("lib/python*/site-packages/tine/bin/tine")).unlink()
    expect("a broken installation", ("-m", "tine", script), 1, "", "bin/tine cannot be started: No such file or directory")


shutil.rmtree(WORK, ignore_errors=True)
WORK.mkdir(parents=True)
PYTHON = python_with_backend()
WHEEL = build(PYTHON)
checks.must(PYTHON, "-m", "venv", "--without-pip", WORK / "venv")
checks.must(PYTHON, "-m", "pip", "--python", WORK / "venv/bin/python", "install", "--no-index", "--no-deps", WHEEL)
scripts(WORK / "venv/bin")
checks.end()
