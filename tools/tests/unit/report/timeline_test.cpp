// Timelines: small ones by hand, and random events, whose states are computed anew for each interval from all events
// before it.
#include "report/timeline.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace {

using namespace tine::report;
using kind = tine::trace::timeline_event::kind;
using tine::trace::nothing;
using tine::trace::profile;
using tine::trace::timeline_event;

profile of_workers(std::uint32_t workers, std::uint64_t end) {
  profile p;
  p.timeline = {{.begin = 0, .end = end}};
  for (std::uint32_t w = 0; w < workers; ++w) p.timeline_workers.push_back({.worker = w});
  return p;
}

/// Sorts by `key`; equal events keep their order.
template <class Key>
void sort(std::vector<timeline_event>& events, Key key) {
  std::vector<std::pair<decltype(key(events[0])), std::size_t>> order;
  for (std::size_t i = 0; i < events.size(); ++i) order.emplace_back(key(events[i]), i);
  std::ranges::sort(order);
  std::vector<timeline_event> sorted;
  for (const auto& [k, i] : order) sorted.push_back(events[i]);
  events = std::move(sorted);
}

/// Adds an event. Events of one worker must stand together, in the order of time; `sort` takes care of that.
void add(profile& p, std::uint32_t worker, std::uint64_t time, kind is, std::uint64_t subject = 0,
         std::uint32_t other = 0) {
  p.timeline_events.push_back({worker, is, time, other, subject});
}
void sort(profile& p) {
  sort(p.timeline_events, [](const timeline_event& e) { return std::pair{e.worker, e.time}; });
}

worker_state state_at(const timeline& t, std::uint32_t worker, std::uint64_t time) {
  for (const period& each : t.periods) {
    if (each.worker == worker && each.begin <= time && time < each.end) return each.is;
  }
  FAIL("no state at ", time);
  return worker_state::outside;
}

void check_partition(const profile& p, const timeline& t) {
  for (std::uint32_t w = 0; w < p.timeline_workers.size(); ++w) {
    std::uint64_t at = t.begin, sum = 0;
    for (const period& each : t.periods) {
      if (each.worker != w) continue;
      CHECK(each.begin == at);
      CHECK(each.begin < each.end);
      at = each.end;
    }
    CHECK(at == t.end);
    for (const std::uint64_t time : t.times[w]) sum += time;
    CHECK(sum == t.end - t.begin);
  }
}

TEST_CASE("a flow is a stolen task, and a shortage is work that waits while a worker is idle") {
  profile p = of_workers(2, 1000);
  add(p, 0, 0, kind::arrives);
  add(p, 0, 10, kind::begins, 0x10);
  add(p, 0, 10, kind::runs);
  add(p, 1, 0, kind::arrives);
  add(p, 1, 100, kind::sees_work);
  add(p, 1, 150, kind::sees_none);
  add(p, 1, 200, kind::sleeps);
  add(p, 0, 300, kind::promotes, 64);
  add(p, 1, 310, kind::wakes);
  add(p, 1, 320, kind::steals, 64, 0);
  add(p, 1, 321, kind::runs);
  add(p, 0, 400, kind::suspends, 4096);
  add(p, 0, 400, kind::rests);
  add(p, 1, 450, kind::lacks_token);
  add(p, 1, 500, kind::serves_again);
  add(p, 1, 600, kind::rests);
  add(p, 0, 610, kind::resumes, 4096, 0);
  add(p, 0, 610, kind::runs);
  add(p, 0, 900, kind::rests);
  add(p, 0, 950, kind::leaves);
  sort(p);
  const timeline t = timeline_of(p);
  check_partition(p, t);
  REQUIRE(t.flows.size() == 1);
  CHECK(t.flows[0].from == 0);
  CHECK(t.flows[0].to == 1);
  CHECK(t.flows[0].promoted == 300);
  CHECK(t.flows[0].stolen == 320);
  // of equal length, the earlier one first; the longest are those of 50: in sight, and without a token
  REQUIRE(t.shortages.size() == 3);
  CHECK(t.shortages[0].begin == 100);
  CHECK(t.shortages[0].owner == 0);
  CHECK(t.sites[t.shortages[0].site] == 0x10);
  CHECK(t.shortages[1].begin == 450);
  CHECK(t.shortages[1].is_for_tokens);
  CHECK(t.shortages[1].owner == 1);
  CHECK(t.shortages[2].begin == 300);
  CHECK(t.shortages[2].end == 320);
}

