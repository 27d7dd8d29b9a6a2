#!/usr/bin/env python3
"""Installs tine, static and shared, into a folder with a space in its name, and uses it as strangers do.

usage: install_test.py SOURCE BUILD WORK CXX CXX_FLAGS [--update]

BUILD is a build with static libraries; the shared ones are built in WORK. exported/ lists the symbols of the minor version in exported/version.txt.
--update adds new symbols to the lists; it removes symbols only if the minor version is a new one."""

import itertools
import os
import pathlib
import re
import shlex
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import c_interface  # noqa: E402
from checks import check, end, must, succeeds  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
COMPILERS = {"clang": "clang++-19", "gcc": "g++-12"}
FLAGS = {"O0": ["-O0"], "O3": ["-O3", "-DNDEBUG"], "asan": ["-O1", "-fsanitize=address,undefined"]}
CACHE = [shutil.which("ccache")] if shutil.which("ccache") else []
LIBRARIES = ["tine", "tine_profiler", "tine_replay", "tine_race", "tine_mpi"]


class Installed:
    def __init__(self, kind, prefix):
        self.kind, self.prefix = kind, prefix
        self.libraries = next(prefix.glob("lib*/**/libtine.*")).parent
        self.environment = {**os.environ, "PKG_CONFIG_PATH": str(self.libraries / "pkgconfig"), "LD_LIBRARY_PATH": str(self.libraries)}

    def flags(self, package="tine", *options):
        return shlex.split(must("pkg-config", "--cflags", "--libs", *options, package, env=self.environment))


