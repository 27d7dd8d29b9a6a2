// The token bucket on a clock of the test's own: the tokens that accrue, that may be spent, and that a task takes
// along.
#include "sched/token_bucket.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace {

using tine::promotion;
using tine::token_sharing;
using tine::base::ticks;
using tine::sched::promoted_by;
using tine::sched::token_bucket;

constexpr double per_us = 1000;  // ticks of the test's clock
constexpr ticks us = 1000;

/// Spends tokens until the bucket refuses. Returns the number of tokens spent.
int spend_all(token_bucket& b, promoted_by why) {
  int spent = 0;
  while (b.spend(why)) ++spent;
  return spent;
}

}  // namespace

TEST_CASE("on demand: half of the cap is there at the start, half may be borrowed by signals") {
  token_bucket b{promotion::on_demand(16, 30), per_us};
  CHECK(b.kind() == promotion::kind::on_demand);
  CHECK(b.tokens() == 15);
  CHECK(spend_all(b, promoted_by::poll) == 15);
  CHECK(spend_all(b, promoted_by::signal) == 15);
  CHECK(b.tokens() == -15);
  CHECK_FALSE(b.spend(promoted_by::poll));
}

TEST_CASE("on demand: one token a beat of run time, up to the cap") {
  token_bucket b{promotion::on_demand(16, 30), per_us};
  spend_all(b, promoted_by::poll);
  b.resume(1000 * us);
  b.accrue(1015 * us);
  CHECK(b.tokens() == 0);
  b.accrue(1016 * us);
  CHECK(b.tokens() == 1);
  b.accrue(1031 * us);
  CHECK(b.tokens() == 1);
  b.accrue(1064 * us);  // remainders are kept: 64 us are four beats
  CHECK(b.tokens() == 4);
  b.accrue(1'000'000 * us);
  CHECK(b.tokens() == 30);
}

TEST_CASE("time outside a run does not count") {
  token_bucket b{promotion::on_demand(16, 30), per_us};
  spend_all(b, promoted_by::poll);
  b.resume(0);
  b.pause(10 * us);
  b.resume(500 * us);
  b.accrue(505 * us);
  CHECK(b.tokens() == 0);
  b.accrue(506 * us);
  CHECK(b.tokens() == 1);
  b.pause(600 * us);
  CHECK(b.run_time() == 110 * us);
}

TEST_CASE("a clock that lags on another processor takes nothing away") {
  token_bucket b{promotion::on_demand(16, 30), per_us};
  b.resume(100 * us);
  b.accrue(99 * us);
  CHECK(b.run_time() == 0);
  b.accrue(116 * us);
  CHECK(b.run_time() == 16 * us);
  CHECK(b.tokens() == 16);
}

TEST_CASE("on demand: a token deficit is repaid before a fork can spend a token") {
  token_bucket b{promotion::on_demand(16, 30), per_us};
  spend_all(b, promoted_by::signal);
  CHECK(b.tokens() == -15);
  b.resume(0);
  b.accrue(15 * 16 * us);
  CHECK(b.tokens() == 0);
  CHECK_FALSE(b.spend(promoted_by::poll));
  b.accrue(16 * 16 * us);
  CHECK(b.spend(promoted_by::poll));
  CHECK_FALSE(b.spend(promoted_by::poll));
}

TEST_CASE("on demand: never more promotions than run time over beat plus the cap") {
  for (const int cap : {1, 2, 7, 30}) {
    CAPTURE(cap);
    token_bucket b{promotion::on_demand(16, cap), per_us};
    std::uint64_t random = 0x9e3779b97f4a7c15U + static_cast<unsigned>(cap);
    ticks now = 0;
    int spent = 0;
    b.resume(now);
    for (int step = 0; step < 4'000; ++step) {
      random = random * 6364136223846793005U + 1442695040888963407U;
      const auto dice = static_cast<unsigned>(random >> 33);
      now += dice % 997 * (dice % 13 == 0 ? 400 : 20);
      b.accrue(now);
      if (dice % 3 == 0) b.learn(dice % 5 != 0);
      while (b.spend(dice % 2 == 0 ? promoted_by::poll : promoted_by::signal)) {
        ++spent;
        if (dice % 7 == 0) break;
      }
      REQUIRE(static_cast<ticks>(spent) <= b.run_time() / (16 * us) + static_cast<ticks>(cap));
    }
    CHECK(spent > cap);
  }
}

TEST_CASE("on demand: the beat doubles up to 32 times for short tasks, and comes back") {
  token_bucket b{promotion::on_demand(16, 30), per_us};
  CHECK(b.beat() == 16 * us);
  CHECK(b.is_short_task(64 * us - 1));
  CHECK_FALSE(b.is_short_task(64 * us));
  for (const ticks beat : {32, 64, 128, 256, 512, 512}) {
    b.learn(true);
    CHECK(b.beat() == beat * us);
  }
  CHECK(b.tokens() <= 4);
  CHECK(b.is_short_task(64 * us - 1));  // is_short_task measures by the beat that the policy gave
  for (const ticks beat : {256, 128, 64, 32, 16, 16}) {
    b.learn(false);
    CHECK(b.beat() == beat * us);
  }
}

