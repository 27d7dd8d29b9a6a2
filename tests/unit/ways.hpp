// The ways a fork can go, so that a test can take each of them: never promoted, promoted and reclaimed, stolen,
// promoted on demand with two workers, outside every pool. For test programs only.
#pragma once

#include <tine/tine.hpp>

#include <sched.h>
#include <atomic>
#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <type_traits>
#include <utility>

namespace tine::test {

/// The way that the forks of a body take.
enum class way : unsigned char { never_promoted, reclaimed, stolen, on_demand, outside };

inline const char* name_of(way w) {
  switch (w) {
    case way::never_promoted:
      return "never promoted";
    case way::reclaimed:
      return "promoted and reclaimed";
    case way::stolen:
      return "stolen";
    case way::on_demand:
      return "on demand, two workers";
    case way::outside:
      return "outside every pool";
  }
  return "";
}

/// Makes the first branch wait until the second branch has begun, if the second branch is to be stolen. The first
/// branch calls `first()`, the second branch calls `second()`; `first(f)` and `second(f)` are branches that do so, and
/// then call `f`. The test calls `again()` before the next fork.
class meeting {
 public:
  template <class F>
  struct branch {
    meeting& m;
    bool is_first;
    F f;
    decltype(auto) operator()() {
      is_first ? m.first() : m.second();
      return f();
    }
    decltype(auto) operator()() const
      requires std::is_invocable_v<const F&>
    {
      is_first ? m.first() : m.second();
      return f();
    }
  };

  explicit meeting(bool wanted) : wanted_{wanted} {}
  template <class F>
  branch<F> first(F f) {
    return {*this, true, std::move(f)};
  }
  template <class F>
  branch<F> second(F f) {
    return {*this, false, std::move(f)};
  }
  void first() const {
    while (wanted_ && !begun_.load()) {
      tine::poll();
      sched_yield();
    }
  }
  void second() { begun_.store(true); }
  void again() { begun_.store(false); }
  bool is_wanted() const { return wanted_; }

 private:
  const bool wanted_;
  std::atomic<bool> begun_{false};
};

/// The pool in which forks are stolen.
struct thieves {
  unsigned workers = 2;
  resume_policy resume = resume_policy::same_thread;
};

inline options options_for(way w, thieves with = {}) {
  options o{.workers = w == way::stolen || w == way::on_demand ? with.workers : 1U, .resume = with.resume};
  if (w == way::reclaimed || w == way::stolen) o.promote = promotion::eager();
  return o;
}

/// Runs `body` in each way, and checks that its forks took that way. It is a function object so that the loop is
/// compiled once.
inline void in_every_way(const std::function<void(meeting&)>& body, thieves with = {}) {
  for (const way w : {way::never_promoted, way::reclaimed, way::stolen, way::on_demand, way::outside}) {
    CAPTURE(std::string{name_of(w)});
    meeting m{w == way::stolen};
    if (w == way::outside) {
      body(m);
      continue;
    }
    pool p{options_for(w, with)};
    p.run([&] { body(m); });
    const counters done = p.counters();
    if (w == way::never_promoted) CHECK(done.promotions == 0);
    if (w == way::reclaimed) CHECK(done.reclaimed > 0);
    if (w == way::stolen) CHECK(done.steals > 0);
  }
}

/// Runs a task in each way, and checks its result.
template <class T, class Root>
void check_in_every_way(const T& expected, Root root) {
  in_every_way([&](meeting& m) { CHECK(tine::run(root, m) == expected); });
}

}  // namespace tine::test