def configure(project, to, compiler, *options):
    cache = [f"-DCMAKE_CXX_COMPILER_LAUNCHER={program}" for program in CACHE]
    return succeeds("cmake", "-S", HERE / project, "-B", to, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={compiler}", *cache, *options)


def build_and_test(project, to, compiler, prefix, *options):
    good, output = configure(project, to, compiler, f"-DCMAKE_PREFIX_PATH={prefix}", *options)
    for step in (["cmake", "--build", to], ["ctest", "--test-dir", to, "--output-on-failure", "--no-tests=error"]):
        if good:
            good, output = succeeds(*step)
    return good, output


def install(source, build, work, compiler, flags):
    """Returns both installations. The folder is moved after the installation."""
    shared = work / "shared build"
    must("cmake", "-S", source, "-B", shared, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_CXX_FLAGS={flags}",
         *(f"-DCMAKE_CXX_COMPILER_LAUNCHER={program}" for program in CACHE), "-DBUILD_SHARED_LIBS=ON", "-DTINE_TESTS=OFF",
         "-DTINE_BENCH=OFF", "-DTINE_EXAMPLES=OFF", "-DTINE_TOOLS=OFF")
    must("cmake", "--build", shared)
    at = work / "at first"
    result = []
    for kind, folder in (("static", build), ("shared", shared)):
        components = ["runtime", "profiler", "replay", "race", "mpi", "development"]
        for component in components:
            must("cmake", "--install", folder, "--prefix", at / kind, "--component", component)
    check_both_kinds(build, shared, work / "both kinds")
    at.rename(work / "a folder")
    return [Installed(kind, work / "a folder" / kind) for kind in ("static", "shared")]


def check_both_kinds(static, shared, prefix):
    """Both builds were configured in the same second, and pkg-config must find the libraries that were installed last."""
    for folder in (static, shared):
        os.utime(pathlib.Path(folder) / "tine.pc", (1e9, 1e9))
        must("cmake", "--install", folder, "--prefix", prefix, "--component", "runtime")
        must("cmake", "--install", folder, "--prefix", prefix, "--component", "development")
        flags = Installed("both", prefix).flags()
        check("pkg-config finds the libraries that were installed last", ("-DTINE_STATIC" in flags) == (folder == static), flags)


def stays_loaded(file):
    """Returns true if dlclose does not unload the library. (A run cannot show it: other things keep most libraries loaded, too.)"""
    return re.search(r"FLAGS_1.*NODELETE", must("readelf", "-dW", file)) is not None


def expanded(line):
    """Returns the names of a line: `a{b,c}` stands for two, as in a shell."""
    found = re.search(r"\{([^{}]*)\}", line)
    return [line] if not found else [n for part in found[1].split(",") for n in expanded(line[:found.start()] + part + line[found.end():])]


def check_symbols(installed, minor, update):
    version = HERE / "exported/version.txt"
    is_new = version.read_text().strip() != minor
    if update:
        version.write_text(f"{minor}\n")
    check(f"exported/ has the symbols of version {minor}", update or not is_new, "install_test.py --update writes those of a new version")
    for library in LIBRARIES:
        file = installed.libraries / f"lib{library}.so"
        lines = must("nm", "-DC", "--defined-only", file).splitlines()
        # a symbol's name, without its version; the version itself is a symbol, too
        names = sorted({re.sub(r"@@.*", "", line.split(" ", 2)[2]) for line in lines if " A " not in line})
        expected = HERE / "exported" / f"{library}.txt"
        if update:
            # Within a version no line goes, so that a symbol that vanished fails.
            kept = [line for line in expected.read_text().splitlines() if not is_new or set(expanded(line)) <= set(names)]
            expected.write_text("\n".join(sorted(kept + [n for n in names if not any(n in expanded(line) for line in kept)])) + "\n")
        listed = sorted(n for line in expected.read_text().splitlines() for n in expanded(line))
        check(f"lib{library}.so exports what exported/{library}.txt lists", names == listed,
              "".join([f"  not exported any more: {n}\n" for n in listed if n not in names] +
                      [f"  not in the list (install_test.py --update): {n}\n" for n in names if n not in listed]))
        needed = re.findall(r"NEEDED.*\[(.*)\]", must("readelf", "-dW", file))
        unexpected = [n for n in needed if not re.match(r"lib(tine|tine_profiler|boost_context|hwloc|stdc\+\+|gcc_s|m|c)\.so|ld-linux", n) and
                      not (library == "tine_mpi" and n.startswith("libmpi"))]
        check(f"lib{library}.so needs hwloc, Boost.Context, MPI if it is libtine_mpi, and nothing else", not unexpected, unexpected)
        check(f"lib{library}.so has a version in its name", f"[lib{library}.so.0]" in must("readelf", "-dW", file) and
              (installed.libraries / f"lib{library}.so.0").exists())
        check(f"lib{library}.so stays loaded", stays_loaded(file))


def check_programs(installed, work):
    """Every compiler and level, with every kind of library, by pkg-config. The standards take turns, so that each meets every level."""
    for i, ((name, compiler), level) in enumerate(itertools.product(COMPILERS.items(), FLAGS)):
        standard = "c++20" if (i % 2 == 0) == (installed.kind == "static") else "c++23"
        title = f"{installed.kind}-{name}-{standard}-{level}"
        out, flags = work / title, installed.flags("tine", *["--static"] * (level != "O3"))
        words = [f for f in flags if f.startswith(("-I", "-D"))]
        good, output = succeeds(*CACHE, compiler, f"-std={standard}", *FLAGS[level], *words, "-c", HERE / "program" / "program.cpp", "-o", f"{out}.o")
        if good:
            good, output = succeeds(compiler, *FLAGS[level], f"{out}.o", *flags, "-o", out)
        if good:
            good, output = succeeds(out, env=installed.environment)
        check(f"{title} gives the right answer", good, output)
        if good and installed.kind == "shared":
            # Nothing in the program refers to the profiler, or to what records and replays whole processes: they
            # register themselves. g++ of Debian passes --as-needed by itself.
            good, output = succeeds(compiler, *FLAGS[level], "-Wl,--as-needed", f"{out}.o", *flags, "-o", out)
            for library in "libtine_profiler", "libtine_replay":
                check(f"{title} needs {library} even under --as-needed", good and library in must("readelf", "-dW", out), output)


def check_race_detection(installed, work, compiler):
    """Returns what a program that looks for its own races prints, which must not depend on the kind of the library."""
    at = work / f"{installed.kind} race"
    good, output = build_and_test("race", at, compiler, installed.prefix)
    check(f"{installed.kind}: find_package(tine COMPONENTS race)", good, output)
    said = set()
    for name, by_hand in COMPILERS.items():
        # The compiler gets the flags of ThreadSanitizer, and the linker does not.
        words = lambda kind: shlex.split(must("pkg-config", f"--{kind}", "tine-race", env=installed.environment))
        out = work / f"{installed.kind}-{name}-race"
        good, output = succeeds(*CACHE, by_hand, "-std=c++20", "-O2", "-g", *words("cflags"), "-c", HERE / "race" / "racy.cpp", "-o", f"{out}.o")
        if good:
            good, output = succeeds(by_hand, f"{out}.o", "-o", out, *words("libs"))
        if good:
            good, output = succeeds(out, env=installed.environment)
        check(f"{installed.kind}-{name}: races by pkg-config tine-race", good, output)
        profile = work / f"{installed.kind}-{name}.profile"
        succeeds(out, env={**installed.environment, "TINE_PROFILE": f"race:{profile}"})
        check(f"{installed.kind}-{name}: TINE_PROFILE=race leaves a profile", profile.exists())
        said.add((name, output))
    return said


def check_cmake(installed, work, compiler):
    at = lambda name: work / f"{installed.kind} {name}"
    good, output = build_and_test("program", at("program"), compiler, installed.prefix)
    check(f"{installed.kind}: find_package", good, output)
    good, output = build_and_test("plugin", at("plugin"), compiler, installed.prefix,
                                  f"-DBUILD_SHARED_LIBS={'ON' if installed.kind == 'shared' else 'OFF'}")
    check(f"{installed.kind}: a plugin", good, output)
    if installed.kind == "shared":
        needed = must("readelf", "-dW", at("program") / "program")
        for library in "libtine_profiler", "libtine_replay":
            check(f"shared: find_package links {library}, to which nothing refers", library in needed, needed)
    good, output = build_and_test("mpi", at("mpi"), compiler, installed.prefix)
    check(f"{installed.kind}: find_package(tine COMPONENTS mpi)", good, output)
    good, output = succeeds("mpicxx", "-std=c++20", HERE / "mpi" / "sum.cpp", "-o", at("sum"), *installed.flags("tine-mpi"), env={**os.environ, "OMPI_CXX": compiler})
    if good:
        good, output = succeeds(at("sum"), env=installed.environment)
    check(f"{installed.kind}: mpicxx with pkg-config tine-mpi", good, output)
    good, output = build_and_test("tbb", at("tbb"), compiler, installed.prefix)
    check(f"{installed.kind}: find_package(tine COMPONENTS tbb)", good, output)
    good, output = succeeds(compiler, "-std=c++20", HERE / "tbb" / "sum.cpp", "-o", at("tbb sum"), *installed.flags("tine-tbb"))
    check(f"{installed.kind}: pkg-config tine-tbb", good, output)
    plugin = at("plugin") / "libforks.so"
    check(f"{installed.kind}: what holds tine stays loaded", installed.kind == "shared" or stays_loaded(plugin))
    prefix = f"-DCMAKE_PREFIX_PATH={installed.prefix}"
    good, output = build_and_test("program", at("runtime"), compiler, installed.prefix, "-DTINE_COMPONENTS=runtime")
    check(f"{installed.kind}: the runtime alone", good, output)
    if good:
        libraries = must("ldd" if installed.kind == "shared" else "nm", at("runtime") / "program")
        check(f"{installed.kind}: the runtime alone brings no profiler", "tine_profiler" not in libraries, libraries)
    other = "shared" if installed.kind == "static" else "static"
    for components, why in (("nonsense", "nonsense"), (other, f"no library of the kind {other}"), ("static;shared", "exclude each other")):
        good, output = configure("program", at(f"without {components.replace(';', ' ')}"), compiler, prefix, f"-DTINE_COMPONENTS={components}")
        check(f"{installed.kind}: find_package refuses COMPONENTS {components}", not good and why in output, output)


def check_debugger(installed, work, compiler):
    """gdb finds the script of the shared library, and needs no debug information of the library."""
    app, tests = work / "held_app", HERE.parent / "gdb"
    must("strip", "--strip-unneeded", next(installed.libraries.glob("libtine.so.*.*")))
    good, output = succeeds(compiler, "-std=c++20", "-O2", "-g", tests / "held_app.cpp", "-o", app, *installed.flags())
    if good:
        good, output = succeeds(sys.executable, tests / "gdb_test.py", app, tests / "held_app.cpp", "-", "--shared", installed.libraries)
    check("shared: the commands of gdb", good, output)


def main():
    update = "--update" in sys.argv
    source, build, work, compiler, flags = [w for w in sys.argv[1:] if w != "--update"]
    work = pathlib.Path(work)
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    static, shared = install(source, build, work, compiler, flags)
    version = must("pkg-config", "--modversion", "tine", env=shared.environment).strip()
    check_symbols(shared, version.rpartition(".")[0], update)
    for each in (static, shared):
        check_cmake(each, work, compiler)
        check_programs(each, work)
    c_interface.check_all(static, shared, work, compiler, build_and_test)
    if shutil.which("gdb") is not None:
        check_debugger(shared, work, compiler)
    races = [check_race_detection(each, work, compiler) for each in (static, shared)]
    check("static and shared libraries find the same races", races[0] == races[1], races)
    check("the versions of the header and of pkg-config are equal",
          f'#define TINE_VERSION "{version}"' in (shared.prefix / "include/tine/base/version.hpp").read_text(), version)
    end()


if __name__ == "__main__":
    main()
