// Regions over coroutines: k forks before a join are right-nested, and the strand that passes the join folds them.
#include "unit/augment/tally.hpp"

#include <tine/tine.hpp>

#include <doctest/doctest.h>

namespace {

using namespace tine::test;
using tine::augment;
using tine::task;

void spend(long units) { tine::test::spend<tally>(units); }

/// Runs `body` with one worker and several, with few promotions and many.
template <class Body>
void with_pools(Body body) {
  for (const unsigned workers : {1U, 2U, 8U}) {
    for (const auto policy : {tine::promotion::on_demand(), tine::promotion::eager()}) {
      tine::pool p{{.workers = workers, .promote = policy}};
      for (int i = 0; i < 20; ++i) p.run(body);
    }
  }
}

task<> leaf(long units) {
  spend(units);
  co_return;
}

task<> three_forks() {
  spend(1);
  co_await tine::fork(leaf, 10);
  spend(2);
  co_await tine::fork(leaf, 20);
  spend(3);
  co_await tine::fork(leaf, 100);
  spend(4);
  co_await tine::join;
  spend(5);
}

TEST_CASE("three forks before a join are right-nested") {
  with_pools([] {
    const tally v = augment<tally>([] { tine::run(three_forks); });
    CHECK(v == tally{145, 1 + 2 + 3 + 100 + 5, 3});
  });
}

/// A vertex that notes the site of the last fork.
struct place {
  tine::sched::site where = 0;
  void fork(place&, place&, tine::sched::site at) noexcept { where = at; }
};

TEST_CASE("a coroutine's forks are distinguished from others") {
  with_pools([] {
    const place of_task = augment<place>([] { tine::run(three_forks); });
    CHECK((of_task.where & tine::sched::of_coroutine) != 0);
    const place of_call = augment<place>([] { tine::par([] {}, [] {}); });
    CHECK(of_call.where != 0);
    CHECK((of_call.where & tine::sched::of_coroutine) == 0);
  });
}

task<> moves(tine::worker_ref to) {
  spend(1);
  co_await tine::fork(leaf, 10);
  co_await tine::resume_on(to);
  spend(2);
  co_await tine::join;
  spend(4);
}

task<tine::worker_ref> who() { co_return tine::this_worker(); }

TEST_CASE("a task that moves to another worker keeps its vertex") {
  with_pools([] {
    const auto here = tine::run(who);
    const tally v =
        augment<tally>([&] { tine::par([&] { tine::run(moves, here); }, [&] { tine::run(moves, here); }); });
    CHECK(v == tally{34, 15, 3});
  });
}

}  // namespace
