#!/usr/bin/env python3
"""Installs the Debian packages in an empty Debian 12, and builds and runs the program of the README there, as docs/guide/installing.md says.

usage: debian_test.py PACKAGES [ARCHITECTURE]

PACKAGES is a folder with the packages (./dev package). ARCHITECTURE is arm64 if they are for it; then qemu runs the system. The test needs root and debootstrap; it uses this machine's sources and settings
of apt. It makes the system in PACKAGES/debian-12 and removes it at the end."""

import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from checks import check, end, must, succeeds  # noqa: E402

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
PACKAGES = ["libtine0", "libtine-dev", "tine-tools", "tine-doc"]
OUTPUT = "5000000\n"    # of the README's program


def fenced(page, language, text):
    """Returns the block of the page in this language that contains the text."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", (SOURCE / page).read_text(), re.MULTILINE | re.DOTALL)
    found = [block for block in blocks if text in block]
    if len(found) != 1:
        sys.exit(f"{page}: {len(found)} blocks of {language} contain '{text}'; 1 is expected")
    return found[0]


def mirror():
    """Returns the address from which this machine's apt takes Debian 12."""
    lists = [pathlib.Path("/etc/apt/sources.list"), *pathlib.Path("/etc/apt/sources.list.d").glob("*")]
    for file in lists:
        text = file.read_text() if file.suffix in (".list", ".sources") and file.exists() else ""
        if "bookworm" in text and (match := re.search(r"^(?:URIs:|deb (?:\[.*\] )?)\s*(\S+/debian/?)(?:\s|$)", text, re.MULTILINE)):
            return match[1]
    return "http://deb.debian.org/debian"


class Debian:
    """A system in a folder; its programs run by chroot."""

    def __init__(self, folder):
        self.folder = folder

    def run(self, *words, at="/"):
        line = ["chroot", self.folder, "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C.UTF-8",
                *(f"{name}={value}" for name, value in os.environ.items() if name.lower().endswith("_proxy")),
                "sh", "-c", 'cd "$0" && exec "$@"', at, *words]
        return succeeds(*line, timeout=1800)

    def must(self, *words, at="/"):
        good, output = self.run(*words, at=at)
        if not good:
            sys.exit(f"{' '.join(words)}\n{output}\n0 passed, 1 failed")
        return output


@contextlib.contextmanager
def empty_debian(folder, architecture):
    """A new Debian 12 with this machine's settings of apt. Everything that is mounted in it is unmounted before it is removed."""
    if folder.exists():
        sys.exit(f"{folder} exists; an earlier test may have mounted file systems in it. Unmount them, and remove the folder.")
    mounted = []
    try:
        must("debootstrap", "--variant=minbase", *architecture, "bookworm", folder, mirror(), timeout=1800)
        shutil.rmtree(folder / "etc" / "apt")
        shutil.copytree("/etc/apt", folder / "etc" / "apt")
        for name in ("resolv.conf", "hosts"):
            shutil.copyfile(f"/etc/{name}", folder / "etc" / name)
        for kind in ("proc", "sysfs"):
            place = folder / {"proc": "proc", "sysfs": "sys"}[kind]
            must("mount", "-t", kind, *(["-o", "ro"] if kind == "sysfs" else []), kind, place)
            mounted.append(place)
        yield Debian(folder)
    finally:
        for place in reversed(mounted):
            subprocess.run(["umount", place], check=True)
        # Nothing is removed while anything is mounted.
        if str(folder) + "/" not in pathlib.Path("/proc/mounts").read_text():
            shutil.rmtree(folder, ignore_errors=True)


def install(debian, packages):
    shutil.copytree(packages, debian.folder / "packages", ignore=lambda at, names: [n for n in names if not n.endswith(".deb")])
    debian.must("apt-get", "update", "-q")
    debian.must("apt-get", "install", "-y", "-q", "--no-install-recommends", "g++", "make", "cmake", "pkg-config")
    files = [f"/packages/{file.name}" for file in sorted((debian.folder / "packages").iterdir())]
    good, output = debian.run("apt-get", "install", "-y", "-q", "--no-install-recommends", *files)
    check("apt installs the packages", good, output)
    listed = debian.run("dpkg-query", "-W", "-f=${Package} ${Status}\n", *PACKAGES)[1]
    check("all four packages are installed", listed.count(" install ok installed\n") == len(PACKAGES), listed)


def check_programs(debian):
    at = debian.folder / "dot"
    at.mkdir()
    (at / "dot.cpp").write_text(fenced("README.md", "cpp", "int main()"))
    (at / "CMakeLists.txt").write_text(fenced("docs/guide/installing.md", "cmake", "project(dot"))
    for kind, option in (("shared", "ON"), ("static", "OFF")):
        folder = f"/dot/{kind}"
        good, output = debian.run("cmake", "-S", "/dot", "-B", folder, "-DCMAKE_BUILD_TYPE=Release", f"-DBUILD_SHARED_LIBS={option}")
        if good:
            good, output = debian.run("cmake", "--build", folder)
        check(f"{kind}: CMake builds the README's program", good, output)
        good, output = debian.run(f"{folder}/dot")
        check(f"{kind}: the README's program prints what the README says", good and output == OUTPUT, output)
        needed = debian.run("ldd", f"{folder}/dot")[1]
        check(f"{kind}: the program has this kind of library", ("libtine.so.0" in needed) == (kind == "shared"), needed)
    good, output = debian.run("sh", "-c", "c++ -std=c++20 -O2 dot.cpp -o dot $(pkg-config --cflags --libs tine) && ./dot", at="/dot")
    check("the README's program by pkg-config", good and output == OUTPUT, output)


def check_tools(debian):
    for program in ("static/dot", "shared/dot", "./dot"):
        good, output = debian.run("tine", "profile", "-o", "dot.profile", "--", program, at="/dot")
        check(f"tine profile {program}", good and OUTPUT in output, output)
    good, output = debian.run("tine", "report", "dot.profile", at="/dot")
    check("tine report", good and "parallelism" in output, output)
    good, output = debian.run("tine", "profile", "--analyses", "space", "-o", "space.profile", "--", "shared/dot", at="/dot")
    check("tine profile finds libtine_space.so", good, output)
    good, output = debian.run("tine", "omp", "--", "grep", "libtine_omp", "/proc/self/maps")
    check("tine omp finds libtine_omp.so", good, output)
    check("tine has a man page", (debian.folder / "usr/share/man/man1/tine.1.gz").exists())
    check("tine-doc has the examples", (debian.folder / "usr/share/doc/tine-doc/examples/quick_start.cpp").exists())


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    architecture = [f"--arch={name}" for name in sys.argv[2:]]
    packages = pathlib.Path(sys.argv[1]).resolve()
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        print("skipped: an empty Debian is made by root with debootstrap\n0 passed, 0 failed")
        return 0
    with empty_debian(packages / "debian-12", architecture) as debian:
        install(debian, packages)
        check_programs(debian)
        check_tools(debian)
        good, output = debian.run("apt-get", "purge", "-y", "-q", *PACKAGES)
        check("apt removes the packages", good, output)
        left = [str(p) for p in debian.folder.glob("usr/**/*tine*") if re.search(r"libtine|/tine($|[-/])", str(p))]
        check("nothing is left of them", not left, left)
    end()


if __name__ == "__main__":
    main()
