// A schedule on the terminal.
#include "cli/duration.hpp"
#include "cli/schedule/paths.hpp"
#include "cli/schedule/schedule_text.hpp"
#include "cli/schedule/timeline.hpp"
#include "cli/table.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace tine::cli {
namespace {

std::string ns(std::uint64_t n) { return duration(static_cast<double>(n)); }

/// The tree as a table. It descends at most `depth` levels, so that it may recurse.
class tree {
 public:
  tree(const schedule& s, unsigned depth) : s_{s}, when_{s}, where_{s}, depth_{depth}, below_(s.nodes().size()) {
    for (auto n = static_cast<std::uint32_t>(s.nodes().size()); n-- > 0;) below_[n] = steals_in(n);
    giver_.assign(when_.strands().size(), schedule::nothing);
    for (const timeline::arrow& a : when_.arrows()) {
      if (a.why == timeline::reason::forked) giver_[a.to] = a.from;
    }
  }

  std::string text(std::size_t width, const palette& paint) {
    row("region", when_.root());
    add_node(0, "", 1);
    return rows_.text(width, paint);
  }

 private:
  template <class F>
  void for_each_piece(std::uint32_t step, F f) const {
    const schedule::step& t = s_.steps()[step];
    for (std::uint32_t p = t.first_piece; p != t.first_piece + t.pieces; ++p) f(p);
  }
  std::size_t steals_in(std::uint32_t node) const {
    std::size_t sum = 0;
    const schedule::node& n = s_.nodes()[node];
    for (std::uint32_t s = n.first_step; s != n.first_step + n.steps; ++s) {
      for_each_piece(s, [&](std::uint32_t p) {
        const schedule::piece& piece = s_.pieces()[p];
        sum += (piece.run.owner != schedule::no_worker ? 1 : 0) +
               (piece.node != schedule::nothing ? below_[piece.node] : 0);
      });
    }
    return sum;
  }

  void row(std::string text) { rows_.add({std::move(text), "", "", "", ""}); }
  void row(std::string text, std::uint32_t strand) {
    const schedule::segment& r = when_.strands()[strand].run;
    rows_.add(
        {std::move(text), std::to_string(r.owner), std::to_string(r.stamp), ns(r.begin_ns), ns(r.end_ns - r.begin_ns)});
  }

  void add_node(std::uint32_t node, const std::string& indent, unsigned level) {
    const schedule::node& n = s_.nodes()[node];
    for (std::uint32_t s = n.first_step; s != n.first_step + n.steps; ++s) {
      add_step(s, indent, s + 1 == n.first_step + n.steps, level);
    }
  }

  void add_step(std::uint32_t step, const std::string& indent, bool is_last, unsigned level) {
    const schedule::step& t = s_.steps()[step];
    const std::string inside = indent + (is_last ? "   " : "│  ");
    std::string text = indent + (is_last ? "└─ " : "├─ ");
    text += fmt::format("{} {}", name_of(t.what), t.number);
    if (t.what == schedule::kind::loop) text += fmt::format(", {} iterations", count(t.count));
    row(std::move(text));
    const bool is_joined = t.after.owner != schedule::no_worker;
    for_each_piece(step, [&](std::uint32_t p) {
      add_piece(step, p, inside, !is_joined && p + 1 == t.first_piece + t.pieces, level);
    });
    if (is_joined) row(inside + "└─ joined", when_.after_step(step));
  }

  void add_piece(std::uint32_t step, std::uint32_t p, const std::string& indent, bool is_last, unsigned level) {
    const schedule::piece& piece = s_.pieces()[p];
    const std::string inside = indent + (is_last ? "   " : "│  ");
    std::string text = indent + (is_last ? "└─ " : "├─ ") + where_.last_of_branch(p);
    if (const std::uint32_t strand = when_.of_piece(p); strand != schedule::nothing) {
      const bool is_same = when_.strands()[giver_[strand]].run.owner == piece.run.owner;
      const bool is_delay = piece.begin == 0 && s_.steps()[step].what == schedule::kind::fork;
      row(text + (is_delay ? ", waited" : is_same ? ", reclaimed" : ", stolen"), strand);
    } else {
      row(std::move(text));
    }
    if (piece.node == schedule::nothing) return;
    if (level < depth_) return add_node(piece.node, inside, level + 1);
    row(fmt::format("{}└─ {} steals deeper down", inside, count(below_[piece.node])));
  }

  const schedule& s_;
  const timeline when_;
  const paths where_;
  const unsigned depth_;
  std::vector<std::size_t> below_;    ///< steals in each node
  std::vector<std::uint32_t> giver_;  ///< for each strand, the strand that gave it away
  table rows_{
      {{"", table::side::left, true}, {"worker"}, {"stamp", table::side::right, false, 1}, {"begins"}, {"runs for"}}};
};

std::string workers_text(const schedule& s, std::size_t width, const palette& paint) {
  table t{{{"worker"}, {"strands"}, {"busy"}, {"idle"}, {"share busy", table::side::right, false, 1}}};
  const auto rows = worker_rows(s);
  for (const worker_row& r : rows) {
    const auto whole = static_cast<double>(s.duration_ns());
    t.add({std::to_string(r.worker), count(r.strands), ns(r.busy_ns), ns(r.idle_ns),
           whole > 0 ? percent(static_cast<double>(r.busy_ns) / whole) : "–"});
  }
  std::string text = t.text(width, paint);
  if (const std::size_t others = s.workers() - rows.size(); others != 0) {
    text += fmt::format("{} of the pool's workers ran nothing\n", count(others));
  }
  return text;
}

}  // namespace

std::string schedule_text(const schedule& s, unsigned depth, std::size_t width, const palette& paint) {
  return in_one_line(s) + "\n\n" + workers_text(s, width, paint) + "\n" + tree{s, depth}.text(width, paint);
}

}  // namespace tine::cli
