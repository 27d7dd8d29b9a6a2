// Code that forks where a fork or a loop is joined: a combine, and the copy constructor and the destructor of a result.
// The runtime calls it while the outcome that it reads lies on the shadow stack.
#include <tine/augment.hpp>
#include <tine/replay.hpp>
#include <tine/tine.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "unit/fib.hpp"
#include "unit/ways.hpp"

namespace {

using tine::options;
using tine::pool;
using tine::promotion;
using tine::test::fib;

/// Numbers that are copied and destroyed in parallel; nothing moves them.
class numbers {
 public:
  explicit numbers(std::vector<long> all = {}) : all_{std::move(all)} { ++alive; }
  numbers(const numbers& other) : all_(other.all_.size()) {
    tine::par_for(std::size_t{0}, all_.size(), [&](std::size_t i) { all_[i] = other.all_[i]; });
    if (fib(6) != 8) throw std::logic_error{"fib"};
    ++alive;  // after the code that may throw
  }
  numbers& operator=(const numbers&) = default;
  ~numbers() {
    tine::unstoppable([] {
      if (fib(7) == 13) --alive;
    });
  }

  void add(long n) { all_.push_back(n); }
  friend numbers operator+(numbers first, const numbers& second) {
    const std::size_t n = first.all_.size();
    first.all_.resize(n + second.all_.size());
    tine::par_for(std::size_t{0}, second.all_.size(), [&](std::size_t i) { first.all_[n + i] = second.all_[i]; });
    return first;
  }
  bool are_counting(long from, long to) const {
    std::vector<long> wanted(static_cast<std::size_t>(to - from));
    std::iota(wanted.begin(), wanted.end(), from);
    return all_ == wanted;
  }

  static inline std::atomic<long> alive = 0;

 private:
  std::vector<long> all_;
};

/// The numbers from `from` up to `to`, by forks.
numbers forked(long from, long to) {
  if (to - from == 1) return numbers{{from}};
  const long middle = from + (to - from) / 2;
  return tine::par([=] { return forked(from, middle); }, [=] { return forked(middle, to); },
                   [](const numbers& a, const numbers& b) { return a + b; });
}

/// The numbers from 0 up to `n`, by a loop, which calls `each` for every number.
template <class Each>
numbers looped(long n, Each each) {
  return tine::par_reduce(
      0L, n, numbers{},
      [each](long i) {
        each(i);
        return i;
      },
      [](numbers before, const auto& next) {
        if constexpr (std::is_same_v<decltype(next), const numbers&>) {
          return before + next;
        } else {
          if (next % 64 == 0) tine::poll();
          before.add(next);
          return before;
        }
      });
}
numbers looped(long n) {
  return looped(n, [](long) {});
}

const auto pools = {options{.workers = 2}, options{.workers = 8}, options{.workers = 32},
                    options{.workers = 2, .promote = promotion::eager()},
                    options{.workers = 8, .promote = promotion::eager()}};

/// Calls `check` in pools of several sizes. Every result has been destroyed afterwards.
template <class F>
void in_pools(const F& check) {
  for (const options& o : pools) {
    CAPTURE(o.workers);
    pool p{o};
    for (int round = 0; round < 5; ++round) p.run(check);
    CHECK(numbers::alive == 0);
  }
}

}  // namespace

TEST_CASE("a result of a branch may be copied and destroyed by forks") {
  in_pools([] { CHECK(forked(0, 400).are_counting(0, 400)); });
  tine::test::in_every_way([](tine::test::meeting& m) {
    const auto [a, b] = tine::par(m.first([] { return numbers{{1}}; }), m.second([] { return numbers{{2, 3}}; }));
    CHECK(a.are_counting(1, 2));
    CHECK(b.are_counting(2, 4));
  });
  CHECK(numbers::alive == 0);
}

TEST_CASE("a combine of a loop may fork") {
  in_pools([] { CHECK(looped(2000).are_counting(0, 2000)); });
}

TEST_CASE("a result that an exception makes superfluous may be destroyed by forks") {
  in_pools([] {
    CHECK_THROWS_WITH(tine::par(
                          []() -> int {
                            fib(12);
                            throw std::runtime_error{"first"};
                          },
                          [] { return forked(0, 30); }),
                      "first");
    CHECK_THROWS_WITH(looped(500,
                             [](long i) {
                               fib(8);
                               if (i == 20) throw std::runtime_error{"twenty"};
                             }),
                      "twenty");
    CHECK(fib(12) == 144);
  });
}

TEST_CASE("such results are right when the program is observed, recorded and replayed") {
  for (const options& o : pools) {
    if (o.workers > 8) continue;
    CAPTURE(o.workers);
    pool p{o};
    const auto all = [] { return forked(0, 100).are_counting(0, 100) && looped(1000).are_counting(0, 1000); };
    p.run([&] {
      bool good = false;
      tine::augment<tine::work_span>([&] { good = all(); });
      CHECK(good);
      good = false;
      const auto schedule = tine::record([&] { good = all(); });
      CHECK(good);
      good = false;
      tine::replay(schedule, tine::replay_mode::relaxed, [&] { good = all(); });
      CHECK(good);
    });
    CHECK(numbers::alive == 0);
  }
}
