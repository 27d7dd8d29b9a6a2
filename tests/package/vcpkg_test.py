#!/usr/bin/env python3
"""Checks the port for vcpkg without vcpkg: vcpkg.json is JSON with the version of the header, and CMake parses portfile.cmake.

Stand-ins for the functions of vcpkg take any arguments, so a function that vcpkg does not have is not noticed here."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
PORT = SOURCE / "packaging" / "vcpkg"
# These are the functions of vcpkg that the port calls.
FUNCTIONS = ["vcpkg_check_features", "vcpkg_find_acquire_program", "vcpkg_cmake_configure", "vcpkg_cmake_install", "vcpkg_cmake_config_fixup",
             "vcpkg_fixup_pkgconfig", "vcpkg_install_copyright"]


def problems():
    port = json.loads((PORT / "vcpkg.json").read_text())
    version = re.search(r'TINE_VERSION "([0-9.]+)"', (SOURCE / "include/tine/base/version.hpp").read_text())[1]
    if port["version-semver"] != version:
        yield f"vcpkg.json has version {port['version-semver']}, and the header has {version}"
    for feature in port["default-features"]:
        if feature not in port["features"]:
            yield f"vcpkg.json: the default feature {feature} is not described"
    if "tine::tine" not in (PORT / "usage").read_text():
        yield "usage does not name tine::tine"
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder) / "run.cmake"
        stand_ins = "".join(f"function({name})\nendfunction()\n" for name in FUNCTIONS)
        script.write_text(f'{stand_ins}set(CURRENT_PORT_DIR "{PORT}")\nset(CURRENT_PACKAGES_DIR "{folder}/packages")\nset(PORT tine)\n'
                          f'include("{PORT}/portfile.cmake")\nif(NOT EXISTS "${{SOURCE_PATH}}/src/CMakeLists.txt")\n'
                          '  message(FATAL_ERROR "SOURCE_PATH is ${SOURCE_PATH}")\nendif()\n')
        done = subprocess.run(["cmake", "-P", str(script)], capture_output=True, text=True)
        if done.returncode != 0:
            yield done.stderr
        elif not (pathlib.Path(folder) / "packages/share/tine/usage").exists():
            yield "portfile.cmake does not install usage"


def main():
    found = list(problems())
    print("\n".join(found + [f"{0 if found else 1} passed, {len(found)} failed"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
