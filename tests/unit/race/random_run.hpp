// A serial run of a random tree of forks and loops, as the race detector follows it, and the path of each strand as an
// oracle.
#pragma once

#include "race/history.hpp"
#include "race/order.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace tine::test {

/// The fork or loop with that number, and a branch or an iteration of it.
struct path_step {
  unsigned construct;
  bool is_loop;
  std::uint64_t branch;
  bool operator==(const path_step&) const = default;
};
using path = std::vector<path_step>;

/// Two strands are parallel if and only if their paths part in one construct.
inline bool are_parallel(const path& a, const path& b) {
  const auto [in_a, in_b] = std::ranges::mismatch(a, b);
  return in_a != a.end() && in_b != b.end() && in_a->construct == in_b->construct;
}

class random_run {
 public:
  explicit random_run(unsigned seed) : random_{seed} { begin_strand({}); }

  /// Calls `look` after each step.
  template <class Look>
  void go(unsigned steps, Look look) {
    while (steps-- > 0) {
      step();
      look();
    }
  }

  struct open_construct {
    unsigned number;
    bool is_loop, has_interval, is_second;
    detail::strand_number first, latest;
    std::uint64_t next, entry;
    detail::strand_number around;
  };

  detail::strand_number running() const { return running_; }
  const path& path_of(detail::strand_number s) const { return paths_[s]; }
  unsigned below(unsigned n) { return std::uniform_int_distribution<unsigned>{0, n - 1}(random_); }

  detail::order order;
  detail::history history;
  std::vector<open_construct> open;

 private:
  void step() {
    const unsigned what = below(8);
    if (open.empty() || (what < 3 && open.size() < 12)) return open_one(what == 0);
    open_construct& o = open.back();
    if (o.is_loop && what < 7) return iterate(o);
    if (!o.is_loop && !o.is_second && what < 7) return begin_second(o);
    close();
  }

  void begin_strand(path at) { begin_strand(order.next(), std::move(at)); }
  void begin_strand(detail::strand_number s, path at) {
    running_ = s;
    paths_.resize(running_ + 1);
    paths_[running_] = std::move(at);
  }
  path inside(const open_construct& o, std::uint64_t branch) const {
    path at = paths_[o.around];
    at.push_back({o.number, o.is_loop, branch});
    return at;
  }

  void open_one(bool is_loop) {
    using enum detail::history::event;
    const detail::strand_number first = order.last() + 1;
    open.push_back({++constructs_, is_loop, false, false, first, 0, below(3), history.position(), running_});
    history.add(is_loop ? loop : fork, first, running_, constructs_);
    if (is_loop) return iterate(open.back());
    begin_strand(inside(open.back(), 0));
  }
  void begin_second(open_construct& o) {
    o.is_second = true;
    begin_strand(inside(o, 1));
    o.has_interval = order.push(o.first, running_, static_cast<std::uint32_t>(open.size() - 1));
    history.add(detail::history::event::second, running_, running_, 0);
  }
  void iterate(open_construct& o) {
    const std::uint64_t i = o.next;
    o.next += 1 + (below(4) == 0 ? below(5) : 0);  // some iterations run elsewhere
    const auto owner = static_cast<std::uint32_t>(open.size() - 1);
    const bool is_extended = o.has_interval && order.can_extend_by_next(owner);
    begin_strand(is_extended ? order.extend_by_next() : order.next(), inside(o, i));
    if (running_ != o.latest + 1 || o.latest == 0 || i != latest_iteration_ + 1)
      history.add(detail::history::event::iterations, running_, running_, i);
    o.latest = running_;
    latest_iteration_ = i;
    if (is_extended) return;
    if (o.has_interval) {
      order.extend(running_, owner, o.first);
    } else if (running_ != o.first) {
      o.has_interval = order.push(o.first, running_, owner);
    }
  }
  void close() {
    using enum detail::history::event;
    const open_construct o = open.back();
    open.pop_back();
    if (o.has_interval) order.pop(static_cast<std::uint32_t>(open.size()));
    history.add(o.is_loop ? loop_end : join, order.last() + 1, 0, 0);
    running_ = o.around;
    latest_iteration_ = ~std::uint64_t{0} - 1;
  }

  std::mt19937 random_;
  detail::strand_number running_ = 0;
  std::vector<path> paths_;
  unsigned constructs_ = 0;
  std::uint64_t latest_iteration_ = 0;
};

}  // namespace tine::test
