// Unbalanced tree search (Olivier et al. 2006) on any number of ranks: counts the nodes of a tree whose shape is known
// only after a walk over it.
//
//     uts                          one process, all processors
//     mpirun -n 4 uts              four ranks; the same source, and the same answer
//     mpirun -n 4 uts t3           another tree; t1l is a large one
//
// Each node is a SHA-1 state, from which its children follow.
#define OPENSSL_API_COMPAT 0x10100000L  // the interface without a context on the heap
#include <openssl/sha.h>

#include <tine/mpi.hpp>
#include <tine/tine.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace {

using state = std::array<unsigned char, SHA_DIGEST_LENGTH>;

struct node {
  state hash;
  int depth;
};

struct tree {
  std::string_view name;
  std::uint32_t seed;
  bool binomial;
  int depth;  // of a geometric tree, whose nodes have 4 children on average above it
  std::int64_t nodes;
};
constexpr tree trees[] = {
    {"t1", 19, false, 10, 4'130'071}, {"t3", 42, true, 0, 4'112'897}, {"t1l", 29, false, 13, 102'181'082}};

/// Returns the SHA-1 of some bytes and of a number behind them.
state digest(std::span<const unsigned char> bytes, std::uint32_t number) {
  unsigned char last[4];
  for (int i = 0; i < 4; ++i) last[i] = static_cast<unsigned char>(number >> (24 - 8 * i));
  state result;
  SHA_CTX context;
  SHA1_Init(&context);
  SHA1_Update(&context, bytes.data(), bytes.size());
  SHA1_Update(&context, last, sizeof last);
  SHA1_Final(result.data(), &context);
  return result;
}

node root_of(const tree& t) { return {digest(std::array<unsigned char, 16>{}, t.seed), 0}; }
node child_of(const node& n, int i) { return {digest(n.hash, static_cast<std::uint32_t>(i)), n.depth + 1}; }

int children_of(const tree& t, const node& n) {
  std::uint32_t x = 0;
  for (unsigned i = 16; i < 20; ++i) x = x << 8 | n.hash[i];
  const double random = (x & 0x7fffffffu) / 2147483648.0;
  if (t.binomial) return n.depth == 0 ? 2000 : random < 0.124875 ? 8 : 0;
  if (n.depth >= t.depth) return 0;
  return std::min(100, static_cast<int>(std::log(1 - random) / std::log(1 - 1 / (1 + 4.0))));
}

}  // namespace

int main(int argc, char** argv) {
  tine::mpi::environment mpi{argc, argv};
  const std::string_view name = argc > 1 ? argv[1] : "t1";
  const auto t = std::ranges::find(trees, name, &tree::name);
  if (t == std::end(trees)) return std::printf("usage: uts [t1|t3|t1l]\n"), 2;

  tine::mpi::team team{mpi};
  std::vector<node> roots;
  if (team.rank() == 0) roots.push_back(root_of(*t));  // the other ranks begin with nothing
  const auto began = std::chrono::steady_clock::now();
  const std::int64_t nodes = team.reduce(
      roots, std::int64_t{0},
      [t](const node& n, auto& to) {
        const int children = children_of(*t, n);
        for (int i = 0; i < children; ++i) to.spawn(child_of(n, i));
        return std::int64_t{1};
      },
      std::plus<>{});
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;

  const tine::mpi::team_counters c = team.counters();
  if (team.rank() == 0)
    std::printf("%s: %lld nodes in %.3f s on %d ranks\n", name.data(), static_cast<long long>(nodes), took.count(),
                team.size());
  std::printf("rank %d: without work for %.1f %% of the time; %llu messages with work came, %llu tasks went\n",
              team.rank(),
              100.0 * static_cast<double>(c.idle_ns) / static_cast<double>(std::max<std::uint64_t>(1, c.call_ns)),
              static_cast<unsigned long long>(c.steals), static_cast<unsigned long long>(c.given));
  return nodes == t->nodes ? 0 : 1;
}
