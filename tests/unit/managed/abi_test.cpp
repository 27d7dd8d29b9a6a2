// The bridge for compiled code, used as `tine ir` uses it: a recursion whose forks are written by hand.
#include <tine/augment/augment.hpp>
#include <tine/managed/abi.h>
#include <tine/managed/par.hpp>
#include <tine/stop.hpp>
#include <tine/sync/barrier.hpp>

#include "unit/run_child.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <stop_token>
#include <vector>

namespace {

namespace hot = tine::sched::hot;

std::int64_t fib(std::int64_t n);
constexpr tine::sched::site site_of_fib = 4711;

std::int64_t& payload(void* record) {
  return *reinterpret_cast<std::int64_t*>(static_cast<std::byte*>(record) + tine_abi_payload);
}

// -fsanitize=function would compare marks of the types of functions. Code of another compiler has no such marks, nor has this one.
#ifdef __clang__
__attribute__((no_sanitize("function")))
#endif
std::uint8_t
run_fib(void* record) {
  payload(record) = fib(payload(record));
  return 0;
}

constexpr std::uint32_t record_bytes = tine_abi_payload + 8;
const tine_abi_kind kind{run_fib, record_bytes, 0, 1};

std::int64_t fib(std::int64_t n) {
  if (n < 2) return n;
  const std::int64_t later = n - 2;
  tine::sched::address record = hot::top();
  *reinterpret_cast<const tine_abi_kind**>(record) = &kind;
  payload(record) = later;
  hot::set_top(record + record_bytes);
  if (hot::is_past_limit(record)) record = static_cast<tine::sched::address>(tine_abi_poll(record, &site_of_fib));
  const std::int64_t a = fib(n - 1);
  hot::set_top(record);
  if (hot::is_promoted(record) && tine_abi_join(record) == 1) return a + payload(hot::top());
  return a + fib(later);
}

void program(void* results) { *static_cast<std::int64_t*>(results) = fib(20); }

TEST_CASE("forks of compiled code are promoted, stolen, reclaimed and joined") {
  // Many runs, because few forks of each run are promoted, and only these show what the slow paths do to the caller's
  // registers.
  for (unsigned workers : {1u, 2u, 4u}) {
    for (unsigned runs = 0; runs < 30; ++runs) {
      std::int64_t result = 0;
      tine_abi_run(program, &result, workers);
      REQUIRE(result == 6765);
    }
  }
}

/// The forks of a graph, and the places of the program at which they are.
struct forks {
  long count = 0;
  bool all_here = true;

