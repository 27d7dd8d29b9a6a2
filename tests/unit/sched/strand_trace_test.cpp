// The logical stack of the running strand: its parts, its bounds, and the message at the end of a program.
#include "unit/run_child.hpp"

#include <tine/coro.hpp>
#include <tine/detail/base/assert.hpp>
#include <tine/sched/strand_trace.hpp>
#include <tine/tine.hpp>

#include <doctest/doctest.h>

#include <unistd.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>

#include <string>

#include <vector>

namespace {

using tine::this_strand_trace;
using tine::trace_entry;
using tine::trace_kind;

std::vector<trace_kind> kinds(const std::vector<trace_entry>& trace) {
  std::vector<trace_kind> found;
  for (const trace_entry& e : trace) {
    if (e.kind != trace_kind::call) found.push_back(e.kind);
  }
  return found;
}

/// The first branch waits until the second one runs elsewhere. (ThreadSanitizer delivers signals in calls such as
/// usleep.)
template <class F>
[[gnu::noinline]] void stolen(F&& f) {
  std::atomic<bool> begun{false};
  tine::par(
      [&] {
        while (!begun) {
          usleep(100);
#if TINE_TSAN  // its signals come late: a fork serves the thief
          tine::par([] {}, [] {});
#endif
        }
      },
      [&] {
        begun = true;
        f();
      });
}

TEST_CASE("outside_every_pool_the_trace_is_empty") {
  CHECK(this_strand_trace().empty());
  std::array<trace_entry, 4> few{};
  CHECK(this_strand_trace(few) == 0);
}

TEST_CASE("a_root_has_a_trace_of_its_frames_and_itself") {
  tine::pool p{{.workers = 2}};
  std::vector<trace_entry> trace;
  p.run([&] { trace = this_strand_trace(); });
  REQUIRE(!trace.empty());
  CHECK(kinds(trace) == std::vector{trace_kind::root});
  CHECK(trace.back().kind == trace_kind::root);
#if !TINE_ASAN && !TINE_TSAN
  CHECK(trace.front().kind == trace_kind::call);
#endif
}

TEST_CASE("forks_around_a_strand_that_was_stolen_three_times_over") {
  tine::pool p{{.workers = 4}};
  std::vector<trace_entry> trace;
  p.run([&] { stolen([&] { stolen([&] { stolen([&] { trace = this_strand_trace(); }); }); }); });
  const std::vector wanted{trace_kind::fork, trace_kind::fork, trace_kind::fork, trace_kind::root};
  CHECK(kinds(trace) == wanted);
  // three instances of one template
  std::vector<const void*> codes;
  for (const trace_entry& e : trace) {
    if (e.kind == trace_kind::fork) codes.push_back(e.code);
  }
  CHECK(codes.size() == 3);
  std::sort(codes.begin(), codes.end());
  CHECK(std::unique(codes.begin(), codes.end()) == codes.end());
}

#if !TINE_TSAN  // its signals come so late that these strands may not be stolen
TEST_CASE("an_open_fork_that_was_not_stolen_is_around_a_stolen_one") {
  tine::pool p{{.workers = 2}};
  std::vector<trace_entry> trace;
  p.run([&] { tine::par([&] { stolen([&] { stolen([&] { trace = this_strand_trace(); }); }); }, [] {}); });
  REQUIRE(!trace.empty());
  // the records of the fork around and of both stolen ones; on two workers the inner one is stolen back by the first
  CHECK(kinds(trace).back() == trace_kind::root);
  CHECK(kinds(trace).size() == 4);
}
#endif

#if !TINE_TSAN  // its signals come so late that these strands may not be stolen
TEST_CASE("a_subrange_of_a_loop") {
  tine::pool p{{.workers = 2}};
  std::vector<trace_entry> traces[2];
  std::atomic<int> begun{0};
  p.run([&] {
    tine::par_for(0, 2, [&](int i) {
      ++begun;
      while (begun < 2) usleep(100);
      traces[i] = this_strand_trace();
    });
  });
  CHECK(kinds(traces[0]) == std::vector{trace_kind::root});
  const std::vector wanted{trace_kind::loop, trace_kind::root};
  CHECK(kinds(traces[1]) == wanted);
}
#endif

/// A task that continues after it has waited, on the thread that resumes it.
struct once_parked {
  bool await_ready() const { return false; }
  void await_suspend(tine::resumption r) const { r.resume(); }
  void await_resume() const {}
};

std::vector<trace_entry> of_task;

tine::task<int> innermost(int n) {
  co_await once_parked{};
  of_task = this_strand_trace();
  co_return n;
}
tine::task<int> middle(int n) {
  const int m = co_await tine::call<innermost>(n);
  co_return m + 1;
}
tine::task<int> outermost(int n) {
  const int m = co_await tine::call<middle>(n);
  co_return m + 1;
}

TEST_CASE("coroutines_that_wait_and_the_fork_around_the_code_that_waits_for_them") {
  tine::pool p{{.workers = 2}};
  of_task.clear();
  CHECK(p.run([] { return tine::run(outermost, 1); }) == 3);
  const std::vector wanted{trace_kind::await, trace_kind::await, trace_kind::root};
  CHECK(kinds(of_task) == wanted);
  of_task.clear();
  p.run([] { stolen([] { CHECK(tine::run(outermost, 1) == 3); }); });
  const std::vector wanted_inside{trace_kind::await, trace_kind::await, trace_kind::fork, trace_kind::root};
  CHECK(kinds(of_task) == wanted_inside);
}

TEST_CASE("a_submitted_coroutine_ends_the_trace_with_its_root") {
  tine::pool p{{.workers = 2}};
  of_task.clear();
  auto h = p.submit(outermost, 1);
  CHECK(h.get() == 3);
  const std::vector wanted{trace_kind::await, trace_kind::await, trace_kind::root};
  CHECK(kinds(of_task) == wanted);
}

TEST_CASE("a_short_buffer_gets_the_innermost_entries") {
  tine::pool p{{.workers = 2}};
  p.run([] {
    stolen([] {
      const std::vector<trace_entry> all = this_strand_trace();
      std::array<trace_entry, 2> two{};
      REQUIRE(all.size() >= 2);
      CHECK(this_strand_trace(two) == 2);
      CHECK(this_strand_trace(std::span<trace_entry>{}) == 0);
      CHECK(two[1].kind == all[1].kind);
    });
  });
}

std::atomic<std::size_t> in_handler{0};

TEST_CASE("a_signal_handler_gets_a_trace_that_leads_to_the_root") {
  struct sigaction action{};
  struct sigaction before{};
  action.sa_handler = [](int) {
    std::array<trace_entry, 256> trace;
    const std::size_t n = this_strand_trace(trace);
    in_handler = n != 0 && trace[n - 1].kind == trace_kind::root ? n : 0;
  };
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR1, &action, &before);
  tine::pool p{{.workers = 2}};
  p.run([] { stolen([] { raise(SIGUSR1); }); });
  sigaction(SIGUSR1, &before, nullptr);
  CHECK(in_handler >= 2);
}

