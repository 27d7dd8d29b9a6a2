// Tests of the ring of a worker's events.
#include "sched/event_ring.hpp"

#include <doctest/doctest.h>

#include <pthread.h>
#include <sys/time.h>
#include <algorithm>
#include <csignal>
#include <thread>
#include <vector>

namespace {

using namespace tine::sched;

struct seen {
  std::vector<ring_event> events;
  std::uint64_t lost;
};

seen read(const event_ring& ring) {
  seen s{};
  s.lost = ring.read([&](const ring_event& e) { s.events.push_back(e); });
  return s;
}

TEST_CASE("a ring keeps the newest events, in their order, and counts the others") {
  event_ring ring{8};
  CHECK(read(ring).events.empty());
  for (std::uintptr_t i = 0; i < 5; ++i) ring.add(event_kind::steals, i, 7);
  CHECK(read(ring).events.size() == 5);
  CHECK(read(ring).lost == 0);
  for (std::uintptr_t i = 5; i < 21; ++i) ring.add(event_kind::promotes, i, 0xffff);
  const seen s = read(ring);
  REQUIRE(s.events.size() == 8);
  CHECK(s.lost == 13);
  for (std::size_t i = 0; i < 8; ++i) {
    CHECK(s.events[i].subject == 13 + i);
    CHECK(s.events[i].is == event_kind::promotes);
    CHECK(s.events[i].other == 0xffff);
    CHECK((i == 0 || s.events[i - 1].time <= s.events[i].time));
  }
  ring.clear();
  CHECK(read(ring).events.empty());
  CHECK(read(ring).lost == 0);
  ring.add(event_kind::sleeps);
  CHECK(read(ring).events.size() == 1);
}

TEST_CASE("a lack of a token is added once, and its end only after it") {
  event_ring ring{16};
  using enum event_kind;
  for (const event_kind is : {serves_again, lacks_token, lacks_token, serves_again, serves_again, lacks_token, promotes,
                              lacks_token, rests, serves_again})
    ring.add(is);
  std::vector<event_kind> kept;
  for (const ring_event& e : read(ring).events) kept.push_back(e.is);
  CHECK(kept == std::vector{lacks_token, serves_again, lacks_token, promotes, lacks_token, rests});
}

TEST_CASE("a reader sees only events that were added, whatever it overtakes") {
  event_ring ring{64};
  constexpr std::uintptr_t all = 300'000;
  std::thread writer{[&] {
    for (std::uintptr_t i = 1; i <= all; ++i)
      ring.add(i % 2 == 0 ? event_kind::runs : event_kind::rests, i, i & 0xffff);
  }};
  std::uintptr_t last = 0;
  while (last < all) {
    const seen s = read(ring);
    std::uintptr_t before = 0;
    for (const ring_event& e : s.events) {
      REQUIRE(e.subject > before);
      REQUIRE(e.other == (e.subject & 0xffff));
      REQUIRE(e.is == (e.subject % 2 == 0 ? event_kind::runs : event_kind::rests));
      before = e.subject;
    }
    REQUIRE(s.events.size() <= 64);
    last = std::max(last, before);  // less than `last` if the writer overwrote all newer events while they were read
  }
  writer.join();
  const seen s = read(ring);
  REQUIRE(s.events.size() == 64);
  CHECK(s.events.front().subject == all - 63);
  CHECK(s.lost == all - 64);
}

event_ring* of_handler = nullptr;
std::uintptr_t handled = 0;

TEST_CASE("a signal handler adds events in the middle of `add`, and none is lost") {
  event_ring ring{1 << 20};
  of_handler = &ring;
  handled = 0;
  struct sigaction action{}, before{};
  action.sa_handler = [](int) { of_handler->add(event_kind::interrupted, ++handled); };
  sigaction(SIGVTALRM, &action, &before);
  const itimerval often{{0, 100}, {0, 100}}, never{};
  setitimer(ITIMER_VIRTUAL, &often, nullptr);
  for (std::uintptr_t i = 0; i < 500'000; ++i) ring.add(event_kind::runs, i);
  setitimer(ITIMER_VIRTUAL, &never, nullptr);
  sigaction(SIGVTALRM, &before, nullptr);
  const seen s = read(ring);
  CHECK(s.lost == 0);
  std::uintptr_t own = 0, of_signals = 0;
  for (const ring_event& e : s.events) {
    if (e.is == event_kind::runs) {
      REQUIRE(e.subject == own++);
    } else {
      REQUIRE(e.subject == ++of_signals);
    }
  }
  CHECK(own == 500'000);
  CHECK(of_signals == handled);
}

}  // namespace
