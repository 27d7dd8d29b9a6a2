# Installs the library in components, which a packager may choose from; tools/ and spork/ install what they build:
#
#   runtime      libtine (shared libraries only)
#   profiler     libtine_profiler (shared only)
#   replay       libtine_replay (shared only)
#   race         libtine_race (shared only), and tine_enable_race_detection, which prepares a target for `tine race`
#   mpi          libtine_mpi (shared only), if tine was built with MPI
#   tools        the tine command, tine-spork, which it starts for `tine ir` and `tine ml`, their man pages and completions,
#                libtine_space.so and libtine_locks.so, which the command preloads to observe malloc and locks
#   openmp       libtine_omp.so, which the command preloads into programs that use OpenMP
#   spork        tine_target_spork, which adds functions in Spork IR to a target; needs the tools, built with TINE_IR
#   development  headers, static libraries, and the files for CMake and pkg-config
#   doc          the documentation and the examples
include(CMakePackageConfigHelpers)

if(BUILD_SHARED_LIBS)
  set(kind shared)
else()
  set(kind static)
endif()

foreach(part runtime profiler replay race mpi)
  if(NOT TARGET tine_${part})
    continue()
  endif()
  install(TARGETS tine_${part} EXPORT tine-${part}-${kind}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${part} NAMELINK_COMPONENT development
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
  install(EXPORT tine-${part}-${kind} NAMESPACE tine:: DESTINATION ${package_folder} COMPONENT development)
  list(APPEND parts ${part})
endforeach()
if(TARGET tine_race)
  install(FILES ${CMAKE_CURRENT_LIST_DIR}/tine-race.cmake DESTINATION ${package_folder} COMPONENT development)
endif()
if(TARGET tine_space)
  install(TARGETS tine_space tine_locks LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tine COMPONENT tools)
endif()
if(NOT TARGET tine_mpi)
  set(without_mpi PATTERN mpi EXCLUDE PATTERN mpi.hpp EXCLUDE)
endif()
# gdb looks for the script of a shared library in this folder, if the prefix is the one of gdb. Static libraries contain
# it; the copy in share/tine is for other prefixes, and for the command `source`.
set(gdb_script ${PROJECT_BINARY_DIR}/src/tine-gdb.py)
if(BUILD_SHARED_LIBS)
  string(REGEX REPLACE "^/" "" libraries "${CMAKE_INSTALL_FULL_LIBDIR}")
  install(FILES ${gdb_script} DESTINATION ${CMAKE_INSTALL_DATADIR}/gdb/auto-load/${libraries} COMPONENT runtime
          RENAME libtine.so.${PROJECT_VERSION}-gdb.py)
endif()
install(FILES ${gdb_script} DESTINATION ${CMAKE_INSTALL_DATADIR}/tine COMPONENT development)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tine DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
        FILES_MATCHING PATTERN *.hpp PATTERN *.h ${without_mpi})

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/tine-config.cmake.in ${PROJECT_BINARY_DIR}/tine-config.cmake
                              INSTALL_DESTINATION ${package_folder} NO_SET_AND_CHECK_MACRO)
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tine-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tine-config.cmake ${PROJECT_BINARY_DIR}/tine-config-version.cmake
        DESTINATION ${package_folder} COMPONENT development)

# pkg-config: `tine` is all libraries, `tine-runtime` is the runtime alone, and `tine-pstl` is all libraries with
# std::execution::par on tine, and `tine-race` is all libraries with the race detector, for programs that it checks;
# `tine-mpi` is all libraries with fork-join over MPI, and `tine-tbb` is all libraries with oneTBB's algorithms on tine. The files of shared libraries have the libraries that a static
# one needs as private ones, which `pkg-config --static` adds.
foreach(part IN LISTS parts)
  if(part MATCHES "^(profiler|replay)$" AND BUILD_SHARED_LIBS)
    list(PREPEND link_words -Wl,--push-state,--no-as-needed,-ltine_${part},--pop-state)  # see src/CMakeLists.txt
  elseif(NOT part MATCHES "^(runtime|race|mpi)$")
    list(PREPEND link_words -ltine_${part})
  endif()
endforeach()
foreach(part IN ITEMS profiler replay)
  if(TARGET tine_${part} AND NOT BUILD_SHARED_LIBS)
    list(PREPEND link_words -Wl,--undefined=tine_${part})
  endif()
endforeach()
string(JOIN " " link_words ${link_words} "")
# They don't require hwloc.pc: with it `pkg-config --static` adds -ludev, which only a static libhwloc needs, and which is in no package
# that Debian's libhwloc-dev depends on.
set(pc_folders ${hwloc_LIBRARY_DIRS})
list(REMOVE_ITEM pc_folders ${CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES})
list(TRANSFORM pc_folders PREPEND -L)
string(JOIN " " pc_dependencies ${pc_folders} -lhwloc -lboost_context -ldl -pthread)
if(BUILD_SHARED_LIBS)
  set(pc_private "Libs.private: ${pc_dependencies}")
else()
  set(pc_public " -Wl,-z,nodelete ${pc_dependencies}")
  set(pc_flags " -DTINE_STATIC")
endif()
# The folders are relative to the file, so that the installation may be moved.
file(RELATIVE_PATH pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
set(pc_static_flags "${pc_flags}")
set(names tine tine-runtime tine-pstl tine-race)
if(TARGET tine_tbb)
  list(APPEND names tine-tbb)
endif()
if(TARGET tine_mpi)
  list(APPEND names tine-mpi)  # for mpicxx, which adds the flags of MPI
endif()
foreach(name IN LISTS names)
  set(pc_flags "${pc_static_flags}")
  if(name STREQUAL tine-runtime)
    set(pc_libs "-ltine")
  elseif(name STREQUAL tine-mpi)
    set(pc_libs "-ltine_mpi ${link_words}-ltine")
  elseif(name STREQUAL tine-race)
    set(pc_libs "-ltine_race ${link_words}-ltine")
    set(pc_flags "${pc_static_flags} -fsanitize=thread -DTINE_RACE_DETECTION")
    string(APPEND pc_flags " -fno-tree-vectorize -fno-tree-slp-vectorize -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset")  # as in tine-race.cmake
  else()
    set(pc_libs "${link_words}-ltine")
  endif()
  if(name STREQUAL tine-pstl)
    set(pc_flags "${pc_static_flags} -include tine/pstl.hpp")
  endif()
  set(pc_first "")
  if(name STREQUAL tine-tbb)  # in front of oneTBB's headers, wherever these are
    set(pc_first "-I\${includedir}/tine-tbb ")
  endif()
  configure_file(${CMAKE_CURRENT_LIST_DIR}/tine.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  # CMake does not install a file over one with the same time, to the second: that of the other kind of library may have
  # it.
  install(CODE "file(REMOVE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig/${name}.pc\")" COMPONENT development)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endforeach()

# The folders are those of the source, so that the links between the pages hold.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/spork/docs DESTINATION ${CMAKE_INSTALL_DOCDIR}/spork COMPONENT doc)
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
if(NOT TINE_PACKAGE)  # a Debian package has the licence in its file `copyright`
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
endif()
