// A random program for the scheduler: each fork and loop has a way in which it is run, some events throw, and some
// forks and loops catch. After the run it is known which parts exceptions have cut off, and the rest is a program
// again.
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
  bool begun = false;  ///< the run has begun it; written by the thread that runs it
};

/// A step and how it is to be run.
struct scene {
  test::step::kind is;
  test::event what = 0;
  bool throws = false;        ///< an event: it throws after it has been heard
  bool catches = false;       ///< a fork or loop: it catches exceptions
  bool is_coroutine = false;  ///< a fork or loop: run by a coroutine; a loop as one fork for each part, before one join
  bool is_region = false;     ///< a fork or loop: run in a region of its own
  work_span inside = {};      ///< the result of that region
  std::vector<part> parts = {};
};

/// Draws the way in which each step is run.
class scene_maker {
 public:
  /// Makes one event in `rarity` throw.
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

/// Returns true if an exception leaves the step. A fork or loop that does not catch lets the exception of any branch
/// out that has begun.
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

/// The part of a program that ran, as the analyses of a region see it.
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

  /// Adds k forks before one join: all forks after a fork are in its second branch.
  void add_chain(test::block& to, const scene& s, std::size_t from) const {
    if (from == s.parts.size()) return;
    test::step fork{test::step::kind::fork, 0, {whole(s.parts[from]), {}}};
    add_chain(fork.branches[1].body, s, from + 1);
    to.push_back(std::move(fork));
  }

  /// Adds a balanced tree of forks. A loop of one iteration adds no fork.
  void add_halves(test::block& to, const scene& s, std::size_t begin, std::size_t end) const {
    if (end - begin == 1) {
      for (test::step& one : of(s.parts[begin])) to.push_back(std::move(one));
      return;
    }
    const std::size_t middle = begin + (end - begin) / 2;
    to.push_back({test::step::kind::fork, 0, {half(s, begin, middle), half(s, middle, end)}});
  }
  /// A half of a loop. It has begun if its first iteration has begun.
  test::branch half(const scene& s, std::size_t begin, std::size_t end) const {
    test::branch b{s.parts[begin].begun, {}};
    if (b.begins) add_halves(b.body, s, begin, end);
    return b;
  }

  const bool loops_are_forks_;
};

}  // namespace tine::stress