  void fork(forks&, forks&, tine::sched::site where) { all_here = all_here && where == site_of_fib; }
  void join(forks& left, forks& right, forks& after) {
    after.count = count + left.count + right.count + 1;
    after.all_here = all_here && left.all_here && right.all_here;
  }
};

TEST_CASE("observers see the forks of compiled code, on any number of workers") {
  for (unsigned workers : {1u, 2u, 4u}) {
    for (unsigned runs = 0; runs < 10; ++runs) {
      tine::pool where{{.workers = workers}};
      std::int64_t result = 0;
      const auto got = where.run([&] { return tine::augment<forks>([&] { program(&result); }); });
      REQUIRE(result == 6765);
      CHECK(got.count == 10945);
      CHECK(got.all_here);
    }
  }
}

// Compiled code throws nothing.
TEST_CASE("an observed strand that is to stop runs compiled code to its end") {
  std::int64_t result = 0;
  tine::pool where{{.workers = 2}};
  const auto got = where.run([&] {
    return tine::augment<forks>([&] {
      std::stop_source stop;
      tine::run_stoppable(stop.get_token(), [&] {
        stop.request_stop();
        program(&result);
      });
    });
  });
  CHECK(result == 6765);
  CHECK(got.count == 10945);
}

TEST_CASE("outside of every pool compiled code runs without forking") { CHECK(fib(15) == 610); }

// The test makes by hand the record that a poll leaves. Programs whose frames are walked are in spork/tests/ir.
TEST_CASE("a record that was not promoted is removed at the join of its frame") {
  static bool taken;
  tine_abi_run(
      [](void*) {
        const tine::sched::address record = hot::top();
        *reinterpret_cast<const tine_abi_kind**>(record) = &kind;
        hot::set_top(record + record_bytes);
        taken = tine_abi_join_frame(record) == 0 && hot::top() == record;
      },
      nullptr, 1);
  CHECK(taken);
}

TEST_CASE("a reclaimed record keeps its payload") {
  static const tine_abi_kind four{run_fib, tine_abi_payload + 32, 0, 1};
  tine::pool{{.workers = 1, .promote = tine::promotion::eager()}}.run([] {
    tine::sched::address record = hot::top();
    *reinterpret_cast<const tine_abi_kind**>(record) = &four;
    for (int i = 0; i < 4; ++i) (&payload(record))[i] = 100 + i;
    hot::set_top(record + four.size);
    record = static_cast<tine::sched::address>(tine_abi_poll(record, &site_of_fib));
    CHECK(fib(12) == 144);  // forks above it
    hot::set_top(record);
    REQUIRE(hot::is_promoted(record));
    REQUIRE(tine_abi_join(record) == 0);
    for (int i = 0; i < 4; ++i) CHECK((&payload(record))[i] == 100 + i);
  });
}

template <std::uintptr_t Returns>
void poll_with_wrong_site() {
  tine::augment<forks>([] {
    const tine::sched::address record = hot::top();
    *reinterpret_cast<const tine_abi_kind**>(record) = &kind;
    hot::set_top(record + record_bytes);
    tine_abi_poll(record, reinterpret_cast<const void*>(Returns));
  });
}
TINE_IN_CHILD("no site") { poll_with_wrong_site<0>(); }
TINE_IN_CHILD("a site that is not aligned") { poll_with_wrong_site<4711>(); }
TINE_IN_CHILD("a site at no address") { poll_with_wrong_site<0x7ff8>(); }

/// Pushes `n` records of fib(10), the oldest at `at[0]`; offers some; and joins all of them. Returns the sum of the
/// results, and how many records were promoted when their joins came.
struct flat_result {
  std::int64_t sum = 0;
  unsigned promoted = 0;
};
flat_result fork_and_offer(unsigned n, unsigned more) {
  std::vector<tine::sched::address> at(n);
  for (auto& record : at) {
    record = hot::top();
    *reinterpret_cast<const tine_abi_kind**>(record) = &kind;
    payload(record) = 10;
    hot::set_top(record + record_bytes);
    if (hot::is_past_limit(record)) record = static_cast<tine::sched::address>(tine_abi_poll(record, &site_of_fib));
  }
  tine_abi_offer(more);
  flat_result r;
  for (unsigned i = n; i-- > 0;) {
    hot::set_top(at[i]);
    const bool is_promoted = hot::is_promoted(at[i]);
    r.promoted += is_promoted ? 1 : 0;
    r.sum += is_promoted && tine_abi_join(at[i]) == 1 ? payload(hot::top()) : fib(10);
  }
  return r;
}

TEST_CASE("a strand offers its oldest records beyond the demand, and reclaims what no worker takes") {
  tine::pool alone{{.workers = 1}};
  alone.run([&] {
    const flat_result r = fork_and_offer(5, 3);
    CHECK(r.promoted == 3);
    CHECK(r.sum == 5 * 55);
    CHECK(fork_and_offer(2, 9).promoted == 2);
    CHECK(fork_and_offer(0, 9).promoted == 0);
  });
  CHECK(alone.counters().promotions == 5);
  // a policy with tokens promotes only what a token pays for
  tine::pool beats{{.workers = 1, .promote = tine::promotion::heartbeat(1e7, 1)}};
  CHECK(beats.run([] { return fork_and_offer(5, 3).promoted; }) <= 1);
  tine_abi_offer(3);  // outside of every pool
}

TEST_CASE("workers take offered records one after the other") {
  for (unsigned workers : {2u, 4u}) {
    tine::pool p{{.workers = workers}};
    // on a loaded machine the other workers may get no processor for some time
    for (unsigned runs = 0; runs < 100 || (runs < 20'000 && p.counters().steals == 0); ++runs) {
      REQUIRE(p.run([] { return fork_and_offer(64, 16).sum; }) == 64 * 55);
    }
    CHECK(p.counters().steals > 0);
  }
}

TEST_CASE("an offer to an idle worker needs no token") {
  tine::pool p{{.workers = 2, .promote = tine::promotion::on_demand(1e7, 2)}};
  for (unsigned runs = 0; runs < 20'000 && p.counters().promotions < 20; ++runs) {
    REQUIRE(p.run([] { return fork_and_offer(4, 0).sum; }) == 4 * 55);
  }
  CHECK(p.counters().promotions >= 20);
}

TEST_CASE("a wrong place of the return address ends an observed program with a message") {
  for (const char* name : {"no site", "a site that is not aligned", "a site at no address"}) {
    CAPTURE(std::string{name});
    CHECK(tine::test::run_child(name).says("where no return address can lie"));
  }
}

TEST_CASE("the word of a front end belongs to the fiber") {
  constexpr unsigned own = (tine_abi_own - 128) / 8;
  static_assert(hot::fiber_local_at<own> == tine_abi_own);
  for (const unsigned workers : {1U, 2U}) {
    tine::pool p{{.workers = workers}};
    p.run([] {
      tine::barrier both{2};
      const auto branch = [&](std::uintptr_t mine) {
        const std::uintptr_t before = hot::fiber_local<own>();
        hot::set_fiber_local<own>(mine);
        for (int i = 0; i < 20; ++i) {
          both.arrive_and_wait();  // the strand leaves its worker, which runs the other branch
          CHECK(hot::fiber_local<own>() == mine);
        }
        hot::set_fiber_local<own>(before);
      };
      tine::par([&] { branch(1); }, [&] { branch(2); });
      CHECK(hot::fiber_local<own>() == 0);
    });
  }
}

TEST_CASE("cells are zero, and nothing of no cells can be had") {
  auto* cells = static_cast<std::int64_t*>(tine_abi_alloc(3));
  CHECK((cells[0] == 0 && cells[1] == 0 && cells[2] == 0));
  std::free(cells);
  void* nothing = tine_abi_alloc(0);
  CHECK(nothing != nullptr);
  std::free(nothing);
}

}  // namespace
