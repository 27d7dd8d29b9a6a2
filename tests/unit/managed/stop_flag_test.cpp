// stop_flag: what it stops, how its regions end, and task groups with a flag.
#include <tine/stop.hpp>
#include <tine/tine.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>

namespace {

using tine::pool;
using tine::stop_flag;

/// Forks until the strand is to stop.
[[noreturn]] void fork_for_ever() {
  for (;;) tine::par([] {}, [] {});
}

}  // namespace

TEST_CASE("a flag stops the forks and loops that run under it") {
  for (const unsigned workers : {1U, 2U, 8U}) {
    CAPTURE(workers);
    pool p{{.workers = workers}};
    stop_flag flag;
    std::atomic<int> ran{0};
    CHECK(p.run([&] { return flag.run([&] { ++ran; }); }));
    CHECK(!flag.stop_requested());
    p.run([&] {
      CHECK(!flag.run([&] {
        tine::par_for(0, 1'000'000, [&](int) {
          if (++ran == 100) CHECK(flag.request_stop());
        });
      }));
    });
    CHECK((ran >= 100 && ran < 1'000'000));
    CHECK((flag.stop_requested() && flag.is_stopping() && !flag.request_stop()));
    // a flag that is set starts nothing, until it is reset
    CHECK(!p.run([&] { return flag.run([&] { ran = 0; }); }));
    CHECK(ran != 0);
    flag.reset();
    CHECK(p.run([&] { return flag.run([&] { ran = 0; }); }));
    CHECK(ran == 0);
    // another thread may set it
    std::thread other{[&] { flag.request_stop(); }};
    CHECK(!p.run([&] { return flag.run(fork_for_ever); }));
    other.join();
  }
}

TEST_CASE("a region inside of a flag's ends without an exception, unless something else stops it") {
  pool p{{.workers = 2}};
  p.run([] {
    stop_flag outer, inner;
    int after = 0;
    CHECK(!outer.run([&] {
      CHECK(!inner.run([&] {
        outer.request_stop();
        CHECK(inner.is_stopping());
        fork_for_ever();
      }));
      CHECK(!inner.stop_requested());
      ++after;
      CHECK(!inner.run([&] { ++after; }));
      tine::unstoppable([&] { CHECK(inner.run([&] { tine::par([&] { ++after; }, [] {}); })); });
      fork_for_ever();
    }));
    CHECK(after == 2);
    stop_flag flag;
    std::stop_source source;
    CHECK_THROWS_AS(tine::run_stoppable(source.get_token(),
                                        [&] {
                                          static_cast<void>(flag.run([&] {
                                            source.request_stop();
                                            fork_for_ever();
                                          }));
                                        }),
                    tine::stopped);
    CHECK_THROWS_AS(static_cast<void>(flag.run([] { throw 3; })), int);
    CHECK(!flag.is_stopping());
  });
}

TEST_CASE("a flag stops the tasks of a group, and so does what is around its first task") {
  for (const unsigned workers : {1U, 2U, 8U}) {
    CAPTURE(workers);
    pool p{{.workers = workers}};
    p.run([] {
      stop_flag flag, outer;
      tine::task_group g{flag};
      const auto run_until_stop = [&](stop_flag& by) {
        return flag.run([&] {
          for (int i = 0; i < 4; ++i) g.run(fork_for_ever);
          CHECK(!g.is_empty());
          by.request_stop();
          g.wait();
        });
      };
      const auto run_one = [&] {
        int ran = 0;
        CHECK(flag.run([&] {
          g.run([&] { tine::par([&] { ++ran; }, [] {}); });
          g.wait();
        }));
        CHECK(ran == 1);
      };
      CHECK(!run_until_stop(flag));
      CHECK(g.is_empty());
      flag.reset();
      run_one();
      // The region around the first task of a round stops it. In later rounds it is no matter.
      CHECK(!outer.run([&] {
        CHECK(!run_until_stop(outer));
        fork_for_ever();
      }));
      run_one();
    });
  }
}
