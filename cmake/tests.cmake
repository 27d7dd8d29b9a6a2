# What the tests of every product share: doctest's main, and programs of unit tests.
include_guard(GLOBAL)
enable_testing()
find_package(doctest REQUIRED)
find_package(rapidcheck REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

set(test_timeout 300)
if(TINE_SANITIZE)
  set(test_timeout 900)
endif()
if(CMAKE_CROSSCOMPILING)  # an emulator is slow, and takes a second to start the command
  set(test_timeout 1500)
endif()

# doctest itself is not worth optimising.
add_library(tine_test_main OBJECT ${TINE_ROOT}/tests/unit/main.cpp)
target_compile_options(tine_test_main PRIVATE -O0)
# An exception in an expression that is checked ends its test case: without that an assertion takes a tenth longer to
# compile.
set(fast_asserts DOCTEST_CONFIG_SUPER_FAST_ASSERTS)
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")  # there doctest would call raise(), which tests have a type for
  set_property(TARGET doctest::doctest APPEND PROPERTY INTERFACE_COMPILE_OPTIONS "-DDOCTEST_BREAK_INTO_DEBUGGER()=__builtin_trap()")
endif()
target_compile_definitions(tine_test_main PRIVATE ${fast_asserts})
target_link_libraries(tine_test_main PUBLIC doctest::doctest)

# tine_unit_test(COMPONENT LEVEL): the program unit_COMPONENT of unit/COMPONENT/*_test.cpp, compiled at a level; ctest
# runs it whole.
function(tine_unit_test component level)
  set(target unit_${component})
  file(GLOB sources CONFIGURE_DEPENDS unit/${component}/*_test.cpp)
  add_executable(${target} ${sources} $<TARGET_OBJECTS:tine_test_main>)
  target_include_directories(${target} PRIVATE ${TINE_ROOT}/src ${CMAKE_CURRENT_SOURCE_DIR} ${TINE_ROOT}/tests)
  target_link_libraries(${target} PRIVATE tine::tine tine_warnings doctest::doctest Boost::context PkgConfig::hwloc)
  target_compile_definitions(${target} PRIVATE ${fast_asserts})
  target_compile_options(${target} PRIVATE ${level})
  add_test(NAME ${target} COMMAND ${target})
  set_tests_properties(${target} PROPERTIES TIMEOUT ${test_timeout} LABELS unit)
endfunction()

# tine_precompile_unit_tests(COMPONENT...): all of them are compiled with the headers that most tests include. The first
# one's are shared.
function(tine_precompile_unit_tests first)
  if(NOT tests IN_LIST TINE_PRECOMPILE)
    return()
  endif()
  tine_precompile(tests unit_${first}
    <doctest/doctest.h> <tine/tine.hpp> <algorithm> <array> <atomic> <memory> <mutex> <random> <stdexcept> <string> <thread> <utility> <vector>)
  foreach(component ${ARGN})
    target_precompile_headers(unit_${component} REUSE_FROM unit_${first})
  endforeach()
endfunction()
