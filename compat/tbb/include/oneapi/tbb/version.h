// The version of oneTBB whose interface these headers have: that of oneTBB's own headers if they are found.
#pragma once
#pragma GCC system_header  // compilers warn of #include_next elsewhere

#if __has_include_next(<oneapi/tbb/version.h>)
#include_next <oneapi/tbb/version.h>
#else
#define TBB_VERSION_MAJOR 2021
#define TBB_VERSION_MINOR 8
#define TBB_VERSION_PATCH 0
#define TBB_VERSION_STRING "2021.8.0"
#define ONETBB_SPEC_VERSION "1.0"
#define TBB_INTERFACE_VERSION 12080
#define TBB_INTERFACE_VERSION_MAJOR (TBB_INTERFACE_VERSION / 1000)
#define TBB_INTERFACE_VERSION_MINOR (TBB_INTERFACE_VERSION % 1000 / 10)
#endif