TEST_CASE("heartbeat: tokens come by the period only, without a cap, and are shared by half") {
  token_bucket b{promotion::heartbeat(500, 30), per_us};
  CHECK(b.tokens() == 0);
  CHECK_FALSE(b.spend(promoted_by::poll));
  CHECK_FALSE(b.spend(promoted_by::signal));
  b.resume(0);
  b.accrue(499 * us);
  CHECK(b.tokens() == 0);
  b.accrue(500 * us);
  CHECK(b.tokens() == 30);
  b.accrue(1500 * us);
  CHECK(b.tokens() == 90);
  CHECK(b.spend(promoted_by::signal));
  CHECK(b.share(token_sharing::half) == 44);
  CHECK(b.tokens() == 45);
  CHECK(b.hand_over() == 45);
  CHECK(b.tokens() == 0);
  CHECK(b.share(token_sharing::half) == 0);
  b.receive(44);
  b.receive(1);
  CHECK(b.tokens() == 45);
  b.learn(true);  // heartbeat does not distinguish short tasks
  CHECK(b.beat() == 500 * us);
}

TEST_CASE("heartbeat: a huge number of tokens does not overflow") {
  token_bucket b{promotion::heartbeat(0.01, 1'000'000), per_us};
  b.resume(0);
  for (int i = 1; i < 100; ++i) b.accrue(static_cast<ticks>(i) * 1'000'000'000 * us);
  const int most = b.tokens();
  CHECK(most > 1'000'000'000);
  b.receive(most);
  CHECK(b.tokens() == most);
  CHECK(b.spend(promoted_by::poll));
}

TEST_CASE("heartbeat: an unstolen child loses its tokens under half, and returns all of them under all") {
  token_bucket b{promotion::heartbeat(500, 30), per_us};
  b.resume(0);
  b.accrue(500 * us);
  REQUIRE(b.spend(promoted_by::poll));
  CHECK(b.share(token_sharing::none) == 0);
  const int half = b.share(token_sharing::half);
  CHECK(half == 14);
  CHECK(b.tokens() == 15);
  b.reclaim(token_sharing::half, half);
  CHECK(b.tokens() == 15);
  const int all = b.share(token_sharing::all);
  CHECK(all == 15);
  CHECK(b.tokens() == 0);
  b.reclaim(token_sharing::all, all);
  CHECK(b.tokens() == 15);
}

// Spork §4.3: a program of work W has at most W * C / N promotions, whatever is shared, stolen, joined and reclaimed.
TEST_CASE("heartbeat: never more promotions than tokens per period times the periods worked") {
  constexpr ticks period = 500 * us;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random{seed};
    struct flow {
      token_bucket bucket{promotion::heartbeat(500, 30), per_us};
      ticks clock = 0;
      int begun_with = 0;
      token_sharing how = token_sharing::half;
    };
    std::vector<flow> flows(1);  // each flow is the child of the one before it
    std::uint64_t promotions = 0;
    ticks work = 0;
    for (int step = 0; step < 2000; ++step) {
      flow& f = flows.back();
      const ticks span = random() % (2 * period);
      f.bucket.resume(f.clock);
      f.clock += span;
      work += span;
      f.bucket.accrue(f.clock);
      if (random() % 2 == 0 && flows.size() < 20 && f.bucket.spend(promoted_by::poll)) {
        ++promotions;
        flow child;
        child.how = static_cast<token_sharing>(random() % 3);
        child.begun_with = f.bucket.share(child.how);
        child.bucket.receive(child.begun_with);
        flows.push_back(child);
      } else if (flows.size() > 1) {
        flow child = flows.back();
        flows.pop_back();
        if (random() % 2 == 0) {
          flows.back().bucket.receive(child.bucket.hand_over());
        } else {
          flows.back().bucket.reclaim(child.how, child.begun_with);  // the child's work counts as the parent's
        }
      }
    }
    CHECK(promotions <= work * 30 / period);
    CHECK(promotions > 0);
  }
}

TEST_CASE("on demand and eager share no tokens") {
  for (const auto policy : {promotion::on_demand(), promotion::eager()}) {
    token_bucket b{policy, per_us};
    const int before = b.tokens();
    CHECK(b.share(token_sharing::half) == 0);
    CHECK(b.hand_over() == 0);
    b.receive(100);
    CHECK(b.tokens() == before);
  }
}

TEST_CASE("eager always pays") {
  token_bucket b{promotion::eager(), per_us};
  b.resume(0);
  for (int i = 0; i < 1000; ++i) {
    b.accrue(static_cast<ticks>(i));
    REQUIRE(b.spend(i % 2 == 0 ? promoted_by::poll : promoted_by::signal));
  }
  b.pause(5000);
  CHECK(b.run_time() == 5000);
}