TEST_CASE("a strand keeps its site when it waits and continues on another worker") {
  profile p = of_workers(2, 100);
  add(p, 0, 0, kind::arrives);
  add(p, 0, 10, kind::begins, 0x50);
  add(p, 0, 10, kind::runs);
  add(p, 0, 20, kind::suspends, 4096);
  add(p, 0, 20, kind::rests);
  add(p, 0, 21, kind::begins, 0x60);
  add(p, 0, 21, kind::runs);
  add(p, 1, 0, kind::arrives);
  add(p, 1, 40, kind::resumes, 4096, 0);
  add(p, 1, 40, kind::runs);
  sort(p);
  const timeline t = timeline_of(p);
  const auto site_at = [&](std::uint32_t worker, std::uint64_t time) {
    const auto at = std::ranges::find_if(
        t.periods, [&](const period& each) { return each.worker == worker && each.begin <= time && time < each.end; });
    return t.sites.at(at->site);
  };
  CHECK(site_at(0, 15) == 0x50);
  CHECK(site_at(0, 30) == 0x60);
  CHECK(site_at(1, 50) == 0x50);
}

TEST_CASE("time in the kernel is taken off the end of what runs, and not off gaps") {
  profile p = of_workers(1, 1000);
  add(p, 0, 0, kind::arrives);
  add(p, 0, 100, kind::runs);
  add(p, 0, 300, kind::loses, 50);
  add(p, 0, 400, kind::rests);
  add(p, 0, 500, kind::runs);
  add(p, 0, 520, kind::loses, 90);  // of which 70 were before the worker ran
  const timeline t = timeline_of(p);
  check_partition(p, t);
  CHECK(state_at(t, 0, 260) == worker_state::interrupted);
  CHECK(state_at(t, 0, 310) == worker_state::running);
  CHECK(t.time_of(worker_state::interrupted) == 50 + 20);
  CHECK(t.time_of(worker_state::no_work) == 100 + 100);
}

TEST_CASE(
    "a timeline that begins late knows what its workers do from the last events before, or the first ones after") {
  profile p = of_workers(4, 1000);
  p.timeline[0].begin = 500;
  add(p, 0, 10, kind::begins, 0x70);
  add(p, 0, 20, kind::runs);
  add(p, 1, 600, kind::wakes);
  add(p, 2, 600, kind::rests);
  const timeline t = timeline_of(p);
  check_partition(p, t);
  CHECK(state_at(t, 0, 550) == worker_state::running);
  CHECK(t.sites.at(t.periods[0].site) == 0x70);
  CHECK(state_at(t, 1, 550) == worker_state::no_work);
  CHECK(state_at(t, 2, 550) == worker_state::running);
  CHECK(state_at(t, 3, 550) == worker_state::outside);  // nothing is known of it
}

TEST_CASE("pools do not give each other reasons") {
  profile p = of_workers(2, 100);
  p.timeline_workers[1] = {.worker = 0, .pool = 1};
  add(p, 0, 0, kind::arrives);
  add(p, 0, 0, kind::runs);
  add(p, 0, 50, kind::promotes, 64);
  add(p, 1, 0, kind::arrives);
  const timeline t = timeline_of(p);
  CHECK(state_at(t, 1, 70) == worker_state::no_work);
  CHECK(name_of_worker(p, 1) == "worker 0 of pool 1");
}

