# An overlay port: `vcpkg install tine --overlay-ports=packaging/vcpkg`. It builds the source tree that it is part of.
# No vcpkg has run it yet; tests/package/vcpkg_test.py checks only its syntax.
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS FEATURE_OPTIONS FEATURES profiler TINE_PROFILER replay TINE_REPLAY)

vcpkg_find_acquire_program(PKGCONFIG)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS ${FEATURE_OPTIONS} -DTINE_TESTS=OFF -DTINE_BENCH=OFF -DTINE_EXAMPLES=OFF -DTINE_TOOLS=OFF -DTINE_COMPAT=OFF "-DPKG_CONFIG_EXECUTABLE=${PKGCONFIG}")
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/tine)
vcpkg_fixup_pkgconfig()

# vcpkg has one set of headers for both configurations. libtine_space.so belongs to the tine command, which is not built
# here.
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share/doc" "${CURRENT_PACKAGES_DIR}/share/doc"
     "${CURRENT_PACKAGES_DIR}/lib/tine" "${CURRENT_PACKAGES_DIR}/debug/lib/tine")

file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
