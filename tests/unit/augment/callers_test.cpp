// Sites in wrappers: whose code is whose, chains of callers, and the tables of both under many threads.
#include "augment/callers.hpp"
#include "augment/grow_only_table.hpp"
#include "augment/owner_of.hpp"

#include <tine/base/wrappers.hpp>
#include <tine/detail/base/object_at.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <gnu/libc-version.h>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

TINE_WRAPPERS("test_wrappers");

namespace {

using namespace tine::detail;
using tine::sched::of_coroutine;
using tine::sched::site;

thread_local volatile int sink = 0;

}  // namespace

namespace test_wrappers {

/// A wrapper whose call of `f` is the fork.
template <class F>
[[gnu::noinline]] void fork(F f) {
  f();
  sink = 1;
}
template <class F>
[[gnu::noinline]] void by_another(F f) {
  fork(f);
  sink = 2;
}
template <class F>
[[gnu::noinline]] void recursive(int depth, F f) {
  depth == 0 ? fork(f) : recursive(depth - 1, f);
  sink = 3;
}
[[gnu::noinline]] void called() { sink = 4; }

}  // namespace test_wrappers

namespace {

/// A fork: its site is that of the code that calls it.
struct fork_here {
  site& found;
  site around = 0;
  [[gnu::noinline]] void operator()() const {
    found = site_with_callers(tine::base::to_word(__builtin_return_address(0)), around);
  }
};

/// Calls `f` from the program. The functions of this kind have different return addresses.
template <int Kind, class F>
[[gnu::noinline]] void program(F f) {
  f();
  sink = Kind;
}

/// Returns the owners of a site's addresses.
std::vector<owner> owners_of(site where) {
  std::vector<owner> all{owner_of(address_of_site(where) - 1)};
  for (const std::uint64_t each : callers_of_site(where)) all.push_back(owner_of(each - 1));
  return all;
}

/// Returns the address of an instruction of a function.
template <class F>
std::uintptr_t inside(F* function) {
  return tine::base::to_word(reinterpret_cast<const void*>(function)) + 1;
}

TEST_CASE("code belongs to the program, a wrapper or tine") {
  CHECK(owner_of(inside(&test_wrappers::called)) == owner::wrapper);
  CHECK(owner_of(inside(&record_callers)) == owner::runtime);
  CHECK(owner_of(inside(&program<0, void (*)()>)) == owner::program);
  CHECK(owner_of(inside(&gnu_get_libc_version)) == owner::wrapper);  // the C library
  CHECK(owner_of(inside(&std::__throw_bad_alloc)) == owner::wrapper);
  CHECK(owner_of(16) == owner::unnamed);
}

TEST_CASE("the site of a fork in a wrapper ends with the program's call") {
  site direct = 0, elsewhere = 0;
  program<1>(fork_here{direct});
  CHECK_FALSE(has_number(direct));
  CHECK(owner_of(direct - 1) == owner::program);
  site found[2] = {};
  for (site& each : found) program<2>([&each] { test_wrappers::by_another(fork_here{each}); });
  program<3>([&] { test_wrappers::by_another(fork_here{elsewhere}); });
  CHECK(found[0] == found[1]);
  CHECK(found[0] != elsewhere);
  CHECK(address_of_site(found[0]) == address_of_site(elsewhere));
  for (const site each : {found[0], elsewhere})
    CHECK(owners_of(each) == std::vector{owner::wrapper, owner::wrapper, owner::program});
}

TEST_CASE("a chain has no more addresses than it may have, however deep the wrapper's recursion is") {
  site found = 0;
  for (const int depth : {0, 3, 100}) {
    program<5>([&] { test_wrappers::recursive(depth, fork_here{found}); });
    const std::vector<owner> all = owners_of(found);
    CHECK(all.size() <= 9);
    CHECK(all.front() == owner::wrapper);
    CHECK(all.back() == owner::program);
    CHECK(std::ranges::count(all, owner::program) == 1);
  }
}

TEST_CASE("where no caller is known, the site continues with that of the construct around it") {
  site outer = 0;
  program<4>([&] { test_wrappers::fork(fork_here{outer}); });
  REQUIRE(has_number(outer));
  const site in_wrapper = inside(&test_wrappers::called) + 1;
  const site inner = site_with_callers(in_wrapper, outer);  // no frame of this thread returns there
  CHECK(address_of_site(inner) == in_wrapper);
  CHECK(callers_of_site(inner).back() == callers_of_site(outer).back());
  CHECK(site_with_callers(in_wrapper, outer) == inner);
  CHECK(site_with_callers(in_wrapper, inner) == inner);  // a recursion through forks has one site
  CHECK(site_with_callers(in_wrapper, 0) == in_wrapper);
  site nested = outer;
  for (site level = 1; level < 9; ++level) {
    nested = site_with_callers(in_wrapper + level, nested);
    const auto callers = callers_of_site(nested);
    CHECK(callers.size() <= 5);
    CHECK(std::ranges::count(callers, address_of_site(outer)) == 1);  // code of the program may be inlined there
    CHECK(callers.back() == callers_of_site(outer).back());
  }
  const site coroutine = site_with_callers(in_wrapper | of_coroutine, outer);
  CHECK((coroutine & of_coroutine) != 0);
  CHECK(callers_of_site(coroutine & ~of_coroutine) == callers_of_site(inner));
  const site in_program = inside(&program<0, void (*)()>) + 1;
  CHECK(site_with_callers(in_program, outer) == in_program);
}

TEST_CASE("the site of a root is the program's call, and so is that of its first fork") {
  site root = 0;
  program<8>([&root] { root = site_of_root(0); });
  CHECK(owner_of(root - 1) == owner::program);
  CHECK(site_of_root(0) != root);
}

TEST_CASE("as many callers as asked for follow the program's call") {
  site found = 0;
  const auto go = [&] { program<6>([&] { program<7>([&] { test_wrappers::fork(fork_here{found}); }); }); };
  go();
  const std::size_t without = callers_of_site(found).size();
  record_callers(2);
  go();
  CHECK(callers_of_site(found).size() == without + 2);
  record_callers(0);
}

TEST_CASE("threads that find and add the same values agree, until the table is full") {
  using table = grow_only_table<std::uint64_t, 256>;
  const auto of_all = std::make_unique<table>();
  std::vector<std::uint64_t> values(table::most + 20);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i;
  std::mutex lock;
  std::atomic<unsigned> wrong{0};
  const auto look = [&](std::size_t i) {
    const std::uint64_t* const found = of_all->find(i * 3, [i](std::uint64_t v) { return v == i; });
    wrong += found != nullptr && *found != i;
    return found;
  };
  const auto work = [&] {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (look(i) != nullptr) continue;
      const std::lock_guard guard{lock};
      if (look(i) == nullptr) of_all->add(i * 3, &values[i]);
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back(work);
  for (std::thread& each : threads) each.join();
  CHECK(wrong == 0);
  for (std::size_t i = 0; i < values.size(); ++i) CHECK((look(i) != nullptr) == (i < table::most));
  CHECK_FALSE(of_all->add(1, &values[0]));
}

template <int... Kinds>
void collect(std::vector<site>& into, std::integer_sequence<int, Kinds...>) {
  const auto fork = [&into](int kind) {
    site found = 0;
    test_wrappers::recursive(kind % 4, fork_here{found});
    into.push_back(found);
  };
  (program<1000 + Kinds>([&fork] { fork(Kinds); }), ...);
}

TEST_CASE("threads that fork at the same places find the same sites") {
  std::vector<std::vector<site>> found(8);
  std::vector<std::thread> threads;
  for (std::vector<site>& into : found) {
    threads.emplace_back([&into] {
      for (int i = 0; i < 3; ++i) collect(into, std::make_integer_sequence<int, 40>{});
    });
  }
  for (std::thread& each : threads) each.join();
  for (const std::vector<site>& each : found) CHECK(each == found.front());
  for (const site each : found.front()) CHECK(owners_of(each).back() == owner::program);
}

}  // namespace
