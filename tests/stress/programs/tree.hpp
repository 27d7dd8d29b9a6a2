// Random programs as trees, which can be printed, read and cut down. oracle.hpp computes their meaning, and player.hpp
// runs them.
#pragma once

#include "../command.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tine::stress {

/// The kinds of nodes. The meaning of a node's number `a` is in parentheses.
enum class op : unsigned char {
  leaf,     ///< some work, and a letter (how much work)
  oops,     ///< throws an error
  seq,      ///< runs its parts one after the other
  par,      ///< two or three branches (0: as a tuple; 1: combined; 2: with move-only results; 3: with large closures;
            ///< 4: with a closure that owns, and a reference as its result)
  spork,    ///< a body and a spawn
  loop,     ///< par_for over its parts in turn (iterations)
  reduce,   ///< par_reduce over its parts in turn (iterations)
  deep,     ///< a recursion of forks with its part at the bottom (levels)
  guard,    ///< a body, and a handler that runs if the body throws (1: and rethrows)
  task,     ///< a coroutine that forks its parts (1: it leaves its worker in between; 2: it asks for its worker then;
            ///< 3: the parts write into a scratch array, and own an argument; 4: an error of its last part leaves it)
  calls,    ///< a coroutine that calls its parts
  pool,     ///< its part in another pool (which)
  thread,   ///< its part in that pool, from a thread of its own (which)
  still,    ///< its part inside tine::sequential
  observe,  ///< its part, observed by vertices (0: loops as forks; 1: loops as nodes; 2: beside work and span;
            ///< 3: also sequentially, and labels, random numbers, memory and counts are compared)
  record,   ///< its part, recorded and replayed (0: ordered; 1: unordered; 2: relaxed)
  stop,     ///< its part in a stop region (0: never stopped; n: stopped by its nth leaf)
  rounds,   ///< its part under a rounding mode (which)
  count,
};

inline constexpr std::string_view names[]{"leaf",   "oops",  "seq",     "par",    "spork", "loop",
                                          "reduce", "deep",  "guard",   "task",   "calls", "pool",
                                          "thread", "still", "observe", "record", "stop",  "rounds"};
static_assert(std::size(names) == static_cast<std::size_t>(op::count));

struct tree {
  op what = op::leaf;
  unsigned a = 0;
  std::vector<tree> parts;
  bool is_exact = true;  ///< no throw and no stop below: every part runs exactly once, whatever the schedule

  std::size_t size() const {
    std::size_t n = 1;
    for (const tree& t : parts) n += t.size();
    return n;
  }
};

inline std::string printed(const tree& t) {
  std::string s = "(" + std::string{names[static_cast<std::size_t>(t.what)]} + " " + std::to_string(t.a);
  for (const tree& p : t.parts) s += " " + printed(p);
  return s + ")";
}

/// Sets `is_exact` of the whole tree.
inline bool find_exact(tree& t) {
  t.is_exact = t.what != op::oops && !(t.what == op::stop && t.a != 0);
  for (tree& p : t.parts) t.is_exact &= find_exact(p);
  return t.is_exact;
}

/// The least and the greatest number of parts of a node of this kind.
struct arity {
  std::size_t least, most;
};
inline arity arity_of(op what) {
  switch (what) {
    case op::leaf:
    case op::oops:
    case op::count:
      return {0, 0};
    case op::par:
      return {2, 3};
    case op::spork:
    case op::guard:
      return {2, 2};
    case op::seq:
    case op::loop:
    case op::reduce:
    case op::task:
    case op::calls:
      return {1, 6};
    case op::deep:
    case op::pool:
    case op::thread:
    case op::still:
    case op::observe:
    case op::record:
    case op::stop:
    case op::rounds:
      break;
  }
  return {1, 1};
}

/// Reads a text that `printed` has written. Returns nothing for any other text.
class tree_reader {
 public:
  explicit tree_reader(std::string_view text) : rest_{text} {}

