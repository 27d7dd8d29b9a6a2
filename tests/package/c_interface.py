"""The C interface as programs in C, Python, Rust and Fortran use it: the examples, with both kinds of the library; and the guide's page, which
quotes them."""

import pathlib
import re
import shlex
import shutil
import sys

from checks import check, must, succeeds

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
EXAMPLES, PAGE = ROOT / "examples/c", ROOT / "docs/guide/c.md"
LANGUAGES = {"c": ".c", "cpp": ".cpp", "python": ".py", "rust": ".rs", "fortran": ".f90"}
STRICT = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-O2"]
GCC = shutil.which("gcc-12") or "gcc"


def outputs():
    """Returns the outputs that the page shows: of the program in a language before each."""
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE.read_text(), re.M | re.S)
    shown, last = {}, None
    for language, text in blocks:
        if language in LANGUAGES:
            last = next((f.name for f in EXAMPLES.glob(f"*{LANGUAGES[language]}") if unindented(text) in unindented(f.read_text())), None)
        elif language == "text":
            shown[last] = text
    return shown


def unindented(text):
    return re.sub("^ +", "", text, flags=re.M)


def check_page():
    for language, ending in LANGUAGES.items():
        blocks = re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(), re.M | re.S)
        check(f"the page has programs in {language}", blocks)
        for block in blocks:
            good = any(unindented(block) in unindented(f.read_text()) for f in EXAMPLES.glob(f"*{ending}"))
            check("a program of the page is one of the examples, or a part of one", good, block)


def check_output(name, good, output):
    expected = outputs().get(name, "sorted\n")
    check(f"{name} prints what the page shows", good and output == expected, f"{output}expected:\n{expected}")


def check_c(installed, work):
    """With the shared library a program in C needs nothing of C++."""
    words = shlex.split(must("pkg-config", "--cflags", "--libs", *["--static"] * (installed.kind == "static"), "tine-runtime",
                             env=installed.environment))
    of_cxx = ["-lstdc++", "-lm"] if installed.kind == "static" else []
    for source in ("primes.c", "quicksort.c", "stop.c"):
        program = work / f"{installed.kind}-{source}"
        good, output = succeeds(GCC, *STRICT, EXAMPLES / source, "-o", program, *words, *of_cxx)
        if good:
            good, output = succeeds(program, env=installed.environment)
        check_output(source, good, output)
        if good and installed.kind == "shared":
            needed = re.findall(r"NEEDED.*\[(.*)\]", must("readelf", "-dW", program))
            check(f"{source} needs libtine and the C library alone", sorted(needed) == ["libc.so.6", "libtine.so.0"], needed)
    return words


def check_languages(installed, work, words):
    scale = work / "libscale.so"
    must(GCC, *STRICT, "-shared", "-fPIC", EXAMPLES / "scale.c", "-o", scale)
    library = installed.libraries / "libtine.so.0"
    check_output("loops.py", *succeeds(sys.executable, EXAMPLES / "loops.py", library, scale, env=installed.environment))
    good, output = succeeds(sys.executable, HERE / "c/growth.py", library, env=installed.environment)
    check("100,000 calls from Python take no more memory", good, output)
    for compiler, source, options in (("gfortran-12", "heat.f90", ["-std=f2008", "-Wall", "-Werror", "-O2"]), ("rustc", "primes.rs", ["-O"])):
        if shutil.which(compiler) is None:
            check(f"{compiler} is installed", compiler == "rustc")  # which ./dev doesn't install
            continue
        program = work / source.replace(".", "-")
        paths = ["-J", work, *words] if compiler != "rustc" else ["-L", installed.libraries]
        good, output = succeeds(compiler, *options, EXAMPLES / source, "-o", program, *paths)
        if good:
            good, output = succeeds(program, env=installed.environment)
        check_output(source, good, output)


def check_hooks(installed, work, words):
    """Libraries that let a program run their loops, where they are installed."""
    libraries = {"fftw.c": ("fftw3.h", [GCC, *STRICT], ["-lfftw3_threads", "-lfftw3", "-lm"], "sum 136, more threads than workers: 0\n"),
                 "opencv.cpp": ("opencv4/opencv2/core/parallel/parallel_backend.hpp", ["g++-12", "-std=c++20", "-I/usr/include/opencv4"],
                                ["-lopencv_core"], "8000 rows, 0 of them outside of tine\n")}
    for source, (header, compiler, needed, expected) in libraries.items():
        if not pathlib.Path("/usr/include", header).exists():
            continue
        program = work / source.replace(".", "-")
        good, output = succeeds(*compiler, EXAMPLES / source, "-o", program, *words, *needed)
        if good:
            good, output = succeeds(program, env=installed.environment)
        check(f"{source} runs the loops of its library on tine", good and output.endswith(expected), output)


def check_all(static, shared, work, compiler, build_and_test):
    at = work / "c"
    at.mkdir()
    check_page()
    check_c(static, at)
    words = check_c(shared, at)
    check_languages(shared, at, words)
    check_hooks(shared, at, words)
    good, output = build_and_test("c", at / "project", compiler, shared.prefix, f"-DEXAMPLES={EXAMPLES}", f"-DCMAKE_C_COMPILER={GCC}")
    check("a project in C alone finds tine by find_package", good, output)
