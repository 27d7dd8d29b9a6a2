// Fibers by themselves: switching, their own exception state, their memory, and the store that keeps them.
#include "sched/fiber.hpp"

#include "emulated.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using tine::sched::context;
using tine::sched::departure;
using tine::sched::fiber;
using tine::sched::fiber_store;
using tine::sched::guard_pages;
using tine::sched::switch_context;

constexpr std::size_t stack_bytes = std::size_t{256} << 10;

void take_turns(departure& first);

/// The two ends of a conversation between the test and one fiber, which runs `turns` one after the other.
struct conversation {
  explicit conversation(std::vector<void (*)()> t);
  context native;
  fiber other{stack_bytes, stack_bytes, &take_turns};
  std::string log;
  std::vector<void (*)()> turns;
};
thread_local conversation* talk = nullptr;

conversation::conversation(std::vector<void (*)()> t) : turns{std::move(t)} { talk = this; }

/// Switches from the test to the fiber. Returns when the fiber's turn is over.
void let_fiber_run() {
  departure leaving{&talk->native, &talk->other, departure::then::stay};
  const departure& back = switch_context(leaving);
  CHECK(back.from == &talk->other);
  CHECK(back.to == &talk->native);
}

/// Switches from the fiber to the test. Returns at the fiber's next turn.
void let_test_run() {
  departure leaving{&talk->other, &talk->native, departure::then::stay};
  switch_context(leaving);
}

void take_turns(departure& first) {
  CHECK(first.to == &talk->other);
  for (std::size_t i = 0;; ++i) {
    if (i < talk->turns.size()) talk->turns[i]();
    let_test_run();
  }
}

[[gnu::noinline]] int depth_used(int levels) {
  volatile char frame[512];
  frame[0] = static_cast<char>(levels);
  return levels == 0 ? frame[0] : depth_used(levels - 1) + (frame[0] == static_cast<char>(levels) ? 1 : 0);
}

}  // namespace

TEST_CASE("control goes to a fiber and comes back where it left") {
  conversation c{{[] { talk->log += "b"; }, [] { talk->log += "d"; },
                  [] {
                    const std::string kept = "e";  // lives over the switch
                    let_test_run();
                    talk->log += kept;
                  }}};
  c.log += "a";
  let_fiber_run();
  c.log += "c";
  let_fiber_run();
  let_fiber_run();
  c.log += "-";
  let_fiber_run();
  CHECK(c.log == "abcd-e");
}

TEST_CASE("the handled exception belongs to the fiber, not to the thread") {
  conversation c{{[] {
    CHECK(std::current_exception() == nullptr);
    try {
      throw std::runtime_error{"in the fiber"};
    } catch (const std::runtime_error&) {
      let_test_run();
      try {
        throw;  // rethrows this handler's exception, whatever the test has thrown meanwhile
      } catch (const std::runtime_error& e) {
        talk->log = e.what();
      }
    }
    CHECK(std::current_exception() == nullptr);
  }}};
  try {
    throw std::logic_error{"in the test"};
  } catch (const std::logic_error&) {
    let_fiber_run();
    try {
      throw;
    } catch (const std::logic_error& e) {
      CHECK(std::string{e.what()} == "in the test");
    }
    let_fiber_run();
  }
  CHECK(c.log == "in the fiber");
  CHECK(std::current_exception() == nullptr);
}

TEST_CASE("the count of uncaught exceptions belongs to the fiber") {
  conversation c{{[] {
    struct at_end {
      ~at_end() {
        CHECK(std::uncaught_exceptions() == 1);
        let_test_run();
        CHECK(std::uncaught_exceptions() == 1);
      }
    };
    try {
      const at_end e;
      throw 5;
    } catch (int) {
      talk->log = "caught";
    }
    CHECK(std::uncaught_exceptions() == 0);
  }}};
  let_fiber_run();
  CHECK(std::uncaught_exceptions() == 0);
  let_fiber_run();
  CHECK(c.log == "caught");
}

TEST_CASE("a fiber continues on another thread") {
  conversation c{{[] {
    try {
      throw std::runtime_error{"from the first thread"};
    } catch (const std::runtime_error& e) {
      let_test_run();
      talk->log = e.what();
    }
  }}};
  let_fiber_run();
  std::thread{[&] {
    talk = &c;
    let_fiber_run();
  }}.join();
  CHECK(c.log == "from the first thread");
}

TEST_CASE("a fiber has the stack and the records it was promised") {
  // only an eighth of the stack, because sanitizers make frames wider
  conversation c{{[] { talk->log = std::to_string(depth_used(static_cast<int>(stack_bytes / 4 / 1024))); }}};
  let_fiber_run();
  CHECK(c.log == std::to_string(stack_bytes / 4 / 1024));
  CHECK(static_cast<std::size_t>(c.other.records_end() - c.other.records_begin()) ==
        stack_bytes - 2 * tine::sched::max_record_bytes);
  *c.other.records_begin() = std::byte{1};
  *(c.other.records_end() + 2 * tine::sched::max_record_bytes - 1) = std::byte{2};
  CHECK(*c.other.records_begin() == std::byte{1});
}

