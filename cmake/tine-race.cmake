# Programs that `tine race` and tine::check_races look into.
#
# tine_enable_race_detection(TARGET)
#
# Compiles TARGET, an executable or a library, so that it reports its accesses to memory, and links it with
# libtine_race. Apply it to every target whose accesses are to be checked. The target must link tine, and must not be
# built with a sanitizer: the compiler inserts what it inserts for ThreadSanitizer, and libtine_race takes the place of
# ThreadSanitizer's runtime. Needs tine::race.
function(tine_enable_race_detection target)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "tine: tine_enable_race_detection needs a target, and there is no '${target}'")
  endif()
  if(NOT TARGET tine::race)
    message(FATAL_ERROR "tine: tine_enable_race_detection(${target}) needs the component race of tine, which is not installed")
  endif()
  get_target_property(options ${target} COMPILE_OPTIONS)
  if("${options} ${CMAKE_CXX_FLAGS}" MATCHES "-fsanitize=[a-z,]*(address|memory|hwaddress|leak)")
    message(FATAL_ERROR "tine: tine_enable_race_detection(${target}): a program with another sanitizer cannot be checked for races")
  endif()
  target_compile_options(${target} PRIVATE -fsanitize=thread)
  target_compile_definitions(${target} PRIVATE TINE_RACE_DETECTION)
  # The compiler's reports of calls and returns are not needed.
  target_compile_options(${target} PRIVATE "$<$<CXX_COMPILER_ID:Clang>:SHELL:-mllvm -tsan-instrument-func-entry-exit=0>"
                                           "$<$<CXX_COMPILER_ID:GNU>:SHELL:--param tsan-instrument-func-entry-exit=0>")
  # clang reports no access to more than 16 bytes. So no loop is vectorised, also if a pragma asks for it.
  target_compile_options(${target} PRIVATE -fno-tree-vectorize -fno-tree-slp-vectorize
                                           "$<$<CXX_COMPILER_ID:Clang>:SHELL:-mllvm -force-vector-width=1 -Wno-pass-failed>")
  # g++ reports what these functions access only if it calls them.
  target_compile_options(${target} PRIVATE "$<$<CXX_COMPILER_ID:GNU>:-fno-builtin-memcpy;-fno-builtin-memmove;-fno-builtin-memset>")
  get_target_property(libraries ${target} LINK_LIBRARIES)
  if(NOT libraries)
    set(libraries)
  endif()
  # In front of all other libraries, so that its functions take the place of those of the C library.
  set_property(TARGET ${target} PROPERTY LINK_LIBRARIES tine::race ${libraries})
endfunction()
