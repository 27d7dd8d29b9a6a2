// Finds the node and the step of a strand from its place in the program, and writes the strand there, under a lock.
#include "replay/strand_writer.hpp"

#include "sched/scheduler_time.hpp"
#include "sched/worker.hpp"

#include <mutex>
#include <vector>

namespace tine::detail {

segment_builder* strand_writer::begin_piece(replay_node& n, std::uint64_t begin) noexcept {
  const sched::scheduler_time here;
  const std::lock_guard guard{lock_};
  step_builder& s = step_of(n);
  s.is_hinted |= n.is_hinted;
  return tree_.begin_piece(s, begin, sched::hot::self()->index, base::now());
}

segment_builder* strand_writer::begin_after(replay_node& n) noexcept {
  const sched::scheduler_time here;
  const std::lock_guard guard{lock_};
  return tree_.begin_after(step_of(n), sched::hot::self()->index, base::now());
}

segment_builder* strand_writer::begin_stolen(sched::position& forked, sched::position& first) noexcept {
  const sched::scheduler_time here;
  const std::lock_guard guard{lock_};
  first.step = &step_of(forked);
  return tree_.begin_piece(*first.step, 1, sched::hot::self()->index, base::now());
}

segment_builder* strand_writer::begin_after(sched::position& forked) noexcept {
  const sched::scheduler_time here;
  const std::lock_guard guard{lock_};
  return tree_.begin_after(step_of(forked), sched::hot::self()->index, base::now());
}

void strand_writer::note_placed(replay_node& n, std::uint64_t begin, int owner) noexcept {
  if (!tree_.has_journal()) return;
  const sched::scheduler_time here;
  const std::lock_guard guard{lock_};
  tree_.note_placed(step_of(n), begin, owner);
}

// The nodes and steps around a step are written first. Those that are not written yet belong to the running strand, or
// to ancestors of it whose steal is being written, too.

step_builder& strand_writer::step_of(replay_node& n) {
  if (n.written == nullptr) n.written = &tree_.add_step(node_of(n.parent), n.number, n.what, n.count);
  return *n.written;
}

step_builder& strand_writer::step_of(sched::position& counted) {
  if (counted.step == nullptr) counted.step = &add_step(node_of(*counted.up()), counted);
  return *counted.step;
}

/// Adds the step of a counted fork or loop.
step_builder& strand_writer::add_step(node_builder& to, const sched::position& counted) {
  if (!counted.is_in_loop()) return tree_.add_step(to, counted.own, schedule::kind::fork, 2);
  const auto& loop = static_cast<const sched::loop_position&>(counted);
  return tree_.add_step(to, loop.own, schedule::kind::loop, loop.iterations);
}

namespace {

/// Returns the position around `p`, which must not be the region itself.
sched::position& around(sched::position& p) noexcept {
  const cursor* const c = as_cursor(p);
  return c != nullptr ? c->above->parent : *p.up();
}

/// Returns the written node of a position in a counted fork or loop; null if it is not written yet.
node_builder* written_node(const sched::position& counted) noexcept {
  if (counted.step == nullptr) return nullptr;
  const auto found = counted.step->pieces.find(counted.is_in_second() ? 1 : 0);
  return found != counted.step->pieces.end() ? found->second.node : nullptr;
}

}  // namespace

node_builder& strand_writer::node_of(sched::position& p) {
  std::vector<sched::position*> unwritten;
  node_builder* node = nullptr;
  for (sched::position* known = &p;; known = &around(*known)) {
    const cursor* const c = as_cursor(*known);
    node = c != nullptr ? c->node : written_node(*known);
    if (node != nullptr) break;
    unwritten.push_back(known);
  }
  for (; !unwritten.empty(); unwritten.pop_back()) {
    sched::position& next = *unwritten.back();
    if (cursor* const c = as_cursor(next)) {
      replay_node& n = *c->above;
      if (n.written == nullptr) n.written = &tree_.add_step(*node, n.number, n.what, n.count);
      node = c->node = &tree_.node_of(*n.written, c->begin);
    } else {
      if (next.step == nullptr) next.step = &add_step(*node, next);
      node = &tree_.node_of(*next.step, next.is_in_second() ? 1 : 0);
    }
  }
  return *node;
}

}  // namespace tine::detail
