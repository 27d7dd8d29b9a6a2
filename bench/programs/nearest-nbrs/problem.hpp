// Which other point is nearest to each of many points in the plane?
#pragma once

#include "programs/nearest-nbrs/tree.hpp"

#include <string>
#include <vector>

namespace bench::nearest_nbrs {

constexpr std::size_t usual_n = 1'000'000;
constexpr std::size_t large_n = 4'000'000;
constexpr std::size_t largest_n = 100'000'000;

/// Points and their nearest neighbours.
class problem {
 public:
  /// Makes the points if `n` has changed since, puts them into the order of their numbers and forgets the neighbours.
  void reset();
  /// What is wrong with the neighbours; empty if nothing was found.
  std::string mistake() const;
  /// The sum of the squares of all distances, modulo 2^64: the answer that is reported.
  std::uint64_t sum() const;

  std::size_t n = usual_n;
  std::vector<point> points;
  std::vector<std::uint32_t> nearest;  ///< of each point, by numbers

 private:
  struct sample {
    std::uint32_t number;
    std::int64_t distance;
  };

  std::int64_t distance_of(std::size_t i) const { return distance(input_[i], input_[nearest[i]]); }

  std::vector<point> input_;
  std::vector<sample> samples_;  // some points and the distances of their neighbours
};

void serial(problem& p);
void managed(problem& p);
void tuned(problem& p);
void dac(problem& p);
void tbb(problem& p);
void openmp(problem& p);

}  // namespace bench::nearest_nbrs
