// TINE_WRAPPERS: names the functions that fork and loop for their callers, so that reports show the callers. This
// header includes no other one, and a program needs no library for it.
#pragma once

/// Names a namespace, a class or a function, such as "my::loops", whose functions are wrappers: they fork or loop for
/// their caller. All tools show such a fork at the first function outside of wrappers. The namespaces tine, std, tbb,
/// parlay and omp are known to be wrappers. Write it at namespace scope in the wrapper's header, or else in one source
/// file. It costs nothing at run time: the name lies in a section of the executable.
///
///     TINE_WRAPPERS("my::parallel_for");
///
/// Debug information of the level -g1 has no namespaces. In programs built so, inlined functions from the header with
/// this line are wrappers, whatever their names.
#define TINE_WRAPPERS(name) TINE_WRAPPERS_AS(TINE_WRAPPERS_JOIN(tine_wrappers_at_, __LINE__), name)

#define TINE_WRAPPERS_JOIN(a, b) TINE_WRAPPERS_PASTE(a, b)
#define TINE_WRAPPERS_PASTE(a, b) a##b
#define TINE_WRAPPERS_AS(variable, name) \
  [[gnu::section("tine_wrappers"), gnu::used, gnu::retain]] static constexpr char variable[] = name "\n" __FILE__
