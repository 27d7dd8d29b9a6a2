// Problems with known answers: mpirun -n 4 answers [queens|betweenness]...; without a name, all of them.
//
// queens       14 queens on a board: 365,596 ways betweenness  betweenness centrality (Brandes 2001) of a Kronecker
// graph: the loop over sources is that of a team, and rank 0 compares with a
//              serial program. The dependencies of one source are rounded to multiples of 2^-20, so that sums do not depend on their order.
#include <tine/managed.hpp>
#include <tine/mpi.hpp>
#include <tine/mpi/cereal.hpp>

#include <cereal/types/vector.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <random>
#include <string_view>
#include <vector>

namespace {

namespace mpi = tine::mpi;

// --- queens ----------------------------------------------------------------------------------------------------------

struct board {
  std::uint32_t columns, left, right;  // squares of the next row that are attacked
};

std::int64_t queens(mpi::team& team, int n) {
  const std::uint32_t all = (1U << n) - 1;
  std::vector<board> own;
  if (team.rank() == 0) own.push_back({0, 0, 0});
  return team.reduce(
      own, std::int64_t{0},
      [all](const board& b, auto& to) -> std::int64_t {
        if (b.columns == all) return 1;
        for (std::uint32_t open = all & ~(b.columns | b.left | b.right); open != 0; open &= open - 1) {
          const std::uint32_t bit = open & -open;
          to.spawn({b.columns | bit, (b.left | bit) << 1 & all, (b.right | bit) >> 1});
        }
        return 0;
      },
      std::plus<>{});
}

// --- betweenness -----------------------------------------------------------------------------------------------------

using graph = std::vector<std::vector<int>>;

/// Each rank makes the same graph.
graph kronecker(int scale, int edges_each, unsigned seed) {
  std::mt19937 random{seed};
  graph g(1U << scale);
  for (std::size_t e = 0; e < g.size() * static_cast<unsigned>(edges_each); ++e) {
    std::size_t a = 0, b = 0;
    for (int i = 0; i < scale; ++i) {
      const auto x = random() % 100;  // the quadrants have 57, 19, 19 and 5 of 100 edges, as in Graph 500
      a = 2 * a + (x >= 76);
      b = 2 * b + ((x >= 57 && x < 76) || x >= 95);
    }
    if (a == b) continue;
    g[a].push_back(static_cast<int>(b));
    g[b].push_back(static_cast<int>(a));
  }
  for (auto& to : g) {
    std::ranges::sort(to);
    to.erase(std::unique(to.begin(), to.end()), to.end());
  }
  return g;
}

void add_dependencies(const graph& g, int source, std::vector<std::int64_t>& to) {
  const std::size_t n = g.size();
  std::vector<int> distance(n, -1), order;
  std::vector<double> paths(n), dependency(n);
  distance[static_cast<unsigned>(source)] = 0;
  paths[static_cast<unsigned>(source)] = 1;
  order.push_back(source);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto v = static_cast<unsigned>(order[i]);
    for (const int next : g[v]) {
      const auto w = static_cast<unsigned>(next);
      if (distance[w] < 0) {
        distance[w] = distance[v] + 1;
        order.push_back(next);
      }
      if (distance[w] == distance[v] + 1) paths[w] += paths[v];
    }
  }
  for (std::size_t i = order.size(); i-- > 1;) {
    const auto w = static_cast<unsigned>(order[i]);
    for (const int before : g[w]) {
      const auto v = static_cast<unsigned>(before);
      if (distance[v] == distance[w] - 1) dependency[v] += paths[v] / paths[w] * (1 + dependency[w]);
    }
    to[w] += std::llround(dependency[w] * (1 << 20));
  }
}

using scores = std::vector<std::int64_t>;

scores sum_of(scores a, const scores& b) {
  a.resize(std::max(a.size(), b.size()));
  for (std::size_t i = 0; i < b.size(); ++i) a[i] += b[i];
  return a;
}

bool betweenness(mpi::team& team) {
  const graph g = kronecker(9, 12, 5);
  const auto n = static_cast<int>(g.size());
  const scores got = team.par_reduce(
      0, n, scores{},
      [&](int source) {
        scores one(g.size());
        add_dependencies(g, source, one);
        return one;
      },
      sum_of);
  scores wanted(g.size());
  for (int s = 0; s < n; ++s) add_dependencies(g, s, wanted);
  return got == wanted && *std::ranges::max_element(wanted) > 0;
}

}  // namespace

int main(int argc, char** argv) {
  mpi::environment e{argc, argv};
  mpi::team team{e};
  const auto is_wanted = [&](std::string_view name) {
    return argc < 2 || std::find(argv + 1, argv + argc, name) != argv + argc;
  };
  int passed = 0, failed = 0;
  const auto check = [&](const char* name, bool good) {
    ++(good ? passed : failed);
    if (!good) std::fprintf(stderr, "rank %d: the answer of %s is wrong\n", e.rank(), name);
  };
  if (is_wanted("queens")) check("queens", queens(team, 14) == 365'596);
  if (is_wanted("betweenness")) check("betweenness", betweenness(team));
  int mine[2] = {passed, failed}, all[2] = {0, 0};
  MPI_Reduce(mine, all, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (e.rank() == 0) std::printf("%d passed, %d failed\n", all[0], all[1]);
  return failed == 0 ? 0 : 1;
}
