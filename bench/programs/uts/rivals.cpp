// uts on oneTBB and OpenMP: a task for each child but the last, which is a call.
#include "problem.hpp"

#include "harness/loops/openmp_loops.hpp"

#include <numeric>
#include <vector>

namespace bench::uts {
namespace {

/// Counts the nodes of the subtree of `n`.
template <class Tasks>
[[gnu::noinline]] std::int64_t count(const tree& t, const node& n, int depth) {
  const int children = children_of(t, n, depth);
  if (children == 0) return 1;
  std::vector<std::int64_t> nodes(static_cast<std::size_t>(children));
  Tasks forked;
  for (int i = 0; i < children - 1; ++i)
    forked.run([&t, &n, depth, i, &here = nodes[static_cast<std::size_t>(i)]] {
      here = count<Tasks>(t, child_of(n, i), depth + 1);
    });
  nodes.back() = count<Tasks>(t, child_of(n, children - 1), depth + 1);
  forked.wait();
  return std::accumulate(nodes.begin(), nodes.end(), std::int64_t{1});
}

}  // namespace

void tbb(problem& p) { p.answer = count<tbb_group>(*p.t, root_of(*p.t), 0); }
void openmp(problem& p) { p.answer = count<openmp_group>(*p.t, root_of(*p.t), 0); }

}  // namespace bench::uts
