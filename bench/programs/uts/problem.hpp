// The problem uts: count the nodes of an unbalanced tree.
#pragma once

#include "programs/uts/tree.hpp"

namespace bench::uts {

/// The sample trees of the benchmark, with their published sizes.
inline constexpr std::array<tree, 9> trees = {{
    {"t1", shape::fixed, 19, 4, 10, 0, 0, 4'130'071, 10},
    {"t1l", shape::fixed, 29, 4, 13, 0, 0, 102'181'082, 13},
    {"t1xxl", shape::fixed, 19, 4, 15, 0, 0, 4'230'646'601, 15},
    {"t2", shape::cyclic, 502, 6, 16, 0, 0, 4'117'769, 81},
    {"t3", shape::binomial, 42, 2000, 0, 0.124875, 8, 4'112'897, 1'572},
    {"t3l", shape::binomial, 7, 2000, 0, 0.200014, 5, 111'345'631, 17'844},
    {"t3xxl", shape::binomial, 316, 2000, 0, 0.499995, 2, 2'793'220'501, 99'049},
    {"t4", shape::hybrid, 1, 6, 16, 0.234375, 4, 4'132'453, 134},
    {"t5", shape::linear, 34, 4, 20, 0, 0, 4'147'582, 20},
}};

struct problem {
  const tree* t = &trees[0];
};

std::int64_t serial(const problem& p);
std::int64_t serial_stored(const problem& p);
std::int64_t managed(const problem& p);
std::int64_t coro(const problem& p);
std::int64_t coro_alloc(const problem& p);
[[gnu::weak]] std::int64_t tbb(const problem& p);
[[gnu::weak]] std::int64_t openmp(const problem& p);

}  // namespace bench::uts
