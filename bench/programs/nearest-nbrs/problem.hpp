// The problem nearest-nbrs: find the nearest neighbour of each of many points in the plane.
#pragma once

#include "programs/nearest-nbrs/find_neighbours.hpp"

#include <string>
#include <vector>

namespace bench::nearest_nbrs {

constexpr std::size_t usual_n = 1'000'000;
constexpr std::size_t large_n = 4'000'000;
constexpr std::size_t largest_n = 100'000'000;

/// Points and their nearest neighbours.
class problem {
 public:
  /// Makes the points if `n` has changed since the last call, puts them into the order of their numbers and forgets the neighbours.
  void reset();
  /// Returns a description of a mistake in the neighbours; empty if the check finds none.
  std::string mistake() const;
  /// Returns the sum of the squares of all distances, modulo 2^64: the answer that is reported.
  std::uint64_t sum() const;

  std::size_t n = usual_n;
  std::vector<point> points;
  std::vector<std::uint32_t> nearest;  ///< the number of each point's neighbour, by the point's number

 private:
  struct sample {
    std::uint32_t number;
    std::int64_t distance;
  };

  std::int64_t distance_of(std::size_t i) const { return distance(input_[i], input_[nearest[i]]); }

  std::vector<point> input_;
  std::vector<sample> samples_;  // some points and the distances to their neighbours
};

void serial(problem& p);
void managed(problem& p);
void tuned(problem& p);
void dac(problem& p);
[[gnu::weak]] void tbb(problem& p);
[[gnu::weak]] void openmp(problem& p);

}  // namespace bench::nearest_nbrs
