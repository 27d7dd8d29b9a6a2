// Compares two schedules of one program. Places are matched by their paths: the numbers of forks and loops, and the
// branches and iterations at which pieces begin.
#include "cli/duration.hpp"
#include "cli/schedule/moved.hpp"
#include "cli/schedule/paths.hpp"
#include "cli/schedule/schedule_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace tine::cli {
namespace {

/// A strand that both schedules have, on the same worker.
struct both {
  timeline::strand before, after;
};

class comparison {
 public:
  comparison(const schedule& a, const schedule& b, std::size_t lines, const palette& paint)
      : a_{a}, b_{b}, in_a_{a}, in_b_{b}, lines_{lines}, paint_{paint} {}

  schedule_differences result() {
    if (a_.workers() != b_.workers()) line('~', fmt::format("{} → {} workers", a_.workers(), b_.workers())), ++others_;
    compare({a_.root(), timeline::origin::region, 0}, {b_.root(), timeline::origin::region, 0});
    waiting_.emplace_back(0U, 0U);
    for (std::size_t i = 0; i < waiting_.size(); ++i) compare_nodes(waiting_[i].first, waiting_[i].second);
    for (auto& [worker, strands] : by_worker_) compare_order(worker, strands);
    const bool any = only_a_ + only_b_ + owners_ + order_ + others_ != 0;
    return {any, text_ + (any ? summary()
                              : fmt::format("no difference: {} strands on the same workers in the same order\n",
                                            count(same_)))};
  }

 private:
  void line(char sign, const std::string& what) {
    const emphasis why = sign == '-' ? emphasis::worse : sign == '+' ? emphasis::better : emphasis::changed;
    if (said_++ < lines_) text_ += paint_(why, fmt::format("{} {}", sign, what)) + "\n";
  }
  std::string summary() const {
    std::string more = said_ > lines_ ? fmt::format("… and {} more\n", count(said_ - lines_)) : "";
    return more +
           fmt::format(
               "\n{} strands in both, {} only before, {} only after; {} on another worker, {} in another order{}\n",
               count(same_ + owners_), count(only_a_), count(only_b_), count(owners_), count(order_),
               others_ == 0 ? "" : fmt::format("; {} other differences", count(others_)));
  }

  static std::pair<std::uint32_t, std::uint32_t> steps_of(const schedule& s, std::uint32_t node) {
    const schedule::node& n = s.nodes()[node];
    return {n.first_step, n.first_step + n.steps};
  }

  void compare_nodes(std::uint32_t a, std::uint32_t b) {
    auto [i, a_end] = steps_of(a_, a);
    auto [j, b_end] = steps_of(b_, b);
    while (i != a_end || j != b_end) {
      const bool is_a = i != a_end && (j == b_end || a_.steps()[i].number <= b_.steps()[j].number);
      const bool is_b = j != b_end && (i == a_end || b_.steps()[j].number <= a_.steps()[i].number);
      if (is_a && is_b) {
        compare_steps(i, j);
      } else if (is_a) {
        only_a(i);
      } else {
        only_b(j);
      }
      i += is_a ? 1 : 0, j += is_b ? 1 : 0;
    }
  }

  void compare_steps(std::uint32_t i, std::uint32_t j) {
    const schedule::step &a = a_.steps()[i], &b = b_.steps()[j];
    if (a.what != b.what) return only_a(i), only_b(j);
    if (a.count != b.count) {
      line('~', fmt::format("{}: {} → {} iterations", in_a_.fork_or_loop(i), count(a.count), count(b.count)));
      ++others_;
    }
    std::uint32_t p = a.first_piece, q = b.first_piece;
    const std::uint32_t p_end = p + a.pieces, q_end = q + b.pieces;
    while (p != p_end || q != q_end) {
      const bool is_a = p != p_end && (q == q_end || a_.pieces()[p].begin <= b_.pieces()[q].begin);
      const bool is_b = q != q_end && (p == p_end || b_.pieces()[q].begin <= a_.pieces()[p].begin);
      compare_pieces(is_a ? p : schedule::nothing, is_b ? q : schedule::nothing);
      p += is_a ? 1 : 0, q += is_b ? 1 : 0;
    }
    compare({a.after, timeline::origin::join, i}, {b.after, timeline::origin::join, j});
  }

