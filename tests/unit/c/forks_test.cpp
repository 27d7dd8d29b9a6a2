// Forks and loops of the C interface: their results, the order on one worker, and which failure wins.
#include "unit/c/c_pool.hpp"

#include <tine/augment.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace tine::test;

struct number {
  int n;
  long result;
};

int fib(void* data) {
  auto& x = *static_cast<number*>(data);
  if (x.n < 2) return x.result = x.n, 0;
  number a{x.n - 1, 0}, b{x.n - 2, 0};
  const int status = tine_par2(fib, &a, fib, &b);
  x.result = a.result + b.result;
  return status;
}

TEST_CASE("a recursion of forks has its result, in every pool and outside") {
  in_pools([] {
    number x{18, 0};
    CHECK(fib(&x) == tine_ok);
    CHECK(x.result == 2584);
  });
  number x{18, 0};
  CHECK(fib(&x) == tine_ok);
  CHECK(x.result == 2584);
}

TEST_CASE("any number of calls run once each, in their order on one worker") {
  struct place {
    std::atomic<int>* clock;
    int when;
  };
  constexpr tine_function note = [](void* p) {
    auto& at = *static_cast<place*>(p);
    at.when = at.clock->fetch_add(1);
    return 0;
  };
  for (const int n : {0, 1, 2, 3, 7, 100}) {
    in_pools([&] {
      std::atomic<int> clock{0};
      std::vector<place> places(static_cast<std::size_t>(n), place{&clock, -1});
      std::vector<tine_call> calls;
      for (place& p : places) calls.push_back({note, &p});
      CHECK(tine_par(calls.data(), n) == tine_ok);
      CHECK(clock == n);
      for (int i = 0; i < n && tine_worker_count() == 1; ++i) CHECK(places[static_cast<std::size_t>(i)].when == i);
    });
  }
}

TEST_CASE("a loop runs each iteration once, between any bounds") {
  in_pools([] {
    for (const auto& [begin, end] : {std::pair<std::int64_t, std::int64_t>{-3, 4},
                                     {0, 1},
                                     {5, 5},
                                     {7, 2},
                                     {-1000, 9000},
                                     {INT64_MAX - 10, INT64_MAX},
                                     {INT64_MIN, INT64_MIN + 10},
                                     {INT64_MAX, INT64_MIN}}) {
      const auto n = static_cast<std::size_t>(begin < end ? end - begin : 0);
      std::vector<std::atomic<int>> one_by_one(n), in_chunks(n);
      const auto at = [first = begin](std::int64_t i) { return static_cast<std::size_t>(i - first); };
      CHECK(for_each(begin, end, [&](std::int64_t i) { return one_by_one[at(i)]++, 0; }) == tine_ok);
      std::atomic<int> empty{0};
      CHECK(for_chunks(begin, end, [&](std::int64_t b, std::int64_t e) {
              empty += b >= e;
              for (; b < e; ++b) in_chunks[at(b)]++;
              return 0;
            }) == tine_ok);
      CHECK(empty == 0);
      for (std::size_t i = 0; i < n; ++i) CHECK((one_by_one[i] == 1 && in_chunks[i] == 1));
    }
  });
}

TEST_CASE("a loop on one worker runs in order") {
  const c_pool alone{1};
  std::vector<std::int64_t> seen, all(5000);
  std::iota(all.begin(), all.end(), 0);
  CHECK(run_in(alone.get(), [&] { return for_each(0, 5000, [&](std::int64_t i) { return seen.push_back(i), 0; }); }) ==
        tine_ok);
  CHECK(seen == all);
}

/// The map x -> ax + b; their composition is associative, and not commutative.
struct affine {
  std::uint64_t a, b;
  static constexpr int pad = 37;
  std::array<unsigned char, pad> rest;  // a size that is no multiple of a word
};

affine after(const affine& first, const affine& then) {
  return {then.a * first.a, then.a * first.b + then.b, first.rest};
}
affine item(std::int64_t i) { return {static_cast<std::uint64_t>(2 * i + 1), static_cast<std::uint64_t>(i * i), {}}; }

int fold(void*, std::int64_t begin, std::int64_t end, void* so_far) {
  auto& sum = *static_cast<affine*>(so_far);
  for (; begin < end; ++begin) sum = after(sum, item(begin));
  return 0;
}
int combine(void*, void* so_far, const void* later) {
  auto& sum = *static_cast<affine*>(so_far);
  sum = after(sum, *static_cast<const affine*>(later));
  return 0;
}

