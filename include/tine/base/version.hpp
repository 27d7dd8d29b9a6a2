// The version of the library, which follows https://semver.org. CMake reads it from here.
#pragma once

#define TINE_VERSION_MAJOR 0
#define TINE_VERSION_MINOR 3
#define TINE_VERSION_PATCH 0
/// The three numbers as a text.
#define TINE_VERSION "0.3.0"
