# What every product of the repository builds with: the library, tools/ and spork/. Each of them is part of the whole build (CMakeLists.txt in
# the root), or a project of its own that finds an installed tine.
include_guard(GLOBAL)
include(GNUInstallDirs)
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH TINE_ROOT)  # the root of the repository

option(TINE_INSTALL "Let `cmake --install` install tine" ${PROJECT_IS_TOP_LEVEL})
option(TINE_WERROR "Treat warnings as errors" OFF)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/tine)  # where find_package(tine) looks
set(TINE_SANITIZE "" CACHE STRING "Sanitizers for everything, e.g. 'address,undefined' or 'thread'")
set(TINE_PRECOMPILE "" CACHE STRING "Parts whose headers are precompiled: library, tests, tools, bench")
set(TINE_UNITY "" CACHE STRING "Parts whose files are compiled eight at a time, which is fast if all of them are: library, tools")

# tine_unity(PART): the targets that follow in this folder belong to the part.
macro(tine_unity part)
  set(CMAKE_UNITY_BUILD OFF)
  if(${part} IN_LIST TINE_UNITY)
    set(CMAKE_UNITY_BUILD ON)
  endif()
endmacro()

if(TINE_SANITIZE)
  add_compile_options(-fsanitize=${TINE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TINE_SANITIZE})
endif()

# tine_precompile(PART TARGET HEADER...): the headers are parsed once for all files of the target, if the part is one of
# TINE_PRECOMPILE. A file that forgets one of them compiles nevertheless; tests/package, which builds the library without,
# g++, which builds the tests without, and lint notice.
function(tine_precompile part target)
  if(part IN_LIST TINE_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${ARGN})
    # Without the time of its making, so that ccache finds what was compiled with the last one.
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()

find_package(Threads REQUIRED)
find_package(Boost 1.74 REQUIRED COMPONENTS context)
find_package(PkgConfig REQUIRED)
pkg_check_modules(hwloc REQUIRED IMPORTED_TARGET hwloc)

# Warnings for our own code only; users of the library keep their own.
add_library(tine_warnings INTERFACE)
# In units files see each other's names, and g++ takes each file for a header.
set(is_unit $<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>)
target_compile_options(tine_warnings INTERFACE -Wall -Wextra -Wpedantic $<$<NOT:${is_unit}>:-Wshadow> -Wconversion
                       $<$<AND:${is_unit},$<CXX_COMPILER_ID:GNU>>:-Wno-subobject-linkage>
                       -Wnon-virtual-dtor -Wswitch-enum -Wno-sign-conversion $<$<BOOL:${TINE_WERROR}>:-Werror>)