  std::optional<tree> read() {
    tree t;
    if (!take("(")) return {};
    const std::size_t end = rest_.find(' ');
    std::size_t k = 0;
    while (k < std::size(names) && rest_.substr(0, end) != names[k]) ++k;
    if (k == std::size(names) || end == std::string_view::npos) return {};
    t.what = static_cast<op>(k);
    rest_.remove_prefix(end + 1);
    while (!rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9') {
      t.a = t.a * 10 + static_cast<unsigned>(rest_.front() - '0');
      rest_.remove_prefix(1);
    }
    while (take(" ")) {
      std::optional<tree> part = read();
      if (!part) return {};
      t.parts.push_back(std::move(*part));
    }
    const arity allowed = arity_of(t.what);
    if (!take(")") || t.parts.size() < allowed.least || t.parts.size() > allowed.most) return {};
    return t;
  }
  bool is_at_end() const { return rest_.empty(); }

 private:
  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  std::string_view rest_;
};

/// Makes a random tree. `runs` bounds the number of runs of all leaves: loops and replays repeat their parts.
class grower {
 public:
  explicit grower(std::uint64_t seed) : state_{seed} {}

  tree grow() {
    tree t = node(2 + static_cast<int>(draw(5)), 40 + draw(360));
    find_exact(t);
    return t;
  }

 private:
  std::uint64_t draw(std::uint64_t n) { return mix(state_++) % n; }

  tree node(int depth, std::uint64_t runs) {
    if (depth <= 0 || runs < 3) return end();
    // a kind comes as often as it occurs in this list
    static constexpr op often[]{op::par,     op::par,    op::par,    op::par,    op::seq,   op::seq,    op::loop,
                                op::loop,    op::loop,   op::reduce, op::reduce, op::spork, op::guard,  op::guard,
                                op::task,    op::task,   op::calls,  op::deep,   op::pool,  op::thread, op::still,
                                op::observe, op::record, op::stop,   op::rounds};
    const op what = often[draw(std::size(often))];
    tree t{what, 0, {}};
    const arity allowed = arity_of(what);
    const std::uint64_t repeats = choose_number(t, runs);
    const std::size_t parts = allowed.least + draw(allowed.most - allowed.least + 1);
    if (what == op::record) ++recorded_;
    for (std::size_t i = 0; i < parts; ++i) t.parts.push_back(node(depth - 1, runs / (repeats * parts)));
    if (what == op::record) --recorded_;
    return t;
  }

  tree end() { return draw(24) == 0 ? tree{op::oops, 0, {}} : tree{op::leaf, static_cast<unsigned>(draw(16)), {}}; }

  /// Sets the number of a node. Returns the number of runs of its parts.
  std::uint64_t choose_number(tree& t, std::uint64_t runs) {
    switch (t.what) {
      case op::par:
      case op::task:
        t.a = static_cast<unsigned>(draw(5));
        return 1;
      case op::loop:
      case op::reduce:
        t.a = static_cast<unsigned>(draw(draw(2) == 0 ? 4 : runs));
        return t.a + 1;
      case op::deep:
        t.a = static_cast<unsigned>(1 + draw(draw(4) == 0 ? 100 : 8));
        return 1;
      case op::record:
        if (recorded_ > 0) t = {op::observe, 0, {}};
        t.a = static_cast<unsigned>(draw(3));
        return t.what == op::record ? 3 : 1;
      case op::stop:
        t.a = static_cast<unsigned>(draw(2) == 0 ? 0 : 1 + draw(20));
        return 1;
      case op::guard:
        t.a = static_cast<unsigned>(draw(2));
        return 1;
      case op::pool:
      case op::thread:
        t.a = static_cast<unsigned>(draw(3));
        return 1;
      case op::rounds:
        t.a = static_cast<unsigned>(draw(4));
        return 1;
      case op::observe:
        t.a = static_cast<unsigned>(draw(4));
        return t.a == 3 ? 2 : 1;
      case op::leaf:
      case op::oops:
      case op::seq:
      case op::spork:
      case op::calls:
      case op::still:
      case op::count:
        break;
    }
    return 1;
  }

  std::uint64_t state_;
  int recorded_ = 0;  // depth of recorded parts: replays of replays would run too often
};

}  // namespace tine::stress
