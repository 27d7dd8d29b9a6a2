# What `tine` and tine-spork (spork/command) share: the command line, and the files and texts of commands.
include_guard(GLOBAL)
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
set(here ${CMAKE_CURRENT_LIST_DIR})
add_library(tine_command_line OBJECT ${here}/command_line.cpp ${here}/command_tree.cpp ${here}/suggestion.cpp)
target_compile_options(tine_command_line PRIVATE -O0)
add_library(tine_command_files OBJECT ${here}/library_of_tine.cpp ${here}/palette.cpp ${here}/print.cpp ${here}/progress.cpp ${here}/read_program.cpp
            ${here}/replace_file.cpp ${here}/table.cpp)
foreach(target tine_command_line tine_command_files)
  target_link_libraries(${target} PRIVATE tine::tine tine_warnings CLI11::CLI11 fmt::fmt)
  target_include_directories(${target} PRIVATE ${TINE_ROOT}/tools)
endforeach()

# The folders of the installed libraries, from that of the command. A product that is built alone finds them where its
# tine is installed.
if(TARGET tine_runtime)
  file(RELATIVE_PATH library_folder /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
else()
  get_target_property(library_folder tine::runtime LOCATION)
  cmake_path(GET library_folder PARENT_PATH library_folder)
endif()
set_property(SOURCE ${here}/library_of_tine.cpp TARGET_DIRECTORY tine_command_files PROPERTY COMPILE_DEFINITIONS "TINE_LIBRARY_FOLDER=\"${library_folder}\"")
