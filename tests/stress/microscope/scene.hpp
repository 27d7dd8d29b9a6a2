// A random program that is to be run by the scheduler: each fork and loop has a way to be run, some events throw, and some
// forks and loops catch. When it has run, what exceptions cut off is known, and what is left is a program again.
#pragma once

#include <tine/augment/work_span.hpp>

#include "unit/augment/sp_program.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace tine::stress {

struct scene;

/// A branch or an iteration.
struct part {
  std::vector<scene> body;
  bool begun = false;  ///< by the run; its own thread writes it
};

/// A step and how it is to be run.
struct scene {
  test::step::kind is;
  test::event what = 0;
  bool throws = false;        ///< an event: when it has been heard
  bool catches = false;       ///< a fork or loop: an exception goes no further
  bool is_coroutine = false;  ///< a fork or loop: run by a coroutine, a loop as so many forks before one join
  bool is_region = false;     ///< a fork or loop: in a region of its own
  work_span inside = {};      ///< what that region found
  std::vector<part> parts = {};
};

/// Draws how each step is run.
class scene_maker {
 public:
  /// One event in `rarity` throws.
  scene_maker(std::mt19937_64& random, std::uint64_t rarity) : random_{random}, rarity_{rarity} {}

  part make(const test::block& b) {
    part p;
    for (const test::step& s : b) {
      if (!s.branches.empty() || s.is == test::step::kind::act) p.body.push_back(make(s));
    }
    return p;
  }

 private:
  bool one_in(std::uint64_t n) { return random_() % n == 0; }

  scene make(const test::step& s) {
    scene one{s.is, s.what};
    if (s.is == test::step::kind::act) {
      one.throws = one_in(rarity_);
      return one;
    }
    one.catches = one_in(3);
    one.is_coroutine = one_in(2);
    one.is_region = one_in(8);
    for (const test::branch& b : s.branches) one.parts.push_back(make(b.body));
    return one;
  }

  std::mt19937_64& random_;
  const std::uint64_t rarity_;
};

inline bool breaks_off(const part& p);

/// Does an exception leave it? A fork and a loop pass on what any branch throws that was begun.
inline bool lets_out(const scene& s) {
  if (s.is == test::step::kind::act) return s.throws;
  bool thrown = false;
  for (const part& p : s.parts) thrown = thrown || (p.begun && breaks_off(p));
  return thrown && !s.catches;
}
inline bool breaks_off(const part& p) {
  for (const scene& s : p.body) {
    if (lets_out(s)) return true;
  }
  return false;
}

/// What ran, as the analyses of a region see it.
class as_it_went {
 public:
  /// `loops_are_forks`: the analysis knows nothing of loops.
  explicit as_it_went(bool loops_are_forks) : loops_are_forks_{loops_are_forks} {}

  test::block of(const part& p) const {
    test::block b;
    for (const scene& s : p.body) {
      add(b, s);
      if (lets_out(s)) break;
    }
    return b;
  }

  void add(test::block& to, const scene& s) const {
    const bool is_loop = s.is == test::step::kind::loop;
    if (s.is == test::step::kind::act) {
      to.push_back({s.is, s.what});
    } else if (is_loop && s.is_coroutine) {
      add_chain(to, s, 0);
    } else if (is_loop && (loops_are_forks_ || s.parts.size() == 1)) {
      add_halves(to, s, 0, s.parts.size());
    } else {
      test::step same{s.is};
      for (const part& p : s.parts) same.branches.push_back(whole(p));
      to.push_back(std::move(same));
    }
  }

 private:
  test::branch whole(const part& p) const { return p.begun ? test::branch{true, of(p)} : test::branch{false, {}}; }

  /// k forks before a join: all that follows one of them is beside it.
  void add_chain(test::block& to, const scene& s, std::size_t from) const {
    if (from == s.parts.size()) return;
    test::step fork{test::step::kind::fork, 0, {whole(s.parts[from]), {}}};
    add_chain(fork.branches[1].body, s, from + 1);
    to.push_back(std::move(fork));
  }

  /// A balanced tree; a loop of one iteration is none.
  void add_halves(test::block& to, const scene& s, std::size_t begin, std::size_t end) const {
    if (end - begin == 1) {
      for (test::step& one : of(s.parts[begin])) to.push_back(std::move(one));
      return;
    }
    const std::size_t middle = begin + (end - begin) / 2;
    to.push_back({test::step::kind::fork, 0, {half(s, begin, middle), half(s, middle, end)}});
  }
  /// Its first iteration is begun with it.
  test::branch half(const scene& s, std::size_t begin, std::size_t end) const {
    test::branch b{s.parts[begin].begun, {}};
    if (b.begins) add_halves(b.body, s, begin, end);
    return b;
  }

  const bool loops_are_forks_;
};

}  // namespace tine::stress