  /// Compares two pieces, of which one may be missing.
  void compare_pieces(std::uint32_t p, std::uint32_t q) {
    const schedule::piece none;
    const schedule::piece &a = p != schedule::nothing ? a_.pieces()[p] : none,
                          &b = q != schedule::nothing ? b_.pieces()[q] : none;
    compare({a.run, timeline::origin::branch, p}, {b.run, timeline::origin::branch, q});
    if (a.node != schedule::nothing && b.node != schedule::nothing)
      return waiting_.emplace_back(a.node, b.node), void();
    if (a.node != schedule::nothing) all_of(a_, a.node, [this](std::uint32_t s) { only_a(s); });
    if (b.node != schedule::nothing) all_of(b_, b.node, [this](std::uint32_t s) { only_b(s); });
  }
  template <class F>
  static void all_of(const schedule& s, std::uint32_t node, F f) {
    for (auto [i, end] = steps_of(s, node); i != end; ++i) f(i);
  }

  void compare(const timeline::strand& a, const timeline::strand& b) {
    const int x = a.run.owner, y = b.run.owner;
    if (x != schedule::no_worker && y == schedule::no_worker) {
      ++only_a_, line('-', fmt::format("{}: worker {}", describe(in_a_, a), x));
    } else if (x == schedule::no_worker && y != schedule::no_worker) {
      ++only_b_, line('+', fmt::format("{}: worker {}", describe(in_b_, b), y));
    } else if (x != y) {
      ++owners_, line('~', fmt::format("{}: worker {} → {}", describe(in_a_, a), x, y));
    } else if (x != schedule::no_worker) {
      ++same_, by_worker_[x].push_back({a, b});
    }
  }

  void only_a(std::uint32_t step) { only_a_ += only(a_, in_a_, '-', step); }
  void only_b(std::uint32_t step) { only_b_ += only(b_, in_b_, '+', step); }
  /// Returns the number of strands of the step, with everything inside it.
  std::size_t only(const schedule& s, const paths& in, char sign, std::uint32_t step) {
    std::size_t strands = 0;
    for (std::vector<std::uint32_t> open{step}; !open.empty();) {
      const schedule::step& t = s.steps()[open.back()];
      open.pop_back();
      strands += t.after.owner != schedule::no_worker ? 1 : 0;
      for (std::uint32_t p = t.first_piece; p != t.first_piece + t.pieces; ++p) {
        const schedule::piece& piece = s.pieces()[p];
        strands += piece.run.owner != schedule::no_worker ? 1 : 0;
        if (piece.node != schedule::nothing) all_of(s, piece.node, [&](std::uint32_t inner) { open.push_back(inner); });
      }
    }
    if (strands != 0) line(sign, fmt::format("{}: {} strands in it", in.fork_or_loop(step), count(strands)));
    return strands;
  }

  void compare_order(int worker, std::vector<both>& strands) {
    std::ranges::sort(strands, {}, [](const both& s) { return s.after.run.stamp; });
    std::vector<std::pair<std::uint32_t, std::size_t>> by_before;
    for (std::size_t i = 0; i < strands.size(); ++i) by_before.emplace_back(strands[i].before.run.stamp, i);
    std::ranges::sort(by_before);
    std::vector<std::size_t> places;
    for (const auto& [stamp, place] : by_before) places.push_back(place);
    for (const std::size_t i : moved(places)) {
      line('~', fmt::format("{}: number {} → {} on worker {}", describe(in_a_, strands[places[i]].before), i + 1,
                            places[i] + 1, worker));
      ++order_;
    }
  }

  const schedule &a_, &b_;
  const paths in_a_, in_b_;
  const std::size_t lines_;
  const palette paint_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> waiting_;  ///< pairs of nodes with the same path
  std::map<int, std::vector<both>> by_worker_;
  std::size_t said_ = 0, same_ = 0, only_a_ = 0, only_b_ = 0, owners_ = 0, order_ = 0, others_ = 0;
  std::string text_;
};

}  // namespace

schedule_differences compare_schedules(const schedule& before, const schedule& after, std::size_t lines,
                                       const palette& paint) {
  return comparison{before, after, lines, paint}.result();
}

}  // namespace tine::cli
