// Schedules as values: their making, and what can be summed up of them.
#include <tine/replay/schedule.hpp>

#include "replay/check.hpp"

#include <algorithm>
#include <utility>

namespace tine {

schedule::schedule() : root_{0, 0, 0, 0}, nodes_{node{}} {}

schedule::schedule(unsigned workers, const segment& root, std::vector<node> nodes, std::vector<step> steps,
                   std::vector<piece> pieces)
    : workers_{workers}, root_{root}, nodes_{std::move(nodes)}, steps_{std::move(steps)}, pieces_{std::move(pieces)} {
  detail::check_schedule(*this);
}

void schedule::set_numa_nodes(std::vector<int> nodes) {
  detail::check_numa_nodes(nodes, workers_);
  numa_nodes_ = std::move(nodes);
}

std::size_t schedule::steals() const noexcept {
  std::size_t sum = 0;
  for (const step& t : steps_) {
    for (std::uint32_t p = t.first_piece; p != t.first_piece + t.pieces; ++p) {
      // a first branch that waited was not stolen
      const bool is_delay = t.what == kind::fork && pieces_[p].begin == 0;
      if (pieces_[p].run.owner != no_worker && !is_delay) ++sum;
    }
  }
  return sum;
}

std::size_t schedule::size_bytes() const noexcept {
  return sizeof *this + nodes_.size() * sizeof(node) + steps_.size() * sizeof(step) + pieces_.size() * sizeof(piece) +
         numa_nodes_.size() * sizeof(int);
}

namespace {

template <class F>
void for_each_segment(const schedule& s, F f) {
  f(s.root());
  for (const schedule::step& step : s.steps()) f(step.after);
  for (const schedule::piece& piece : s.pieces()) f(piece.run);
}

}  // namespace

std::vector<std::uint64_t> schedule::busy_ns() const {
  std::vector<std::uint64_t> busy(workers_);
  for_each_segment(*this, [&](const segment& s) {
    if (s.owner != no_worker) busy[static_cast<std::size_t>(s.owner)] += s.end_ns - s.begin_ns;
  });
  return busy;
}

std::uint64_t schedule::duration_ns() const noexcept {
  std::uint64_t last = 0;
  for_each_segment(*this, [&](const segment& s) { last = std::max(last, s.end_ns); });
  return last;
}

}  // namespace tine
