# Four Debian packages by CPack: libtine0, libtine-dev, tine-tools and tine-doc. `./dev package` configures the builds and runs cpack.
#
# libtine0    all three shared libraries. A program that links tine::tine needs all of them, they have one version, and
# they need nothing
#             that libtine.so.0 does not need itself.
# libtine-dev headers, links without a version, static libraries, and the files for CMake and pkg-config; and
# libtine_race.so.0: only programs
#             that are built for the race detector need it, and such a build stays with its developers, as one for a sanitizer does
# tine-tools  the tine command, the function tine_target_spork, its man pages and completions, libtine_space.so,
# libtine_locks.so and libtine_omp.so. The command preloads these libraries; in libtine0, under a name
#             without a version, it would collide with that of a later libtine1.
# tine-doc    the documentation and the examples
set(TINE_STATIC_BUILD "" CACHE PATH "A build of the static libraries, which libtine-dev holds beside the shared ones")
if(NOT BUILD_SHARED_LIBS OR NOT TINE_TOOLS OR NOT TINE_STATIC_BUILD)
  message(FATAL_ERROR "tine: TINE_PACKAGE needs BUILD_SHARED_LIBS, TINE_TOOLS and TINE_STATIC_BUILD, the folder of a static build.")
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tine)
set(CPACK_DEBIAN_PACKAGE_SOURCE tine)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
# A distribution's own package begins with revision 1 and so replaces this one.
set(CPACK_DEBIAN_PACKAGE_RELEASE 0tine1)
set(debian_version ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})

# The variables that Debian's own tools read name the maintainer. The default address is one that RFC 2606 reserves.
set(name "$ENV{DEBFULLNAME}")
set(address "$ENV{DEBEMAIL}")
if(NOT name OR NOT address)
  set(name "tine authors")
  set(address "packages@tine.example")
endif()
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${name} <${address}>")

set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/src)
if(CMAKE_CROSSCOMPILING)
  list(APPEND CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_SYSROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}
       ${CMAKE_SYSROOT}/lib/${CMAKE_LIBRARY_ARCHITECTURE})
endif()
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(CPACK_POST_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian/finish.cmake)

# The static libraries come first: of the files that both builds install, those of the shared build remain.
set(CPACK_COMPONENTS_STATIC development)
set(CPACK_COMPONENTS_SHARED runtime profiler replay race development tools openmp spork doc)
set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_SHARED})
set(CPACK_INSTALL_CMAKE_PROJECTS "${TINE_STATIC_BUILD};tine;STATIC;/" "${PROJECT_BINARY_DIR};tine;SHARED;/")

# debian_package(GROUP NAME SECTION DESCRIPTION COMPONENT...)
macro(debian_package group name section description)
  string(TOUPPER ${group} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${description}
tine is a fork-join runtime for C++20. A program says what may run in
parallel. The runtime runs it as sequential code until a worker is idle,
and then gives the largest pending piece of work to that worker.")
  foreach(component ${ARGN})
    string(TOUPPER ${component} component)
    set(CPACK_COMPONENT_${component}_GROUP ${group})
  endforeach()
  install(FILES ${CMAKE_CURRENT_LIST_DIR}/debian/copyright ${PROJECT_BINARY_DIR}/changelog.Debian
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} COMPONENT ${ARGV4})
  if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/debian/${name}.lintian-overrides)
    install(FILES ${CMAKE_CURRENT_LIST_DIR}/debian/${name}.lintian-overrides
            DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME ${name} COMPONENT ${ARGV4})
  endif()
endmacro()

# SOURCE_DATE_EPOCH sets the date.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file(${CMAKE_CURRENT_LIST_DIR}/debian/changelog.in ${PROJECT_BINARY_DIR}/changelog.Debian @ONLY)

debian_package(library libtine0 libs "fork-join runtime for C++20 - shared libraries" runtime profiler replay)
string(APPEND CPACK_DEBIAN_LIBRARY_DESCRIPTION "
.
This package has the runtime, the profiler, and the recording and replaying
of schedules.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
# A program needs at least the version that it was built with, which may have functions that an older one has not. CPack
# has no such setting for one package; of the other packages only libtine-dev has a library with a version in its name,
# that of the race detector.
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")

debian_package(headers libtine-dev libdevel "fork-join runtime for C++20 - development files" development race)
string(APPEND CPACK_DEBIAN_HEADERS_DESCRIPTION "
.
This package has the headers, the static libraries, the race detector, and
the files for CMake and pkg-config.")
set(CPACK_DEBIAN_HEADERS_PACKAGE_SHLIBDEPS ON)
# Static libraries leave hwloc and Boost.Context to the program, and tine.pc of shared ones names hwloc, too.
set(CPACK_DEBIAN_HEADERS_PACKAGE_DEPENDS "libtine0 (= ${debian_version}), libhwloc-dev, libboost-context-dev")
set(CPACK_DEBIAN_HEADERS_PACKAGE_RECOMMENDS "pkg-config")
set(CPACK_DEBIAN_HEADERS_PACKAGE_SUGGESTS "tine-tools, tine-doc")

debian_package(command tine-tools devel "fork-join runtime for C++20 - the tine command" tools openmp spork)
string(APPEND CPACK_DEBIAN_COMMAND_DESCRIPTION "
.
The tine command profiles programs that use tine: work, span, parallelism
and memory by call site. It shows and compares recorded schedules, and
compiles Spork IR, a small parallel language. It also runs programs that
use OpenMP on tine.")
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS "libtine0 (= ${debian_version})")
# `tine ir build` links with the libraries of libtine-dev, by the compiler that built the command.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  string(REGEX MATCH "^[0-9]+" major ${CMAKE_CXX_COMPILER_VERSION})
  set(CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS "libtine-dev, clang-${major}, tine-doc")
else()
  set(CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS "libtine-dev, g++, tine-doc")
endif()

debian_package(pages tine-doc doc "fork-join runtime for C++20 - documentation" doc)
string(APPEND CPACK_DEBIAN_PAGES_DESCRIPTION "
.
This package has the documentation in Markdown, and the examples.")
set(CPACK_DEBIAN_PAGES_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PAGES_PACKAGE_SUGGESTS libtine-dev)

include(CPack)
