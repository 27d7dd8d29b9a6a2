"""Builds a wheel with the files of an installed tine: TINE_PREFIX names the folder."""

import os
import pathlib
import subprocess
import sys

from setuptools import setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel  # setuptools 70.1 and later
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

# The command, and the libraries that it preloads. They are in one folder of the wheel, where the command finds them.
FILES = ("bin/tine", "lib*/**/libtine_omp.so", "lib*/**/libtine_locks.so", "lib*/**/libtine_space.so")


def installed_files():
    prefix = os.environ.get("TINE_PREFIX")
    if not prefix:
        sys.exit("tine: set TINE_PREFIX to the folder where tine is installed, e.g. TINE_PREFIX=/usr/local pip wheel compat/python")
    found = [next(iter(sorted(pathlib.Path(prefix).glob(pattern))), None) for pattern in FILES]
    for pattern, path in zip(FILES, found):
        if path is None:
            sys.exit(f"tine: there is no {pattern.rpartition('/')[2]} in {prefix}: install the components `tools` and `openmp` of tine there")
    if b"libtine.so." in found[1].read_bytes():
        sys.exit(f"tine: {found[1]} needs libtine.so: build tine with -DBUILD_SHARED_LIBS=OFF, so that the wheel contains all of it")
    return found


def version():
    return subprocess.run([installed_files()[0], "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()[1]


class build_with_files(build_py):
    def run(self):
        super().run()
        for path in installed_files():
            target = pathlib.Path(self.build_lib, "tine/bin", path.name)
            target.parent.mkdir(parents=True, exist_ok=True)
            self.copy_file(str(path), str(target))


class wheel_of_platform(bdist_wheel):
    """The files are for one platform, and for any Python."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


setup(version=version(), packages=["tine"], cmdclass={"build_py": build_with_files, "bdist_wheel": wheel_of_platform})
