// Builds the steal tree while the region runs, and turns it into a value. All of it runs under the lock of
// strand_writer.
#include "replay/tree_builder.hpp"

#include <algorithm>
#include <utility>

namespace tine::detail {

journal_event* tree_builder::write(journal_event e) noexcept {
  if (journal_.file == nullptr) return nullptr;
  e.root = journal_.number;
  return journal_.file->append(e);
}

void tree_builder::stamp(segment_builder& s, unsigned owner, base::ticks now, journal_event e) {
  s = {static_cast<int>(owner), next_stamp_++, now, now};
  e.owner = s.owner;
  e.stamp = s.stamp;
  e.begin_ns = now > began_ ? base::to_nanoseconds(now - began_) : 0;
  s.event = write(e);
}

step_builder& tree_builder::add_step(node_builder& to, std::uint32_t number, schedule::kind what, std::uint64_t count) {
  step_builder& s = steps_.emplace_back();
  s.number = number;
  s.what = what;
  s.count = count;
  s.id = static_cast<std::uint32_t>(steps_.size() - 1);
  to.steps.push_back(&s);
  write({.kind = journal_kind::step,
         .a = to.id,
         .b = number | std::uint64_t{static_cast<unsigned>(what)} << 32,
         .c = count});
  return s;
}

node_builder& tree_builder::node_of(step_builder& s, std::uint64_t begin) {
  piece_builder& p = s.pieces[begin];
  if (p.node == nullptr) {
    p.node = &nodes_.emplace_back();
    p.node->id = static_cast<std::uint32_t>(nodes_.size() - 1);
    write({.kind = journal_kind::node, .a = s.id, .b = begin});
  }
  return *p.node;
}

void tree_builder::begin_root(unsigned owner, base::ticks now, journal_event e) {
  began_ = now;
  e.kind = journal_kind::root;
  stamp(root_, owner, now, e);
}

segment_builder* tree_builder::begin_piece(step_builder& s, std::uint64_t begin, unsigned owner, base::ticks now) {
  segment_builder& run = s.pieces[begin].run;
  stamp(run, owner, now, {.kind = journal_kind::begin, .a = s.id, .b = begin});
  return &run;
}

segment_builder* tree_builder::begin_after(step_builder& s, unsigned owner, base::ticks now) {
  stamp(s.after, owner, now, {.kind = journal_kind::after, .a = s.id});
  return &s.after;
}

void tree_builder::note_placed(step_builder& s, std::uint64_t begin, int owner) {
  write({.kind = journal_kind::placed, .a = s.id, .b = begin, .owner = owner});
}

void tree_builder::end_root(journal_event e) {
  e.kind = journal_kind::root_end;
  write(e);
}

namespace {

/// Lays a tree out, level by level.
class layout {
 public:
  /// `in_ns`: the tree's times are nanoseconds, not ticks.
  layout(base::ticks began, bool in_ns) noexcept : began_{began}, in_ns_{in_ns} {}

  schedule::segment segment(const segment_builder& s) const noexcept {
    if (s.owner == schedule::no_worker) return {};
    return {s.owner, s.stamp, since(s.begin), since(std::max(s.begin, s.end))};
  }

  void lay_out(const node_builder& root) {
    waiting_.push_back(&root);
    for (std::size_t i = 0; i < waiting_.size(); ++i) add(*waiting_[i]);
  }

  std::vector<schedule::node> nodes;
  std::vector<schedule::step> steps;
  std::vector<schedule::piece> pieces;
  std::vector<bool> hinted;  ///< by step

 private:
  std::uint64_t since(base::ticks t) const noexcept {
    if (in_ns_) return t;
    return t > began_ ? base::to_nanoseconds(t - began_) : 0;
  }

  void add(const node_builder& n) {
    nodes.push_back({static_cast<std::uint32_t>(steps.size()), static_cast<std::uint32_t>(n.steps.size())});
    for (const step_builder* s : n.steps) add(*s);
  }

  /// Thieves steal the oldest branch first, so in the first branch of a fork nothing is stolen unless the second branch
  /// is. A coroutine that the program itself resumes on another worker breaks this rule. Schedules don't describe moves
  /// that the program makes by itself, so we leave out the steps below such a first branch.
  static bool describes(const step_builder& s, std::uint64_t begin) {
    const auto is_owned = [](const auto& p) { return p.second.run.owner != schedule::no_worker; };
    return s.what != schedule::kind::fork || begin != 0 || std::ranges::any_of(s.pieces, is_owned);
  }

  void add(const step_builder& s) {
    hinted.push_back(s.is_hinted);
    steps.push_back({s.number, s.what, s.count, static_cast<std::uint32_t>(pieces.size()),
                     static_cast<std::uint32_t>(s.pieces.size()), segment(s.after)});
    for (const auto& [begin, p] : s.pieces) {
      const bool has_node = p.node != nullptr && !p.node->steps.empty() && describes(s, begin);
      pieces.push_back(
          {begin, segment(p.run), has_node ? static_cast<std::uint32_t>(waiting_.size()) : schedule::nothing});
      if (has_node) waiting_.push_back(p.node);
    }
  }

  base::ticks began_;
  bool in_ns_;
  std::vector<const node_builder*> waiting_;
};

}  // namespace

schedule tree_builder::finished(unsigned workers, base::ticks began) const { return laid_out(workers, began, false); }

std::vector<bool> tree_builder::hinted() const {
  layout l{began_, false};
  l.lay_out(nodes_.front());
  return std::move(l.hinted);
}

schedule tree_builder::finished_ns(unsigned workers) const { return laid_out(workers, 0, true); }

schedule tree_builder::laid_out(unsigned workers, base::ticks began, bool in_ns) const {
  layout l{began, in_ns};
  l.lay_out(nodes_.front());
  unsigned members = workers;  // callers have numbers beyond those of the pool's own workers
  const auto see = [&members](const schedule::segment& s) {
    members = std::max(members, static_cast<unsigned>(s.owner + 1));
  };
  const schedule::segment root = l.segment(root_);
  see(root);
  for (const schedule::step& s : l.steps) see(s.after);
  for (const schedule::piece& p : l.pieces) see(p.run);
  return schedule{members, root, std::move(l.nodes), std::move(l.steps), std::move(l.pieces)};
}

}  // namespace tine::detail
