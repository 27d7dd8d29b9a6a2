# Does what CPack 3.25 cannot do for a Debian package. cpack runs this file with the packages' names in CPACK_PACKAGE_FILES.
#
# - It compresses changelogs and man pages, as policy 12.1 and 12.7 ask, and computes the sums of the files anew.
#   CHANGELOG.md gets the name that policy 12.7 gives to the changes of a program.
# - It replaces CPack's scripts that call ldconfig by the trigger of policy 8.1.1.
# - It writes the field Multi-Arch. tine-tools has none: it holds CMake files in a folder of its architecture.
function(run)
  execute_process(COMMAND ${ARGN} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(multiarch_of_libtine0 same)
set(multiarch_of_libtine-dev same)
set(multiarch_of_tine-doc foreign)

foreach(package IN LISTS CPACK_PACKAGE_FILES)
  set(root "${package}.unpacked")
  file(REMOVE_RECURSE "${root}")
  run(dpkg-deb --raw-extract "${package}" "${root}")

  file(GLOB changes "${root}/usr/share/doc/*/CHANGELOG.md")
  foreach(each IN LISTS changes)
    get_filename_component(folder "${each}" DIRECTORY)
    file(RENAME "${each}" "${folder}/changelog")
  endforeach()
  file(GLOB texts "${root}/usr/share/doc/*/changelog*" "${root}/usr/share/man/man*/*.[1-9]")
  foreach(text IN LISTS texts)
    run(gzip -9n "${text}")
  endforeach()

  file(GLOB_RECURSE files RELATIVE "${root}" "${root}/usr/*")
  list(SORT files)
  set(sums)
  foreach(file IN LISTS files)
    if(NOT IS_SYMLINK "${root}/${file}")
      file(MD5 "${root}/${file}" sum)
      string(APPEND sums "${sum}  ${file}\n")
    endif()
  endforeach()
  file(WRITE "${root}/DEBIAN/md5sums" "${sums}")

  file(GLOB scripts "${root}/DEBIAN/postinst" "${root}/DEBIAN/postrm")
  if(scripts)
    file(REMOVE ${scripts})
    file(WRITE "${root}/DEBIAN/triggers" "activate-noawait ldconfig\n")
  endif()

  file(READ "${root}/DEBIAN/control" control)
  string(REGEX MATCH "Package: ([^\n]+)\n" line "${control}")
  if(DEFINED multiarch_of_${CMAKE_MATCH_1})
    string(REPLACE "${line}" "${line}Multi-Arch: ${multiarch_of_${CMAKE_MATCH_1}}\n" control "${control}")
  endif()
  file(WRITE "${root}/DEBIAN/control" "${control}")

  run(dpkg-deb --root-owner-group -Zxz --build "${root}" "${package}")
  file(REMOVE_RECURSE "${root}")
endforeach()
