// Plays a program on a vertex type as the runtime does, on one thread and without a scheduler. The driver draws the
// decisions of a schedule at random: which branch runs first, how loops are cut into subranges, and in which order the
// subranges are put together.
#pragma once

#include <tine/augment/vertex.hpp>

#include "unit/augment/sp_program.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace tine::test {

/// Calls `hear(V&, event)` for each event, at the vertex of its strand.
template <class V, class Hear>
class serial_driver {
 public:
  serial_driver(std::uint64_t seed, Hear hear) : random_{seed}, hear_{std::move(hear)} {}

  /// Plays a whole program from vertex `v`; returns the last vertex.
  V play(const sp_program& p, V v = {}) {
    run(p.root, v);
    return v;
  }

 private:
  void run(const block& b, V& v) {
    detail::start_vertex(v, ++now_);
    for (const step& s : b) {
      if (s.is == step::kind::act) {
        hear_(v, s.what);
      } else if (!s.branches.empty()) {
        detail::stop_vertex(v, ++now_);
        s.is == step::kind::fork ? fork(s, v) : loop(s, v);
        detail::start_vertex(v, now_);
      }
    }
    detail::stop_vertex(v, ++now_);
  }

  void fork(const step& s, V& v) {
    V ends[2]{};
    detail::fork_vertex(v, ends[0], ends[1], reinterpret_cast<sched::site>(&s));
    const std::size_t first = random_() % 2;
    for (const std::size_t i : {first, 1 - first}) {
      if (s.branches[i].begins) run(s.branches[i].body, ends[i]);
    }
    detail::join_vertex(v, ends[0], ends[1], sched::branch_end::unpromoted);
  }

  void loop(const step& s, V& v) {
    std::vector<std::size_t> cuts{0, s.branches.size()};
    for (std::size_t i = 1; i < s.branches.size(); ++i) {
      if (random_() % 2 == 0) cuts.push_back(i);
    }
    std::sort(cuts.begin(), cuts.end());
    std::vector<V> subranges(cuts.size() - 1);
    std::vector<std::size_t> order(subranges.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random_);
    for (V& subrange : subranges)
      detail::loop_vertex(v, subrange, s.branches.size(), reinterpret_cast<sched::site>(&s));
    for (const std::size_t i : order) run_subrange(s, cuts[i], cuts[i + 1], subranges[i]);
    while (subranges.size() > 1) append_some(subranges);
    V after{};
    v.join_loop(subranges.front(), after);
    v = std::move(after);
  }

  void run_subrange(const step& s, std::size_t begin, std::size_t end, V& subrange) {
    for (std::size_t i = begin; i != end; ++i) {
      if (!s.branches[i].begins) continue;
      if constexpr (detail::counts_iterations<V>) subrange.iteration(i, s.branches.size());
      run(s.branches[i].body, subrange);
    }
    if constexpr (detail::counts_chunks<V>) subrange.chunk(end - begin, now_);
  }

  void append_some(std::vector<V>& subranges) {
    const std::size_t i = random_() % (subranges.size() - 1);
    detail::append_vertex(subranges[i], subranges[i + 1],
                          random_() % 2 == 0 ? sched::branch_end::stolen : sched::branch_end::reclaimed);
    subranges.erase(subranges.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }

  std::mt19937_64 random_;
  Hear hear_;
  base::ticks now_ = 0;
};

/// Plays a program with a schedule drawn from `seed`.
template <class V, class Hear>
V play(const sp_program& p, std::uint64_t seed, Hear hear, V v = {}) {
  return serial_driver<V, Hear>{seed, std::move(hear)}.play(p, std::move(v));
}

}  // namespace tine::test