// --- the end of a program

const tine::test::child_body ends_in_strand{"trace_at_end", [] {
                                              tine::pool p{{.workers = 2}};
                                              p.run([] { stolen([] { tine::base::fatal("it is over"); }); });
                                            }};
const tine::test::child_body ends_outside{"trace_outside", [] {
                                            const tine::pool p{{.workers = 2}};
                                            tine::base::fatal("it is over");
                                          }};

[[maybe_unused]] std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

#if !TINE_TSAN  // its signals come so late that these strands may not be stolen
TEST_CASE("the_end_of_a_program_prints_the_trace") {
  const tine::test::child_end end = tine::test::run_child("trace_at_end");
  CAPTURE(end.said);
  CHECK(end.said.starts_with("tine: it is over\ntine: the strand that ended the program, innermost call first:\n"));
  CHECK(count(end.said, "\ntine:   fork ") == 1);
  CHECK(count(end.said, "\ntine:   root ") == 1);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 35)
  // the form that addr2line reads
  char program[512];
  const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
  program[n < 0 ? 0 : n] = '\0';
  CHECK(count(end.said, std::string{"fork  "} + program + "(+0x") == 1);
#endif
}
#endif

#if !TINE_ASAN && !TINE_TSAN
/// Compilers must not make a loop of it.
[[gnu::noinline]] int recurse(int n) {
  volatile char space[4096];
  space[0] = static_cast<char>(n);
  const int below = n == 0 ? 0 : recurse(n - 1);
  return below + space[0];
}

const tine::test::child_body overflows{"trace_of_overflow", [] {
                                         tine::pool p{{.workers = 2, .stack_bytes = 256 << 10}};
                                         p.run([] { stolen([] { recurse(1 << 20); }); });
                                       }};

TEST_CASE("the_trace_of_a_stack_overflow_shows_some_calls_and_all_forks") {
  const tine::test::child_end end = tine::test::run_child("trace_of_overflow");
  CAPTURE(end.said);
  CHECK(end.said.starts_with("tine: stack overflow"));
  CHECK(count(end.said, "\ntine:   call ") == 32);
  CHECK(count(end.said, "\ntine:   and more calls\n") == 1);
  CHECK(count(end.said, "\ntine:   fork ") == 1);
  CHECK(count(end.said, "\ntine:   root ") == 1);
}
#endif

TEST_CASE("outside_of_strands_the_message_is_alone") {
  CHECK(tine::test::run_child("trace_outside").said == "tine: it is over\n");
}

}  // namespace
