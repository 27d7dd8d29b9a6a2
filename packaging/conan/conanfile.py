"""The recipe of tine for Conan 2: `conan create packaging/conan` from the source, or the folder of the recipe from anywhere.

hwloc and Boost.Context are those of the system. The recipe names the packages of apt in `system_requirements`; it requires none of Conan
Center, so `conan create` needs no remote."""

import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load
from conan.tools.system.package_manager import Apt
from conan.errors import ConanInvalidConfiguration

required_conan_version = ">=2.0"


class TineRecipe(ConanFile):
    name = "tine"
    package_type = "library"
    license = "BSL-1.0"
    description = "A fork-join runtime for C++20"
    topics = ("fork-join", "parallelism", "scheduler", "coroutines")
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "profiler": [True, False], "replay": [True, False]}
    default_options = {"shared": False, "profiler": True, "replay": True}

    @property
    def _root(self):
        return os.path.join(self.recipe_folder, os.pardir, os.pardir)

    def set_version(self):
        # The header has the version. Beside an exported recipe Conan knows it from the reference.
        header = os.path.join(self._root, "include/tine/base/version.hpp")
        if not self.version and os.path.exists(header):
            self.version = re.search(r'TINE_VERSION "([0-9.]+)"', load(self, header))[1]

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md", "cmake/*", "include/*", "src/*"):
            copy(self, pattern, self._root, self.export_sources_folder)

    def validate(self):
        if self.settings.os != "Linux" or self.settings.arch not in ("x86_64", "armv8"):
            raise ConanInvalidConfiguration("tine runs on Linux, on x86-64 and aarch64")
        check_min_cppstd(self, 20)

    def system_requirements(self):
        # The default of tools.system.package_manager:mode is `check`: Conan then names missing packages and stops.
        packages = ["libhwloc-dev", "libboost-context-dev", "pkg-config"]
        if self.options.replay:
            packages.append("nlohmann-json3-dev")
        Apt(self).install(packages)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for name in ("TESTS", "BENCH", "EXAMPLES", "TOOLS", "COMPAT"):
            toolchain.cache_variables[f"TINE_{name}"] = False
        toolchain.cache_variables["TINE_PROFILER"] = bool(self.options.profiler)
        toolchain.cache_variables["TINE_REPLAY"] = bool(self.options.replay)
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        for component in ("runtime", "profiler", "replay", "race", "development"):
            CMake(self).install(component=component)

    def package_info(self):
        # Users of CMake find the own tine-config.cmake of the package. The components are for other generators. The
        # race detector is none of them: a program that requires the whole package would link it, and its functions
        # stand in front of malloc. CMake's users find it all the same.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self._part("runtime", "tine", [])
        self.cpp_info.components["runtime"].builddirs = ["lib/cmake/tine"]
        self.cpp_info.components["runtime"].system_libs = ["boost_context", "hwloc", "dl", "pthread"]
        if not self.options.shared:
            self.cpp_info.components["runtime"].defines = ["TINE_STATIC"]
        for flags in ("sharedlinkflags", "exelinkflags"):
            setattr(self.cpp_info.components["runtime"], flags, ["-Wl,-z,nodelete"])
        if self.options.profiler:
            self._part("profiler", "tine_profiler", ["runtime"])
            self._ask_for("profiler", "tine_profiler")
        if self.options.replay:
            self._part("replay", "tine_replay", ["runtime"])
            self._ask_for("replay", "tine_replay")

    def _ask_for(self, component, library):
        """Nothing refers to the library, which registers itself, so it is asked for, as in src/CMakeLists.txt."""
        words = f"--push-state,--no-as-needed,-l{library},--pop-state" if self.options.shared else f"--undefined={library}"
        for flags in ("sharedlinkflags", "exelinkflags"):
            setattr(self.cpp_info.components[component], flags, [f"-Wl,{words}"])

    def _part(self, component, library, requires):
        part = self.cpp_info.components[component]
        part.libs = [library]
        part.requires = requires
        part.set_property("pkg_config_name", f"tine-{component}")
