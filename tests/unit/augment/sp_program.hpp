// Random series-parallel programs for the tests of vertex types: a block is events, forks and loops in sequence. The
// test decides what happens at an event.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <utility>
#include <vector>

namespace tine::test {

/// An action of a strand. Events are numbered in the order in which one worker would do them.
using event = std::size_t;

struct step;
using block = std::vector<step>;

/// A branch of a fork or an iteration of a loop. A branch may never begin, for example because of an exception
/// elsewhere.
struct branch {
  bool begins = true;
  block body;
};

struct step {
  enum class kind { act, fork, loop } is = kind::act;
  event what = 0;
  std::vector<branch> branches = {};
};

struct sp_program {
  block root;
  std::size_t events = 0;
};

/// Draws programs with at most `most_events` events.
class program_maker {
 public:
  program_maker(std::mt19937_64& random, std::size_t most_events) : random_{random}, most_{most_events} {}

  sp_program make() {
    next_ = 0;
    sp_program p{make_block(0, true), 0};
    p.events = next_;
    return p;
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }

  block make_block(int depth, bool begins) {
    block b;
    for (std::size_t n = 1 + below(4); n != 0; --n) b.push_back(make_step(depth, begins));
    return b;
  }

  step make_step(int depth, bool begins) {
    const std::size_t dice = depth < 6 ? below(10) : 0;
    if (dice < 5 || next_ >= most_) return make_event(begins);
    const bool is_loop = dice >= 8;
    step s{is_loop ? step::kind::loop : step::kind::fork};
    for (std::size_t n = is_loop ? 1 + below(5) : 2; n != 0; --n) {
      // The left branch of a fork and the first iteration always begin.
      const bool this_begins = begins && (s.branches.empty() || below(8) != 0);
      s.branches.push_back({this_begins, make_block(depth + 1, this_begins)});
    }
    return s;
  }

  /// Returns an event. In a branch that never begins, a loop without iterations takes its place, which needs no number.
  step make_event(bool begins) {
    if (!begins || next_ >= most_) return {step::kind::loop, 0, {}};  // a loop without iterations
    return {step::kind::act, next_++};
  }

  std::mt19937_64& random_;
  std::size_t most_;
  event next_ = 0;
};

/// Returns a program with the calls of the recursive Fibonacci function; each call has an event before its fork and one
/// after it.
inline block recursion(int n, event& next) {
  block b{{step::kind::act, next++}};
  if (n > 1) {
    step fork{step::kind::fork};
    for (const int below : {n - 1, n - 2}) fork.branches.push_back({true, recursion(below, next)});
    b.push_back(std::move(fork));
  }
  b.push_back({step::kind::act, next++});
  return b;
}

}  // namespace tine::test
