# Installs the npm packages that FROM/package-lock.json names into TO, once for all presets: `npm ci`, unless another
# build has just done it. The lock is needed because builds of two presets may run this at once.
file(MAKE_DIRECTORY ${TO})
file(LOCK ${TO}/lock GUARD PROCESS)

file(SHA256 ${FROM}/package-lock.json wanted)
if(EXISTS ${TO}/installed.stamp)
  file(READ ${TO}/installed.stamp installed)
endif()
if("${installed}" STREQUAL "${wanted}")
  file(TOUCH ${TO}/installed.stamp)
  return()
endif()

file(COPY ${FROM}/package.json ${FROM}/package-lock.json DESTINATION ${TO})
# No package may run programs at installation; none of ours needs to.
execute_process(
  COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error
  WORKING_DIRECTORY ${TO}
  RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "npm ci failed in ${TO}: the report's page needs its packages once, from a registry of npm")
endif()
file(WRITE ${TO}/installed.stamp ${wanted})
