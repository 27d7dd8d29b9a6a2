// The cases of the study: an algorithm, its input, and a number that tells if its result is right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace bench::algorithms {

/// The input and the output of one call.
struct data {
  std::vector<int> x, y, out, also;
  std::vector<double> u, v;
  std::uint64_t result = 0;
};

struct test_case {
  const char* name;
  void (*prepare)(data& d, std::size_t n, std::uint64_t seed);
  std::uint64_t (*check)(const data& d);  ///< the same for every library
  void (*run)(data& d);
};

/// Returns the cases over the library of this executable.
std::span<const test_case> cases();

/// Runs a function with a number of workers of that library; of tine, if the library is serial.
void run_in(unsigned workers, const std::function<void()>& f);

}  // namespace bench::algorithms
