// The cases of the study: an algorithm, its input, and a number that tells if its result is right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace bench::algorithms {

/// The input and the output of one call.
struct data {
  std::vector<int> x, y, out, also;
  std::vector<double> u, v;
  std::uint64_t result = 0;
};

struct test_case {
  std::string name;
  void (*prepare)(data& d, std::size_t n, std::uint64_t seed);
  void (*run)(data& d);
  std::uint64_t (*check)(const data& d);  ///< the same for every library
};

/// Returns the cases that the library of this executable has.
std::vector<test_case> cases();

}  // namespace bench::algorithms
