// The problem uts: count the nodes of an unbalanced tree.
#pragma once

// The three-step SHA-1 of OpenSSL is deprecated since 3.0 in favour of EVP, which allocates a context for each digest.
// That would cost more than hashing the 24 bytes. This macro selects the interface of 1.1.0, which has no warning for
// the three steps.
#define OPENSSL_API_COMPAT 0x10100000L
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace bench::uts {

// The trees of the Unbalanced Tree Search benchmark (Olivier et al. 2006): every node is a SHA-1 state, from which the
// number of its children and their states follow. The shape of such a tree is known only after a walk over it.

using node = std::array<unsigned char, SHA_DIGEST_LENGTH>;

enum class shape {
  fixed,     ///< geometric: the mean number of children is `root_children` on each level above `depth`
  linear,    ///< geometric: the mean decreases linearly, from `root_children` at the root to 0 at `depth`
  cyclic,    ///< geometric: the mean is a power of `root_children` that oscillates with the period `depth`
  binomial,  ///< every node but the root has `m` children with probability `q`, else none
  hybrid,    ///< linear on the levels above half of `depth`, binomial below
};

/// The parameters of a tree, in the benchmark's notation.
struct tree {
  const char* name;
  shape kind;
  std::uint32_t seed;
  double root_children;  ///< b0
  int depth;             ///< d, of a geometric or hybrid tree
  double q;              ///< of a binomial or hybrid tree
  int m;                 ///< of a binomial or hybrid tree
  std::int64_t nodes;    ///< the known answer
  int levels;            ///< the depth of the tree, which is the depth of a recursion over it
};

constexpr int most_children = 100;  ///< of a node in a geometric tree

[[gnu::always_inline]] inline void put_big_endian(unsigned char* at, std::uint32_t x) {
  for (int i = 0; i < 4; ++i) at[i] = static_cast<unsigned char>(x >> (24 - 8 * i));
}

template <std::size_t Bytes>
[[gnu::always_inline]] inline node digest(const std::array<unsigned char, Bytes>& data) {
  node result;
  SHA_CTX context;
  SHA1_Init(&context);
  SHA1_Update(&context, data.data(), data.size());
  SHA1_Final(result.data(), &context);
  return result;
}

inline node root_of(const tree& t) {
  std::array<unsigned char, 20> data{};
  put_big_endian(data.data() + 16, t.seed);
  return digest(data);
}

inline node child_of(const node& parent, int i) {
  std::array<unsigned char, 24> data;
  std::memcpy(data.data(), parent.data(), parent.size());
  put_big_endian(data.data() + parent.size(), static_cast<std::uint32_t>(i));
  return digest(data);
}

/// Returns the random number of a node, in [0, 1).
inline double random_of(const node& n) {
  std::uint32_t x = 0;
  for (std::size_t i = 16; i < 20; ++i) x = x << 8 | n[i];
  return (x & 0x7fffffffu) / 2147483648.0;
}

/// Returns the number of children of a node of a geometric tree whose expected number of children is `mean`.
inline int geometric_children(const node& n, double mean) {
  const double p = 1 / (1 + mean);
  const int children = static_cast<int>(std::log(1 - random_of(n)) / std::log(1 - p));  // not negative: this is floor
  return std::min(children, most_children);
}

/// Returns the expected number of children on a level of a tree with an oscillating mean. Out of line, because only
/// these trees need the sine and the power.
[[gnu::noinline]] inline double cyclic_mean(const tree& t, int depth) {
  constexpr double pi = 3.141592653589793;
  if (depth == 0) return t.root_children;
  if (depth > 5 * t.depth) return 0;
  return std::pow(t.root_children, std::sin(2 * pi * depth / t.depth));
}

/// Returns the number of children of the node `n` on level `depth`.
inline int children_of(const tree& t, const node& n, int depth) {
  switch (t.kind) {
    case shape::fixed:
      return depth < t.depth ? geometric_children(n, t.root_children) : 0;
    case shape::cyclic:
      return geometric_children(n, cyclic_mean(t, depth));
    case shape::linear:
      break;
    case shape::binomial:
      if (depth == 0) return static_cast<int>(t.root_children);
      return random_of(n) < t.q ? t.m : 0;
    case shape::hybrid:
      if (2 * depth >= t.depth) return random_of(n) < t.q ? t.m : 0;
      break;
  }
  return geometric_children(n, t.root_children * (1 - static_cast<double>(depth) / t.depth));
}

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
  std::int64_t answer = 0;

  std::string mistake() const;
};

// The rivals, which are null in the executable without them.
[[gnu::weak]] void tbb(problem& p);
[[gnu::weak]] void openmp(problem& p);

}  // namespace bench::uts
