// The functions of the plugin.
#pragma once

/// Returns the n-th Fibonacci number, computed with forks in the library.
extern "C" long forked_fib(int n);

/// Throws an int out of a fork in the library.
extern "C" void throw_from_fork(int x);
