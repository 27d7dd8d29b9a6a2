# cmake -DCOMPILER= -DINCLUDE= -DSOURCE= -DEXPRESSION= [-DPCH=] [-DOPTIONS=] [-DBAD_OPTIONS=] -P must_not_compile.cmake
# PCH is the case's first header, compiled by clang before, in the working directory.
# BAD_OPTIONS go only to the compiler's second run, with MISUSE. The first error of that run must match the expression.
if(PCH)
  list(PREPEND OPTIONS -include-pch ${PCH})
endif()
set(command ${COMPILER} -std=c++20 -fsyntax-only -I${INCLUDE} ${OPTIONS} ${SOURCE})

execute_process(COMMAND ${command} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${SOURCE} must compile as long as MISUSE is not defined:\n${output}")
endif()

execute_process(COMMAND ${command} -DMISUSE ${BAD_OPTIONS} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(result EQUAL 0)
  message(FATAL_ERROR "${SOURCE} compiles with MISUSE defined; it must not.")
endif()
if(NOT output MATCHES "error" OR NOT output MATCHES "${EXPRESSION}")
  message(FATAL_ERROR "${SOURCE} fails as it must, but the compiler's output does not match \"${EXPRESSION}\":\n${output}")
endif()
if(BAD_OPTIONS)
  string(REGEX MATCH "error: [^\n]*" first "${output}")
  if(NOT first MATCHES "${EXPRESSION}")
    message(FATAL_ERROR "${SOURCE} fails with another error first: ${first}")
  endif()
endif()
