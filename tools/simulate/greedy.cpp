// Strands and unexpanded parts wait in a heap by their position, and running strands in another one by their end.
#include "simulate/greedy.hpp"

#include "simulate/part.hpp"

#include <functional>
#include <queue>
#include <vector>

namespace tine::simulate {
namespace {

constexpr std::uint32_t top = ~std::uint32_t{0};

/// A part that is ready, and the open part that waits for it. It is expanded only when a worker is free for it: then
/// its strands come at its own position or later, so the heap stays as small as the depth of the program, and the order
/// is the same.
struct ready_part {
  part what;
  std::uint32_t above = top;

  friend bool operator>(const ready_part& a, const ready_part& b) noexcept { return a.what.begin > b.what.begin; }
};

struct running_strand {
  std::uint64_t end;
  std::uint32_t above;

  friend bool operator>(const running_strand& a, const running_strand& b) noexcept { return a.end > b.end; }
};

/// A part that has begun: a series continues with the part `next` when the one before has ended, other parts end with
/// the last of their branches.
struct open_part {
  part what;
  std::uint32_t above = top;
  std::uint32_t waits_for = 0;  ///< parts that have begun and not ended, and one more while others are to begin
  std::uint64_t next = 0;       ///< of a series: the next child, or block; of a block: 1 if its branches have begun
};

template <class T>
using least_first = std::priority_queue<T, std::vector<T>, std::greater<>>;

class greedy_run {
 public:
  greedy_run(const program& p, unsigned workers, std::uint64_t most_steps)
      : program_{p}, workers_{workers}, most_steps_{most_steps} {}

  std::uint64_t run(const root_group& g) {
    now_ = 0;
    ready_.push({part_of(program_, g.tree), top});
    for (;;) {
      while (running_.size() < workers_ && !ready_.empty()) {
        const ready_part r = ready_.top();
        ready_.pop();
        begin(r);
      }
      if (running_.empty()) return now_;
      now_ = running_.top().end;
      while (!running_.empty() && running_.top().end == now_) {
        const std::uint32_t above = running_.top().above;
        running_.pop();
        end(above);
      }
    }
  }

 private:
  using shape = trace::node::shape;

  void run_strand(std::uint64_t work, std::uint32_t above) {
    work == 0 ? end(above) : running_.push({now_ + work, above});
  }

  void begin(const ready_part& r) {
    const part& what = r.what;
    if (++steps_ > most_steps_) throw too_many_steps{most_steps_};
    if (what.work == 0) return end(r.above);
    switch (what.is) {
      case part::kind::tree: {
        const tree_node& n = program_.nodes[what.node];
        if (n.children > 0) return end(open(what, r.above));
        if (!n.is_divisible()) return run_strand(n.work, r.above);
        return end(open(inside_leaf(program_, what.node), r.above));
      }
      case part::kind::blocks:
        return;  // they are only ever open
      case part::kind::block:
        if (what.work <= what.span) return run_strand(what.work, r.above);
        if (strand_of(what) == 0) return begin_branches(open(what, r.above));
        return run_strand(strand_of(what), open(what, r.above));
      case part::kind::branches: {
        const part child = part_of(program_, child_at(program_, program_.nodes[what.node], what.begin));
        return split(what, child, child.end(), r.above);
      }
      case part::kind::range: {
        const std::uint64_t child = child_at(program_, program_.nodes[what.node], what.begin);
        const std::uint64_t own = end_of_iterations(program_, what, what.begin);
        part piece = part_of(program_, static_cast<std::uint32_t>(child));
        if (program_.nodes[child].is_iterations)
          piece = {part::kind::block, what.node, what.begin, own - what.begin, own - what.begin, 0};
        return split(what, piece, own, r.above);
      }
    }
  }

  /// The first of several parts that can run at once begins, and the others are ready.
  void split(const part& all, const part& first, std::uint64_t rest, std::uint32_t above) {
    if (rest < all.end()) {
      const std::uint32_t both = open(all, above);
      open_[both].waits_for = 2;
      part others = all;
      others.begin = rest, others.work = all.end() - rest;
      ready_.push({others, both});
      above = both;
    }
    ready_.push({first, above});
  }

  void begin_branches(std::uint32_t o) {
    const part block = open_[o].what;
    open_[o].next = 1;
    open_[o].waits_for = 2;
    ready_.push({first_branch(block), o});
    ready_.push({second_branch(block), o});
  }

  std::uint32_t open(const part& what, std::uint32_t above) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(open_.size()));
      open_.emplace_back();
    }
    const std::uint32_t o = free_.back();
    free_.pop_back();
    open_[o] = {what, above, 1, 0};
    return o;
  }

  /// Begins the next part of a series. Returns false if there is none. Parts without work end at once.
  bool continue_series(std::uint32_t o) {
    open_part& s = open_[o];
    const bool in_leaf = s.what.is == part::kind::blocks;
    const std::uint64_t all = in_leaf ? s.what.blocks : program_.nodes[s.what.node].children;
    while (s.next < all) {
      const std::uint64_t i = s.next++;
      const part next = in_leaf ? block_at(s.what, i)
                                : part_of(program_, program_.nodes[s.what.node].first + static_cast<std::uint32_t>(i));
      if (next.work == 0) continue;
      ready_.push({next, o});
      return true;
    }
    return false;
  }

  /// A part has ended below the open part `o`. A loop, because programs may be deep.
  void end(std::uint32_t o) {
    while (o != top) {
      open_part& s = open_[o];
      const bool is_series = s.what.is == part::kind::tree || s.what.is == part::kind::blocks;
      if (is_series && continue_series(o)) return;
      if (s.what.is == part::kind::block && s.next == 0) return begin_branches(o);
      if (!is_series && --s.waits_for > 0) return;
      free_.push_back(o);
      o = s.above;
    }
  }

  const program& program_;
  const unsigned workers_;
  const std::uint64_t most_steps_;
  std::uint64_t steps_ = 0;
  std::uint64_t now_ = 0;
  least_first<ready_part> ready_;
  least_first<running_strand> running_;
  std::vector<open_part> open_;
  std::vector<std::uint32_t> free_;
};

}  // namespace

outcome greedy(const program& p, unsigned workers, std::uint64_t most_steps) {
  greedy_run run{p, workers, most_steps};
  outcome all;
  for (const root_group& g : p.groups) all.in_roots += run.run(g);
  all.outside = p.outside;
  all.work = p.work;
  all.idle = all.in_roots * workers - all.work;
  return all;
}

}  // namespace tine::simulate
