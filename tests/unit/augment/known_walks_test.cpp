// Walks that repeat earlier ones: the words on which a walk depends, and sites beside libgcc's frames.
#include "augment/known_walks.hpp"
#include "augment/callers.hpp"
#include "augment/owner_of.hpp"

#include <tine/base/wrappers.hpp>
#include <tine/detail/base/object_at.hpp>

#include <unwind.h>
#include <doctest/doctest.h>

#include <alloca.h>
#include <array>
#include <cstdint>
#include <random>
#include <thread>
#include <utility>
#include <vector>

TINE_WRAPPERS("known_wrappers");

namespace {

using namespace tine::detail;
using tine::base::to_word;
using tine::sched::site;
using from = frame_rule::from;
using addresses = std::vector<std::uintptr_t>;

// --- a stack of words that we write ---

struct fake_stack {
  std::array<std::uintptr_t, 64> words{};
  std::uintptr_t at(std::size_t i) const { return to_word(&words[i]); }
};

/// Returns which words a step from `f` notes; -1: the frame pointer's register.
std::vector<long> noted(const fake_stack& s, calling_frame& f, const frame_rule& r) {
  std::vector<long> all;
  REQUIRE(step(f, r, [&](std::uintptr_t at, std::uintptr_t) {
    all.push_back(at == 0 ? -1 : static_cast<long>((at - s.at(0)) / sizeof at));
  }));
  return all;
}

TEST_CASE("a step notes the words that decide where the caller's frame is, and no others") {
  fake_stack s;
  s.words[5] = 1'000;     // the first return address
  s.words[4] = s.at(20);  // the frame pointer of its caller
  s.words[21] = 2'000;
  s.words[30] = s.at(40);
  s.words[39] = 3'000;
  calling_frame f{1, s.at(0), s.at(30)};
  const frame_rule saves{
      .base = from::stack_pointer, .saves_frame_pointer = true, .cfa = 48, .return_address = -8, .frame_pointer = -16};
  CHECK(noted(s, f, saves) == std::vector<long>{5});
  CHECK(f.pc == 1'000);
  CHECK(f.frame_pointer == s.at(20));
  CHECK(noted(s, f, {.base = from::frame_pointer, .cfa = 16, .return_address = -8}) == std::vector<long>{4, 21});
  CHECK(f.pc == 2'000);
  calling_frame g{1, s.at(0), s.at(30)};
  CHECK(noted(s, g, {.base = from::realigned, .cfa = 0, .return_address = -8}) == std::vector<long>{-1, 30, 39});
  CHECK(g.pc == 3'000);
}

TEST_CASE("a walk repeats a known one if it starts in the same way and finds the same words") {
  fake_stack s;
  known_walk w{};
  const known_walk::start start{.stack_pointer = s.at(0), .where = 10, .around = 20, .more = 0};
  CHECK_FALSE(w.leads_from(start, 0));
  const auto walk = [&](bool needs_register, std::size_t words) {
    w.begin();
    if (needs_register) w.note(0, 7);
    for (std::size_t i = 0; i < words; ++i) w.note(s.at(2 * i), s.words[2 * i]);
    w.end(start, 30);
  };
  walk(true, 3);
  CHECK(w.leads_from(start, 7));
  CHECK(w.found() == 30);
  CHECK_FALSE(w.leads_from(start, 8));
  for (const known_walk::start& other : {known_walk::start{s.at(1), 10, 20, 0}, known_walk::start{s.at(0), 11, 20, 0},
                                         known_walk::start{s.at(0), 10, 21, 0}, known_walk::start{s.at(0), 10, 20, 1}})
    CHECK_FALSE(w.leads_from(other, 7));
  walk(false, 3);
  CHECK(w.leads_from(start, 8));
  for (std::size_t i = 0; i < 8; ++i) {
    ++s.words[i];
    CHECK(w.leads_from(start, 8) == (i % 2 != 0 || i > 4));
    --s.words[i];
  }
  walk(false, 32);
  CHECK(w.leads_from(start, 8));
  w.begin();
  CHECK_FALSE(w.leads_from(start, 8));  // until the walk ends
  for (std::size_t i = 0; i < 33; ++i) w.note(s.at(0), s.words[0]);
  w.end(start, 30);
  CHECK_FALSE(w.leads_from(start, 8));  // too long
}

// --- this thread's stack ---

struct found_here {
  site where = 0;
  addresses frames;  ///< from the fork's on, by libgcc
};

[[gnu::noinline]] addresses by_libgcc() {
  addresses all;
  _Unwind_Backtrace(
      [](_Unwind_Context* at, void* to) {
        static_cast<addresses*>(to)->push_back(_Unwind_GetIP(at));
        return _URC_NO_REASON;
      },
      &all);
  return all;
}

/// A fork: its site is that of the code that calls it.
[[gnu::noinline]] void fork_here(found_here& to) {
  const std::uintptr_t where = to_word(__builtin_return_address(0));
  to.where = site_with_callers(where, 0);
  to.frames = by_libgcc();
  while (to.frames.front() != where) to.frames.erase(to.frames.begin());
}

volatile long sink = 0;

}  // namespace

namespace known_wrappers {

using path = const std::uint8_t*;  // which wrappers call each other; 0 ends it
void go(path p, found_here& to);

[[gnu::noinline]] void plain(path p, found_here& to) {
  go(p, to);
  sink = 1;
}
/// Two calls, whose frames are in the same place.
[[gnu::noinline]] void of_two_lines(path p, found_here& to) {
  if ((sink & 1) == 0) {
    go(p, to);
    sink = 2;
  } else {
    go(p, to);
    sink = 3;
  }
}
/// The frame pointer leads to the caller.
[[gnu::noinline]] void dynamic(path p, found_here& to) {
  auto* const local = static_cast<volatile char*>(alloca(64 + 64 * (p[0] % 2)));
  local[0] = 1;
  go(p, to);
  sink = local[0];
}
[[gnu::noinline]] void aligned(path p, found_here& to) {
  alignas(128) volatile char local[128];
  local[0] = 1;
  go(p, to);
  sink = local[0];
}
[[gnu::noinline]] void go(path p, found_here& to) {
  constexpr void (*wrappers[])(path, found_here&) = {plain, of_two_lines, dynamic, aligned};
  *p == 0 ? fork_here(to) : wrappers[*p - 1](p + 1, to);
  sink = sink + 1;
}

}  // namespace known_wrappers

namespace {

template <int Line>
[[gnu::noinline]] void program(known_wrappers::path p, found_here& to) {
  known_wrappers::go(p, to);
  sink = sink + Line;
}
/// A program's function with a frame of its own size, above which all frames are elsewhere.
[[gnu::noinline]] void below(std::size_t bytes, void (*call)(known_wrappers::path, found_here&), known_wrappers::path p,
                             found_here& to) {
  auto* const local = static_cast<volatile char*>(alloca(bytes));
  local[0] = 1;
  call(p, to);
  sink = sink + local[0];
}

/// The site's addresses must be those of libgcc's frames up to the program's first one.
bool agrees(const found_here& f) {
  addresses ours{address_of_site(f.where)};
  for (const std::uint64_t each : callers_of_site(f.where)) ours.push_back(each);
  addresses theirs;
  for (const std::uintptr_t each : f.frames) {
    theirs.push_back(each);
    if (owner_of(each - 1) == owner::program) break;
  }
  return ours == theirs;
}

void walk_at_random(unsigned seed) {
  constexpr void (*programs[])(known_wrappers::path, found_here&) = {program<1>, program<2>, program<3>};
  std::mt19937 random{seed};
  std::vector<std::array<std::uint8_t, 4>> paths(6);
  for (auto& p : paths) {
    for (std::size_t i = 0; i < 3; ++i) p[i] = static_cast<std::uint8_t>(i < random() % 4 ? random() % 4 + 1 : 0);
  }
  constexpr unsigned walks = 3'000;
  unsigned wrong = 0;
  for (unsigned i = 0; i < walks; ++i) {
    found_here f;
    below(16 + 16 * (random() % 4), programs[random() % 3], paths[random() % paths.size()].data(), f);
    wrong += !agrees(f);
  }
  CHECK(wrong == 0);
  unsigned walked = 0;
  for (const walk_set& each : *walks_of_thread) walked += each.newer;
  CHECK(walked < walks / 4 * 3);  // there are 72 ways to the fork, some of them twofold
}

TEST_CASE("sites have libgcc's frames, whichever walks a thread has made before") {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    std::thread{[seed] {
      CHECK(walks_of_thread == nullptr);
      walk_at_random(seed);
    }}.join();
  }
}

}  // namespace
