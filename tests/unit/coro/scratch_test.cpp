// Scratch arrays: they lie on the task's stack, in order and aligned, and no array is too large for that stack.
#include <tine/coro.hpp>

#include "unit/coro/stacklet_count.hpp"
#include "unit/ways.hpp"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <numeric>
#include <string>

namespace {

using tine::call;
using tine::fork;
using tine::join;
using tine::pool;
using tine::scratch;
using tine::task;
using tine::test::in_every_way;
using tine::test::meeting;

template <class T>
bool is_aligned(const T* p) {
  return reinterpret_cast<std::uintptr_t>(p) % alignof(T) == 0;
}

struct alignas(64) line {
  std::array<std::uint64_t, 8> words;
};
struct alignas(4096) page {
  std::array<char, 4096> bytes;
};

/// Sums n numbers beginning with `from`, through arrays of results on each level of tasks.
task<long> sum_to(long from, long n) {
  if (n == 1) co_return from;
  const long parts = n < 5 ? n : 5;
  auto results = co_await scratch<long>(static_cast<std::size_t>(parts));
  long begin = 0;
  for (long i = 0; i < parts; ++i) {
    const long end = n * (i + 1) / parts;
    if (i + 1 < parts) {
      co_await fork(&results[static_cast<std::size_t>(i)], sum_to, from + begin, end - begin);
    } else {
      results[static_cast<std::size_t>(i)] = co_await call(sum_to, from + begin, end - begin);
    }
    begin = end;
  }
  co_await join;
  co_return std::accumulate(results.begin(), results.end(), 0L);
}

/// Counts the elements that are made and those that are alive. The constructor of element `breaks_at` throws.
struct registry {
  int alive = 0;
  int made = 0;
  int breaks_at = -1;
} seen;

struct registered {
  int number = 42;
  registered() {
    if (seen.made == seen.breaks_at) throw std::string{"broken"};
    ++seen.made;
    ++seen.alive;
  }
  ~registered() { --seen.alive; }
  registered(const registered&) = delete;
  registered& operator=(const registered&) = delete;
};

}  // namespace

