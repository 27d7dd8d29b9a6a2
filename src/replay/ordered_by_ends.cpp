// See ordered_by_ends.hpp.
#include "replay/ordered_by_ends.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace tine::detail {
namespace {

class ordering {
 public:
  explicit ordering(const schedule& s) : s_{s}, last_(s.nodes().size()), first_(s.nodes().size()) {
    first_[0] = &s.root();
    // nodes come after the piece that contains them: the segments at their ends are passed up, those at their begins
    // down
    for (std::size_t n = s.nodes().size(); n-- > 0;) last_[n] = walk(n, nullptr, [](auto&&...) {});
    for (std::size_t n = 0; n < s.nodes().size(); ++n) {
      walk(n, first_[n], [&](const schedule::piece& p, const schedule::segment* now) {
        if (p.node != schedule::nothing) first_[p.node] = now;
      });
    }
  }

  schedule make() {
    std::vector<schedule::step> steps = s_.steps();
    for (std::size_t n = 0; n < s_.nodes().size(); ++n) {
      walk_steps(n, first_[n], [&](std::uint32_t i, const schedule::segment* now) { copy_step(steps[i], now); });
    }
    schedule::segment root = s_.root();
    renumber(root, steps);
    schedule made{s_.workers(), root, s_.nodes(), std::move(steps), std::move(pieces_)};
    made.take_heading(s_);
    return made;
  }

 private:
  static bool is_owned(const schedule::segment& g) noexcept { return g.owner != schedule::no_worker; }

  /// Calls `f(step, segment)` for each step of a node to which a strand comes in the segment `now`. Returns the segment
  /// at the node's end.
  template <class F>
  const schedule::segment* walk_steps(std::size_t node, const schedule::segment* now, F f) const {
    const schedule::node& n = s_.nodes()[node];
    for (std::uint32_t i = n.first_step; i != n.first_step + n.steps; ++i) {
      const schedule::step& t = s_.steps()[i];
      f(i, now);
      if (is_owned(t.after)) {
        now = &t.after;
      } else if (t.pieces != 0) {
        now = end_of(s_.pieces()[t.first_piece + t.pieces - 1], now);
      }
    }
    return now;
  }
  /// As walk_steps, for each piece, with the segment that begins it.
  template <class F>
  const schedule::segment* walk(std::size_t node, const schedule::segment* begin, F f) const {
    return walk_steps(node, begin, [&](std::uint32_t i, const schedule::segment* now) {
      const schedule::step& t = s_.steps()[i];
      for (std::uint32_t p = t.first_piece; p != t.first_piece + t.pieces; ++p) {
        const schedule::piece& piece = s_.pieces()[p];
        f(piece, is_owned(piece.run) ? &piece.run : now);
      }
    });
  }
  /// Returns the segment at the end of the piece, to which a strand comes in the segment `now`.
  const schedule::segment* end_of(const schedule::piece& p, const schedule::segment* now) const {
    if (is_owned(p.run)) now = &p.run;
    return p.node != schedule::nothing && last_[p.node] != nullptr ? last_[p.node] : now;
  }

  void copy_step(schedule::step& t, const schedule::segment* now) {
    const auto from = s_.pieces().begin() + t.first_piece;
    std::vector<schedule::piece> copied{from, from + t.pieces};
    t.first_piece = static_cast<std::uint32_t>(pieces_.size());
    if (t.what == schedule::kind::fork && is_owned(copied.back().run) &&
        (copied.size() == 1 || !is_owned(copied.front().run))) {
      const schedule::segment* const end = copied.front().begin == 0 ? end_of(copied.front(), now) : now;
      const schedule::segment second = copied.back().run;
      if (second.end_ns < end->end_ns) {
        if (copied.size() == 1) copied.insert(copied.begin(), schedule::piece{});
        copied.front().run = {now->owner, second.stamp, second.end_ns, std::max(second.end_ns, now->end_ns)};
      }
    }
    t.pieces = static_cast<std::uint32_t>(copied.size());
    pieces_.insert(pieces_.end(), copied.begin(), copied.end());
  }

  /// Gives the segments new stamps, in which a first branch that waits comes after the strand whose stamp it has
  /// borrowed.
  void renumber(schedule::segment& root, std::vector<schedule::step>& steps) {
    struct numbered {
      std::uint64_t at;
      schedule::segment* which;
    };
    std::vector<numbered> all{{2 * std::uint64_t{root.stamp}, &root}};
    for (schedule::step& t : steps) {
      if (is_owned(t.after)) all.push_back({2 * std::uint64_t{t.after.stamp}, &t.after});
      for (std::uint32_t p = t.first_piece; p != t.first_piece + t.pieces; ++p) {
        const bool waits = t.what == schedule::kind::fork && pieces_[p].begin == 0;
        if (is_owned(pieces_[p].run))
          all.push_back({2 * std::uint64_t{pieces_[p].run.stamp} + (waits ? 1 : 0), &pieces_[p].run});
      }
    }
    std::ranges::sort(all, {}, &numbered::at);
    for (std::size_t i = 0; i < all.size(); ++i) all[i].which->stamp = static_cast<std::uint32_t>(i);
  }

  const schedule& s_;
  std::vector<const schedule::segment*> last_, first_;  ///< by node: the segments at its end and at its begin
  std::vector<schedule::piece> pieces_;
};

}  // namespace

schedule ordered_by_ends(const schedule& s) { return ordering{s}.make(); }

}  // namespace tine::detail
