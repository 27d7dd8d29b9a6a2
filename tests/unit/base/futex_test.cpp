// A thread sleeps on a word, and another thread wakes it.
#include "base/futex.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <cstdint>
#include <thread>

namespace {

using tine::base::atomic;

}  // namespace

TEST_CASE("a wait for another value than expected returns at once, one with a limit by itself") {
  atomic<std::uint32_t> word{1};
  tine::base::futex_wait(word, 0, 0);
  tine::base::futex_wait(word, 1, 1000);
  CHECK(word.load(tine::base::seq_cst) == 1);
}

TEST_CASE("a waker ends a wait") {
  for (int i = 0; i < 200; ++i) {
    atomic<std::uint32_t> word{0};
    std::thread sleeper{[&] {
      while (word.load(tine::base::seq_cst) == 0) tine::base::futex_wait(word, 0, 0);
    }};
    if (i % 2 == 0) std::this_thread::yield();
    word.store(1, tine::base::seq_cst);
    tine::base::futex_wake(word);
    sleeper.join();
  }
}

TEST_CASE("waking without sleepers does nothing, and errno does not change") {
  atomic<std::uint32_t> word{0};
  errno = EDOM;
  tine::base::futex_wake(word);
  CHECK(errno == EDOM);
}

TEST_CASE("the barrier over all threads is there on every Linux since 4.14") {
  CHECK(tine::base::enable_barrier_everywhere());
  tine::base::barrier_everywhere();
}