TEST_CASE("a reduction keeps the order of the iterations") {
  in_pools([] {
    for (const std::int64_t n : {0, 1, 2, 1000, 100'000}) {
      const affine identity{1, 0, {7}};
      affine expected = identity, found{};
      for (std::int64_t i = -5; i < n - 5; ++i) expected = after(expected, item(i));
      CHECK(tine_par_reduce(-5, n - 5, sizeof(affine), &identity, &found, fold, combine, nullptr) == tine_ok);
      CHECK(found.a == expected.a);
      CHECK(found.b == expected.b);
      CHECK(found.rest == expected.rest);
    }
    affine in_place{1, 0, {}}, expected = in_place;
    for (std::int64_t i = 0; i < 100; ++i) expected = after(expected, item(i));
    CHECK(tine_par_reduce(0, 100, sizeof(affine), &in_place, &in_place, fold, combine, nullptr) == tine_ok);
    CHECK(in_place.b == expected.b);
  });
}

TEST_CASE("a value of a reduction is aligned for every type of C") {
  constexpr tine_fold count = [](void* misaligned, std::int64_t begin, std::int64_t end, void* so_far) {
    *static_cast<std::atomic<int>*>(misaligned) +=
        reinterpret_cast<std::uintptr_t>(so_far) % alignof(std::max_align_t) != 0;
    *static_cast<long double*>(so_far) += static_cast<long double>(end - begin);
    return 0;
  };
  constexpr tine_combine add = [](void*, void* so_far, const void* later) {
    *static_cast<long double*>(so_far) += *static_cast<const long double*>(later);
    return 0;
  };
  in_pools([] {
    std::atomic<int> misaligned{0};
    const long double zero = 0;
    long double all = -1;
    CHECK(tine_par_reduce(0, 5000, sizeof zero, &zero, &all, count, add, &misaligned) == tine_ok);
    CHECK(all == 5000);
    CHECK(misaligned == 0);
  });
}

TEST_CASE("the first failure in the serial order wins") {
  in_pools([] {
    CHECK(par2([] { return 3; }, [] { return 4; }) == 3);
    CHECK(par2([] { return 0; }, [] { return 4; }) == 4);
    CHECK(par2([] { return par2([] { return 0; }, [] { return 5; }); }, [] { return 6; }) == 5);
    std::array<tine_call, 50> calls{};
    calls.fill({[](void*) { return 0; }, nullptr});
    calls[30].function = [](void*) { return 31; };
    calls[40].function = [](void*) { return 41; };
    CHECK(tine_par(calls.data(), 50) == 31);
    for (const std::int64_t first : {0, 1, 77, 999}) {
      std::vector<std::atomic<int>> runs(1000);
      const auto fails_from = [&](std::int64_t i) {
        return runs[static_cast<std::size_t>(i)]++, i < first ? 0 : static_cast<int>(i) + 1;
      };
      CHECK(for_each(0, 1000, fails_from) == first + 1);
      for (std::size_t i = 0; i <= static_cast<std::size_t>(first); ++i) CHECK(runs[i] == 1);
      CHECK(for_chunks(0, 1000, [&](std::int64_t b, std::int64_t e) {
              return e <= first ? 0 : static_cast<int>(b > first ? b : first) + 1;
            }) == first + 1);
    }
  });
}

TEST_CASE("a failed reduction leaves its result as it was") {
  in_pools([] {
    const int zero = 0;
    int result = 17;
    constexpr tine_fold fails = [](void*, std::int64_t begin, std::int64_t end, void* so_far) {
      *static_cast<int*>(so_far) = 1;
      return end < 500 ? 0 : begin > 700 ? 9 : 8;
    };
    constexpr tine_combine none = [](void*, void*, const void*) { return 0; };
    CHECK(tine_par_reduce(0, 1000, sizeof zero, &zero, &result, fails, none, nullptr) == 8);
    CHECK(result == 17);
  });
  // a combine that fails, which needs a thief
  const c_pool two{2, "eager"};
  std::atomic<bool> stolen{false};
  const auto meets = [](void* s, std::int64_t begin, std::int64_t, void*) {
    auto& met = *static_cast<std::atomic<bool>*>(s);
    if (begin == 0) return wait_until([&] { return met.load(); }) ? 0 : 1;
    met = true;
    return 0;
  };
  CHECK(run_in(two.get(), [&] {
          const int zero = 0;
          int result = 0;
          return tine_par_reduce(
              0, 1000, sizeof zero, &zero, &result, +meets, [](void*, void*, const void*) { return 23; }, &stolen);
        }) == 23);
}

TEST_CASE("an exception of a callback becomes a status, and its message stays") {
  in_pools([] {
    const auto throws = []() -> int { throw std::runtime_error{"no bread"}; };
    CHECK(par2(throws, [] { return 4; }) == tine_exception);
    CHECK(std::string{tine_last_message()} == "no bread");
    CHECK(par2([] { return 4; }, throws) == 4);
    CHECK(par2([] { return 0; }, throws) == tine_exception);
    // through a level that returns the status, and through one on another worker
    CHECK(par2([&] { return par2([] { return 0; }, throws); }, [] { return 0; }) == tine_exception);
    CHECK(std::string{tine_last_message()} == "no bread");
    CHECK(for_each(0, 100, [&](std::int64_t i) { return i == 70 ? throws() : 0; }) == tine_exception);
    CHECK(std::string{tine_last_message()} == "no bread");
    CHECK(run([]() -> int { throw 5; }) == tine_exception);
    CHECK(run([]() -> int { throw std::bad_alloc{}; }) == tine_out_of_memory);
    CHECK(run([]() -> int { throw std::runtime_error{std::string(1000, 'x')}; }) == tine_exception);
    CHECK(std::string{tine_last_message()} == std::string(255, 'x'));
  });
}

TEST_CASE("the message of a stolen branch comes to the thread that joins it") {
  const c_pool two{2, "eager"};
  std::atomic<bool> begun{false};
  const int status = run_in(two.get(), [&] {
    return par2([&] { return wait_until([&] { return begun.load(); }) ? 0 : 99; },
                [&]() -> int {
                  begun = true;
                  return par2([]() -> int { throw std::runtime_error{"no butter"}; }, [] { return 0; });
                });
  });
  CHECK(status == tine_exception);
  CHECK(std::string{tine_last_message()} == "no butter");
}

TEST_CASE("a failure stops the branch after it") {
  const c_pool two{2, "eager"};
  std::atomic<int> seen{0};
  std::atomic<bool> begun{false};
  const int status = run_in(two.get(), [&] {
    return par2([&] { return wait_until([&] { return begun.load(); }) ? 7 : 99; },
                [&] {
                  begun = true;
                  int found = 0;
                  wait_until([&] { return (found = par2([] { return 0; }, [] { return 0; })) != 0; });
                  seen = found;
                  return found;
                });
  });
  CHECK(status == 7);
  CHECK(seen == tine_stopped);
}

/// The workers of a pool wait in roots until the first iteration of a loop releases them, and waits for one of them.
struct released_workers {
  std::atomic<int> busy{0}, runs_elsewhere{0};
  std::atomic<bool> released{false};

  static int wait_in_root(void* all) {
    auto& self = *static_cast<released_workers*>(all);
    ++self.busy;
    return wait_until([&] { return self.released.load(); }) ? 0 : 1;
  }
  static int iteration(void* all, std::int64_t i) {
    auto& self = *static_cast<released_workers*>(all);
    if (i != 0) return ++self.runs_elsewhere, 0;
    self.released = true;
    return wait_until([&] { return self.runs_elsewhere != 0; }) ? 0 : 1;
  }
};

// If no worker is idle, a loop that takes itself for a short one runs its iterations in one go.
TEST_CASE("each body has its own length of chunks") {
  const c_pool two{2};
  released_workers all;
  std::array<tine_handle*, 2> roots{};  // the pool starts one more thread for roots
  for (tine_handle*& r : roots)
    REQUIRE(tine_pool_submit(two.get(), tine_normal, released_workers::wait_in_root, &all, &r) == tine_ok);
  REQUIRE(wait_until([&] { return all.busy == 2; }));
  constexpr tine_iteration quick = [](void*, std::int64_t) { return 0; };
  CHECK(run_in(two.get(), [&] {
          for (int i = 0; i < 100; ++i) CHECK(tine_par_for(0, 100'000, quick, nullptr) == tine_ok);
          return tine_par_for(0, 2, released_workers::iteration, &all);
        }) == tine_ok);
  for (tine_handle*& r : roots) CHECK(tine_handle_wait(&r) == tine_ok);
}

/// The least and the greatest place of the forks and loops of a graph.
struct places {
  tine::sched::site least = ~tine::sched::site{0}, greatest = 0;

  void fork(places&, places&, tine::sched::site where) { add(where); }
  void join(places& left, places& right, places& after) {
    for (const places* p : {this, &left, &right}) after.append(*p);
  }
  void loop(places& subrange, std::uint64_t, tine::sched::site where) const { subrange.add(where); }
  void append(const places& other) {
    least = std::min(least, other.least);
    greatest = std::max(greatest, other.greatest);
  }
  void join_loop(places& subrange, places& after) {
    after.append(*this);
    after.append(subrange);
  }
  void add(tine::sched::site where) {
    least = std::min(least, where);
    greatest = std::max(greatest, where);
  }
};

// Their calls are no tail calls, so the return addresses are here.
[[gnu::noinline]] int forks_here() {
  const int status = par2([] { return 0; }, [] { return 0; });
  asm volatile("");
  return status;
}
[[gnu::noinline]] int calls_here(const std::array<tine_call, 5>& calls) {
  const int status = tine_par(calls.data(), 5);
  asm volatile("");
  return status;
}
[[gnu::noinline]] int loops_here(tine_iteration body) {
  const int status = tine_par_for(0, 50, body, nullptr);
  asm volatile("");
  return status;
}

TEST_CASE("observers get the places of forks and loops in the program, not in tine") {
  const auto place = [](auto f) {
    const places found = tine::augment<places>([&] { CHECK(f() == tine_ok); });
    CHECK(found.least == found.greatest);
    return found.least;
  };
  const auto is_in = [](tine::sched::site at, auto* function) {
    const auto begin = reinterpret_cast<tine::sched::site>(function);
    return begin < at && at < begin + 2000;
  };
  std::array<tine_call, 5> calls{};
  calls.fill({[](void*) { return 0; }, nullptr});
  in_pools([&] {
    CHECK(is_in(place([&] { return calls_here(calls); }), &calls_here));
    CHECK(is_in(place([] { return loops_here([](void*, std::int64_t) { return 0; }); }), &loops_here));
    const tine::sched::site fork = place([] { return forks_here(); });
    CHECK(fork == place([] { return forks_here(); }));
    CHECK(fork != place([&] { return calls_here(calls); }));
  });
}

TEST_CASE("inside tine_sequential nothing moves to another worker") {
  const c_pool eight{8, "eager"};
  std::atomic<int> elsewhere{0};
  const auto on_this_worker = [&] {
    const int here = tine_worker_index();
    return for_each(0, 1000, [&, here](std::int64_t) { return elsewhere += tine_worker_index() != here, 0; });
  };
  auto body = on_this_worker;
  CHECK(run_in(eight.get(), [&] { return tine_sequential(&call<decltype(body)>, &body); }) == tine_ok);
  CHECK(run_in(eight.get(), [&] { return tine_blocking(&call<decltype(body)>, &body); }) == tine_ok);
  CHECK(elsewhere == 0);
}

TEST_CASE("wrong arguments are refused, and nothing runs") {
  constexpr tine_function runs = [](void* count) { return ++*static_cast<int*>(count), 0; };
  int count = 0;
  const int zero = 0;
  int result = 0;
  const std::array<tine_call, 2> one_null{{{runs, &count}, {nullptr, nullptr}}};
  constexpr tine_fold folds = [](void*, std::int64_t, std::int64_t, void*) { return 0; };
  constexpr tine_combine combines = [](void*, void*, const void*) { return 0; };
  const auto is_refused = [&](int status) {
    CHECK(status == tine_invalid_argument);
    CHECK(std::strlen(tine_last_message()) > 20);
  };
  is_refused(tine_par2(nullptr, nullptr, runs, &count));
  is_refused(tine_par2(runs, &count, nullptr, nullptr));
  is_refused(tine_par(one_null.data(), 2));
  is_refused(tine_par(one_null.data(), -1));
  is_refused(tine_par(nullptr, 1));
  is_refused(tine_par_for(0, 10, nullptr, nullptr));
  is_refused(tine_par_for_chunks(0, 10, nullptr, nullptr));
  is_refused(tine_par_reduce(0, 10, 0, &zero, &result, folds, combines, nullptr));
  is_refused(tine_par_reduce(0, 10, 4, nullptr, &result, folds, combines, nullptr));
  is_refused(tine_par_reduce(0, 10, 4, &zero, nullptr, folds, combines, nullptr));
  is_refused(tine_par_reduce(0, 10, 4, &zero, &result, nullptr, combines, nullptr));
  is_refused(tine_par_reduce(0, 10, 4, &zero, &result, folds, nullptr, nullptr));
  is_refused(tine_run(nullptr, nullptr));
  is_refused(tine_sequential(nullptr, nullptr));
  is_refused(tine_blocking(nullptr, nullptr));
  is_refused(tine_unstoppable(nullptr, nullptr));
  CHECK(count == 0);
}

TEST_CASE("each status has a text") {
  for (int status = tine_ok; status >= tine_exception; --status)
    CHECK(std::string{tine_status_text(status)} != "unknown status");
  CHECK(std::string{tine_status_text(7)} == "a callback has failed");
  CHECK(std::string{tine_status_text(-1000)} == "unknown status");
}

}  // namespace
