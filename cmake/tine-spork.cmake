# Spork IR in C++ programs.
#
# tine_target_spork(TARGET FILE... [MARCH LEVEL] [OPTIMISE 0|1|2|3])
#
# Compiles programs in Spork IR ahead of time, and adds their exported functions to TARGET, which is a target of this
# folder that links tine. For each FILE, say `heat.spork`, the sources of TARGET may include `heat.h`, which declares
# its functions. MARCH is the kind of processor that runs the code, by default the oldest of its architecture: native,
# x86-64-v2 and so on, see `tine ir build --help`. OPTIMISE is the level of LLVM's passes, 2 by default. Needs the
# executable tine::command.
function(tine_target_spork target)
  cmake_parse_arguments(PARSE_ARGV 1 spork "" "MARCH;OPTIMISE" "")
  if(NOT TARGET ${target})
    message(FATAL_ERROR "tine: tine_target_spork needs a target, and there is no '${target}'")
  endif()
  if(NOT spork_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tine: tine_target_spork(${target} …) names no file")
  endif()
  if(NOT spork_MARCH)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
      set(spork_MARCH armv8-a)
    elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
      set(spork_MARCH x86-64)
    else()
      set(spork_MARCH native)
    endif()
  endif()
  if(NOT DEFINED spork_OPTIMISE)
    set(spork_OPTIMISE 2)
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/spork/${target})
  file(MAKE_DIRECTORY ${folder})
  set(command tine::command)
  if(TARGET tine_spork_cli)  # in builds of tine itself: the program behind `tine ir`
    set(command tine_spork_cli)
  endif()
  foreach(file IN LISTS spork_UNPARSED_ARGUMENTS)
    cmake_path(ABSOLUTE_PATH file NORMALIZE)
    cmake_path(GET file STEM LAST_ONLY stem)
    add_custom_command(
      OUTPUT ${folder}/${stem}.o ${folder}/${stem}.h
      COMMAND ${command} ir build ${file} --emit=object -o ${folder}/${stem}.o --header ${folder}/${stem}.h
              --march=${spork_MARCH} --level=${spork_OPTIMISE}
      DEPENDS ${file} ${command}
      COMMENT "Compiling ${stem}.spork" VERBATIM)
    set_source_files_properties(${folder}/${stem}.o PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
    target_sources(${target} PRIVATE ${folder}/${stem}.o ${folder}/${stem}.h)
  endforeach()
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
