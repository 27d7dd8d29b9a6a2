// What the plugin offers.
#pragma once

/// The n-th Fibonacci number, forked in the library.
extern "C" long forked_fib(int n);

/// Throws an int out of a fork in the library.
extern "C" void throw_from_fork(int x);