TEST_CASE("trees of scratch arrays") {
  for (const unsigned workers : {1U, 2U, 8U}) {
    for (const auto policy : {tine::promotion::on_demand(1, 100), tine::promotion::eager()}) {
      pool p{{.workers = workers, .promote = policy}};
      CHECK(p.run(sum_to, 1, 20'000) == 200'010'000L);
    }
  }
}

TEST_CASE("scratch arrays are aligned and apart") {
  pool p{{.workers = 1}};
  const auto root = []() -> task<> {
    auto a = co_await scratch<char>(3);
    auto b = co_await scratch<line>(5);
    auto c = co_await scratch<char>(1);
    auto d = co_await scratch<page>(3);
    auto e = co_await scratch<double>(7);
    CHECK(is_aligned(b.data()));
    CHECK(is_aligned(d.data()));
    CHECK(is_aligned(e.data()));
    std::memset(static_cast<void*>(a.data()), 1, 3);
    std::memset(static_cast<void*>(b.data()), 2, 5 * sizeof(line));
    std::memset(static_cast<void*>(c.data()), 3, 1);
    std::memset(static_cast<void*>(d.data()), 4, 3 * sizeof(page));
    std::memset(static_cast<void*>(e.data()), 5, 7 * sizeof(double));
    CHECK(a[2] == 1);
    CHECK((b[0].words[0] & 0xff) == 2);
    CHECK((b[4].words[7] >> 56) == 2);
    CHECK(c[0] == 3);
    CHECK(d[0].bytes[0] == 4);
    CHECK(d[2].bytes[4095] == 4);
    co_return;
  };
  p.run(root);
}

TEST_CASE("empty arrays take nothing, and arrays follow one another in a loop") {
  pool p{{.workers = 1}};
  const auto root = []() -> task<long> {
    auto none = co_await scratch<long>(0);
    CHECK(none.size() == 0);
    CHECK(none.begin() == none.end());
    auto some = co_await scratch<long>(2);
    CHECK(none.begin() == some.begin());
    const long* where = nullptr;
    long moved = 0;
    for (int i = 0; i < 1000; ++i) {
      auto a = co_await scratch<long>(100);
      auto empty = co_await scratch<line>(0);
      a[99] = i;
      moved += where != nullptr && where != a.data();
      where = a.data();
    }
    co_return moved;
  };
  CHECK(p.run(root) <= 1);  // moves at most once, from a full stacklet to the next
}

TEST_CASE("arrays larger than any stacklet so far") {
  pool p{{.workers = 1}};
  const auto root = []() -> task<bool> {
    auto a = co_await scratch<long>(1'000'000);
    a[0] = 1;
    a[999'999] = 2;
    auto b = co_await scratch<long>(3);
    b[2] = 3;
    auto c = co_await scratch<long>(4'000'000);
    c[3'999'999] = 4;
    co_return a[0] + a[999'999] + b[2] + c[3'999'999] == 10;
  };
  CHECK(p.run(root));
  CHECK(p.run(root));
}

TEST_CASE("a task that had a huge array does not keep its memory") {
  pool p{{.workers = 2}};
  const auto root = []() -> task<long> {
    auto below = co_await scratch<long>(3);
    below[2] = 7;
    long most = 0;
    for (const std::size_t megabytes : {1, 2, 1, 4}) {
      {
        auto huge = co_await scratch<std::byte>(megabytes << 20);
        huge[0] = huge[(megabytes << 20) - 1] = std::byte{1};
        auto above = co_await scratch<long>(3);
        above[2] = 5;
      }
      const long before = tine::test::stacklets.bytes();
      long a = 0;
      co_await fork<sum_to>(&a, 1, 3000);
      const long b = co_await call<sum_to>(1, 3000);
      co_await join;
      CHECK(a == b);
      most = std::max(most, before);
    }
    CHECK(below[2] == 7);
    co_return most;
  };
  const long before = tine::test::stacklets.bytes();
  CHECK(p.run(root) - before < 200'000);
}

TEST_CASE("arrays that do not fit into memory throw, and the task continues") {
  pool p{{.workers = 1}};
  const auto root = []() -> task<int> {
    int caught = 0;
    const std::size_t all = std::numeric_limits<std::size_t>::max();
    for (const std::size_t n : {all, all / 2, all / sizeof(line), all / 2 / sizeof(line) + 1}) {
      try {
        auto a = co_await scratch<line>(n);
        CHECK(a.size() == 0);  // not reached
      } catch (const std::bad_array_new_length&) {
        ++caught;
      }
    }
#if !TINE_ASAN && !TINE_TSAN  // with a sanitizer malloc ends the program instead
    try {
      auto a = co_await scratch<char>(all / 2 - 100'000);
      CHECK(a.size() == 0);  // not reached
    } catch (const std::bad_alloc&) {
      ++caught;
    }
#else
    ++caught;
#endif
    auto fine = co_await scratch<long>(10);
    fine[9] = caught;
    co_return static_cast<int>(fine[9]);
  };
  CHECK(p.run(root) == 5);
}

TEST_CASE("elements that are made and ended") {
  pool p{{.workers = 1}};
  seen = {};
  const auto root = [](int n) -> task<int> {
    auto a = co_await scratch<registered>(static_cast<std::size_t>(n));
    auto b = co_await scratch<std::string>(static_cast<std::size_t>(n));
    b[0] = "a text that is too long for the object itself, so that a leak shows";
    CHECK(seen.alive == n);
    int sum = 0;
    for (const registered& r : a) sum += r.number;
    co_return sum;
  };
  CHECK(p.run(root, 10) == 420);
  CHECK(seen.alive == 0);
  CHECK(seen.made == 10);
}

TEST_CASE("an element's constructor throws: those made are ended, and the stack is as before") {
  pool p{{.workers = 1}};
  seen = {};
  seen.breaks_at = 7;
  const auto root = []() -> task<int> {
    auto before = co_await scratch<int>(4);
    before[3] = 1;
    try {
      auto a = co_await scratch<registered>(10);
      CHECK(a.size() == 0);  // not reached
    } catch (const std::string& s) {
      CHECK(s == "broken");
    }
    CHECK(seen.alive == 0);
    seen.breaks_at = -1;
    auto after = co_await scratch<registered>(10);
    co_return before[3] + after[9].number;
  };
  CHECK(p.run(root) == 43);
  CHECK(seen.alive == 0);
}

TEST_CASE("an exception between fork and join leaves arrays only when the children have ended") {
  in_every_way([](meeting& m) {
    static std::atomic<bool> over{false};
    struct guard {
      bool used = false;
      ~guard() { CHECK((!used || over.load())); }
    };
    over.store(false);
    const auto child = [](meeting& met, guard* g) -> task<> {
      g->used = true;
      met.first();
      over.store(true);
      co_return;
    };
    const auto root = [](const auto& ch, meeting& met) -> task<int> {
      int code = 0;
      try {
        auto a = co_await scratch<guard>(3);
        co_await fork(ch, met, &a[1]);
        met.second();
        throw 5;
      } catch (int e) {
        code = e;
        CHECK(over.load());
      }
      co_await join;
      auto after = co_await scratch<long>(3);
      after[2] = code;
      co_return static_cast<int>(after[2]);
    };
    CHECK(tine::run(root, child, m) == 5);
  });
}