TEST_CASE("large records grow in place, up to the reserved size" * doctest::skip(TINE_TSAN != 0)) {
  constexpr std::size_t most = std::size_t{16} << 20;
  fiber f{stack_bytes, most, &take_turns};
  std::byte* const begin = f.records_begin();
  *begin = std::byte{1};
  std::byte* last = f.records_end();
  CHECK(f.records_end() - begin < std::ptrdiff_t{2} << 20);
  while (f.may_grow()) {
    REQUIRE(f.grow());
    CHECK(f.records_begin() == begin);
    CHECK(f.records_end() > last);
    last = f.records_end();
    *last = std::byte{2};
    CHECK(guard_pages::hold(last + 2 * tine::sched::max_record_bytes));  // the guard moves, too
  }
  CHECK_FALSE(f.grow());
  CHECK(static_cast<std::size_t>(last - begin) == most - 2 * tine::sched::max_record_bytes);
  CHECK(*begin == std::byte{1});
}

TEST_CASE("the guard lies just below the stack") {
  fiber f{stack_bytes, stack_bytes, &take_turns};
  const std::byte* const lowest = f.records_begin() - stack_bytes;
  const std::byte* const guard = lowest - (std::size_t{64} << 10);
  CHECK_FALSE(f.overflows(lowest, lowest));
  for (const std::byte* where : {lowest - 1, guard}) {
    CHECK(f.overflows(where, where));
    CHECK(f.overflows(where, lowest));
    CHECK_FALSE(f.overflows(where, lowest + stack_bytes / 2));  // the stack does not reach so far down: a wild pointer
    CHECK(guard_pages::hold(where));
  }
  for (const void* where : {static_cast<const void*>(guard - 1), static_cast<const void*>(nullptr)}) {
    CHECK_FALSE(f.overflows(where, lowest));
  }
  CHECK_FALSE(guard_pages::hold(lowest));
  CHECK_FALSE(guard_pages::hold(nullptr));
}

TEST_CASE("guards are known while their fiber exists, those above the records, too") {
  const std::byte* end = nullptr;
  {
    fiber f{stack_bytes, stack_bytes, &take_turns};
    end = f.records_end() + 2 * tine::sched::max_record_bytes;
    CHECK_FALSE(guard_pages::hold(end - 1));
    CHECK(guard_pages::hold(end));
    CHECK(guard_pages::hold(end + (std::size_t{64} << 10) - 1));
  }
  CHECK_FALSE(guard_pages::hold(end));
}

/// Returns the flags that /proc/self/smaps gives for the mapping that holds this address, as in " rd wr mr ".
std::string mapping_flags(const void* where) {
  std::ifstream maps{"/proc/self/smaps"};
  std::string line;
  bool holds = false;
  const auto at = reinterpret_cast<std::uintptr_t>(where);
  while (std::getline(maps, line)) {
    unsigned long begin = 0, end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2) holds = at >= begin && at < end;
    if (holds && line.starts_with("VmFlags:")) return line.substr(8) + " ";
  }
  return "none";
}

TEST_CASE("core files hold a fiber's stack and its oldest records, and neither its guards nor its other records") {
  if (tine::test::skips_emulated("qemu passes no madvise on to the kernel, and shows no flags of mappings")) return;
  const std::size_t record_bytes = std::size_t{256} << 10;
  const fiber f{stack_bytes, record_bytes, &take_turns};
  const auto is_dumped = [](const void* where) { return mapping_flags(where).find(" dd ") == std::string::npos; };
  const std::byte* const stack = f.records_begin() - stack_bytes;
  CHECK(is_dumped(stack));
  CHECK(is_dumped(f.records_begin() - 1));
  CHECK_FALSE(is_dumped(stack - 1));
  CHECK(is_dumped(f.records_begin()));
  CHECK(is_dumped(f.records_begin() + (std::size_t{64} << 10) - 1));
  CHECK_FALSE(is_dumped(f.records_begin() + (std::size_t{64} << 10)));
  CHECK_FALSE(is_dumped(f.records_begin() + record_bytes));
}

TEST_CASE("the store reuses fibers and counts what it mapped") {
  fiber_store store{stack_bytes, stack_bytes, &take_turns};
  CHECK(store.mapped() == 0);
  fiber& a = store.take();
  fiber& b = store.take();
  CHECK(&a != &b);
  CHECK(store.mapped() == 2);
  store.give_back(a);
  CHECK(&store.take() == &a);
  CHECK(store.mapped() == 2);
  std::set<fiber*> all{&a, &b};
  for (int i = 0; i < 100; ++i) CHECK(all.insert(&store.take()).second);
  CHECK(store.mapped() == 102);
  for (fiber* f : all) store.give_back(*f);
  for (int i = 0; i < 102; ++i) CHECK(all.erase(&store.take()) == 1);
  CHECK(store.mapped() == 102);
}