TEST_CASE("the page shows short neighbours as one") {
  profile p = of_workers(1, 1'000'000);
  add(p, 0, 0, kind::arrives);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    add(p, 0, 1000 + 20 * i, kind::runs);
    add(p, 0, 1010 + 20 * i, kind::rests);
  }
  add(p, 0, 500'000, kind::runs);
  const timeline t = timeline_of(p);
  CHECK(shown_periods(t, 10'000).size() == t.periods.size());
  const auto few = shown_periods(t, 100);
  REQUIRE(few.size() == 4);  // before, the short ones, the gap, and the last run
  CHECK(few[1].is == shown_period::kind::mixed);
  CHECK(few[3].is == shown_period::kind::running);
  CHECK(few.front().begin == 0);
  CHECK(few.back().end == 1'000'000);
}

// --- random events, and an oracle ---------------------------------------------------------------------------------

/// Returns the state of a worker at `time` from all events up to then, without anything that is kept from one event to
/// the next.
worker_state naive_state(const profile& p, std::uint32_t worker, std::uint64_t time) {
  const auto last = [&](std::uint32_t w, std::set<kind> of) {
    const timeline_event* found = nullptr;
    for (const timeline_event& e : p.timeline_events) {
      if (e.worker == w && e.time <= time && of.contains(e.is)) found = &e;
    }
    return found;
  };
  const std::set<kind> activity{kind::arrives, kind::leaves, kind::runs, kind::rests, kind::sleeps, kind::wakes};
  const auto is_last = [&](std::uint32_t w, std::set<kind> among, kind wanted) {
    std::set<kind> all = activity;
    all.merge(among);
    const timeline_event* const e = last(w, all);
    return e != nullptr && e->is == wanted;
  };
  const timeline_event* const now = last(worker, activity);
  if (now == nullptr || now->is == kind::leaves) return worker_state::outside;
  if (now->is == kind::runs) return worker_state::running;
  bool token = false, sight = false;
  for (std::uint32_t w = 0; w < p.timeline_workers.size(); ++w) {
    token = token || is_last(w, {kind::lacks_token, kind::serves_again}, kind::lacks_token);
    sight = sight || is_last(w, {kind::sees_work, kind::sees_none}, kind::sees_work);
  }
  if (token) return worker_state::no_token;
  std::multiset<std::uint64_t> queued;
  std::set<std::uint64_t> waiting;
  std::vector<timeline_event> all = p.timeline_events;
  sort(all, [](const timeline_event& e) { return e.time; });
  for (const timeline_event& e : all) {
    if (e.time > time) break;
    if (e.is == kind::promotes) queued.insert(e.subject);
    if (e.is == kind::steals || e.is == kind::reclaims) queued.erase(queued.find(e.subject));
    if (e.is == kind::suspends && e.worker == worker) waiting.insert(e.subject);
    if (e.is == kind::resumes) waiting.erase(e.subject);
  }
  if (sight || !queued.empty()) return worker_state::getting_work;
  return waiting.empty() ? worker_state::no_work : worker_state::waiting;
}

/// Makes events that a pool could have: each worker runs, waits, sleeps, steals.
profile random_events(std::mt19937& random, std::uint32_t workers) {
  profile p = of_workers(workers, 0);
  std::vector<kind> does(workers, kind::leaves);
  std::vector<std::uint64_t> tasks, fibers;
  std::uint64_t time = 0, next = 64;
  const auto one_in = [&](unsigned n) { return random() % n == 0; };
  const auto taken = [&](std::vector<std::uint64_t>& from) {
    const std::size_t i = random() % from.size();
    const std::uint64_t subject = from[i];
    from.erase(from.begin() + static_cast<std::ptrdiff_t>(i));
    return subject;
  };
  for (int steps = 0; steps < 300; ++steps) {
    time += 1 + random() % 50;
    const auto w = static_cast<std::uint32_t>(random() % workers);
    const auto now = [&](kind is, std::uint64_t subject = 0) { add(p, w, time, is, subject); };
    const auto becomes = [&](kind is) {
      now(is);
      does[w] = is;
    };
    if (does[w] == kind::leaves) {
      becomes(kind::arrives);
    } else if (does[w] == kind::sleeps) {
      becomes(kind::wakes);
    } else if (does[w] == kind::runs) {
      if (one_in(4)) {
        becomes(kind::rests);
      } else if (one_in(3)) {
        now(kind::promotes, next);
        tasks.push_back(std::exchange(next, next + 64));
      } else if (one_in(4)) {
        now(one_in(2) ? kind::lacks_token : kind::serves_again);
      } else if (one_in(3)) {
        now(kind::suspends, next);
        fibers.push_back(std::exchange(next, next + 64));
        becomes(kind::rests);
      } else if (!tasks.empty()) {
        now(kind::reclaims, taken(tasks));
      }
    } else if (one_in(5)) {
      becomes(one_in(3) ? kind::leaves : kind::sleeps);
    } else if (one_in(4)) {
      now(one_in(2) ? kind::sees_work : kind::sees_none);
    } else if (!fibers.empty() && one_in(2)) {
      now(kind::resumes, taken(fibers));
      becomes(kind::runs);
    } else {
      if (!tasks.empty()) now(kind::steals, taken(tasks));
      becomes(kind::runs);
    }
  }
  p.timeline[0].end = time + 10;
  sort(p);
  return p;
}

TEST_CASE("random events: each worker is in the state that an oracle computes, at each moment") {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random{seed};
    const auto workers = static_cast<std::uint32_t>(1 + random() % 6);
    const profile p = random_events(random, workers);
    const timeline t = timeline_of(p);
    INFO("seed ", seed);
    check_partition(p, t);
    for (const timeline_event& e : p.timeline_events) {
      for (std::uint32_t w = 0; w < workers; ++w) REQUIRE(state_at(t, w, e.time) == naive_state(p, w, e.time));
    }
    // the sum of the shortages is the time in which a worker was getting work or lacked a token
    std::uint64_t longest = 0, sum = 0;
    for (const shortage& s : t.shortages) {
      longest = longest == 0 ? s.end - s.begin : longest;
      CHECK(s.end - s.begin <= longest);
      sum += s.end - s.begin;
    }
    std::set<std::uint64_t> ends{0, t.end};
    for (const period& each : t.periods) ends.insert(each.begin);
    std::uint64_t expected = 0;
    for (auto at = ends.begin(); std::next(at) != ends.end(); ++at) {
      bool is_short = false;
      for (std::uint32_t w = 0; w < workers; ++w) {
        const worker_state s = state_at(t, w, *at);
        is_short = is_short || s == worker_state::getting_work || s == worker_state::no_token;
      }
      expected += is_short ? *std::next(at) - *at : 0;
    }
    CHECK(sum == expected);
  }
}

}  // namespace
