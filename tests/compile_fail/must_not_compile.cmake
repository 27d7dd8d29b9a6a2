# cmake -DCOMPILER= -DINCLUDE= -DSOURCE= -DEXPRESSION= -P must_not_compile.cmake
set(command ${COMPILER} -std=c++20 -fsyntax-only -I${INCLUDE} ${SOURCE})

execute_process(COMMAND ${command} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${SOURCE} must compile as long as MISUSE is not defined:\n${output}")
endif()

execute_process(COMMAND ${command} -DMISUSE RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(result EQUAL 0)
  message(FATAL_ERROR "${SOURCE} compiles with MISUSE defined; it must not.")
endif()
if(NOT output MATCHES "error" OR NOT output MATCHES "${EXPRESSION}")
  message(FATAL_ERROR "${SOURCE} fails as it must, but the compiler's output does not match \"${EXPRESSION}\":\n${output}")
endif()
