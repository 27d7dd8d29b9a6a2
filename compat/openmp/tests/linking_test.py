#!/usr/bin/env python3
"""Programs that get OpenMP in other ways than by linking libgomp.so.1: an executable that contains libtine_omp.a, a program without OpenMP that loads a
library with it, and libraries with a renamed copy of libgomp, as wheels of Python bring one.

    linking_test.py LIBRARY BUILD-FOLDER TINE-LIBRARIES

A team of four threads runs on one thread of the system, if its threads are strands of tine on one worker, and on four with libgomp."""

import os
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "tests"))
import checks  # noqa: E402

LIBRARY, BUILD, LIBRARIES = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
GCC = shutil.which("gcc-12") or "gcc"
ON_TINE, ON_THREADS = "1\n", "4\n"
# A name as long as libgomp.so.1, so that it fits into the files that have the old one.
NAME, OTHER_NAME = b"libgomp.so.1\0", b"libgo-a1.so1\0"


def run(program, *arguments, **settings):
    """Runs it on one worker, or with libgomp. Returns (exit code, output)."""
    return checks.run(program, *arguments, timeout=60, env=os.environ | {"LD_LIBRARY_PATH": str(BUILD), "TINE_NUM_THREADS": "1"} | settings)


def prints(what, wanted, program, *arguments, code=0, **settings):
    got = run(program, *arguments, **settings)
    checks.check(what, got[0] == code and got[1].endswith(wanted), got)


def renamed(file, name):
    """A copy of a file that needs, or is, a libgomp of the other name."""
    copy = BUILD / name
    copy.write_bytes(file.read_bytes().replace(NAME, OTHER_NAME))
    copy.chmod(0o755)
    return copy


def static_executable():
    prefix = BUILD / "installed"
    folder = prefix / "lib/pkgconfig"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(LIBRARY.parent / "tine-openmp.pc", folder)
    shutil.copy(LIBRARY.parent / "libtine_omp.a", prefix / "lib")
    words = checks.must("pkg-config", "--define-variable=libdir=" + str(prefix / "lib"), "--libs", "tine-openmp",
                        env=os.environ | {"PKG_CONFIG_PATH": str(folder)}).split()
    checks.must(GCC, "-O1", "-fopenmp", "-DMAIN", "-c", HERE / "linking/region.c", "-o", BUILD / "region.o")
    program, profile = BUILD / "region", BUILD / "region.profile"
    checks.must(GCC, BUILD / "region.o", f"-L{LIBRARIES}", *words, "-o", program)
    checks.check("the executable is static", not checks.succeeds("ldd", program)[0])
    prints("a static executable on strands", ON_TINE, program, code=3, TINE_OMP_THREADS="strands")
    prints("on native threads, because it has thread-local variables, if only those of tine", ON_THREADS, program, code=3)
    profile.unlink(missing_ok=True)
    run(program, TINE_PROFILE=f"work:{profile}")
    checks.check("it has the profiler", profile.exists())


def loaded_libraries():
    host, region = BUILD / "host", BUILD / "region.so"
    checks.must(GCC, "-O1", HERE / "linking/host.c", "-o", host)
    checks.must(GCC, "-O1", "-fopenmp", "-fPIC", "-shared", HERE / "linking/region.c", "-o", region)
    libgomp = pathlib.Path(checks.must(GCC, "-print-file-name=libgomp.so.1").strip())
    renamed(libgomp, OTHER_NAME.decode()[:-1])
    other = renamed(region, "other.so")
    prints("the renamed copy is another libgomp", ON_THREADS * 2, host, region, other)
    preloaded = {"LD_PRELOAD": str(LIBRARY)}
    prints("a library that is loaded later", ON_TINE, host, region, **preloaded)
    prints("a library with a renamed libgomp", ON_TINE, host, other, **preloaded)
    prints("two libraries, each with its libgomp", ON_TINE * 2, host, region, other, **preloaded)


BUILD.mkdir(parents=True, exist_ok=True)
loaded_libraries()
if (LIBRARY.parent / "libtine_omp.a").exists():
    static_executable()
checks.end()
