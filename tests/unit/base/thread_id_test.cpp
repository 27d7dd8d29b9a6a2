// The number of a thread, which is asked of the kernel once.
#include "base/thread_id.hpp"
#include "unit/run_child.hpp"

#include <unistd.h>
#include <doctest/doctest.h>

#include <thread>

TEST_CASE("each thread has its number, and the thread of a child of fork another one") {
  CHECK(tine::base::thread_id() == gettid());
  CHECK(tine::base::thread_id() == gettid());
  std::thread{[] { CHECK(tine::base::thread_id() == gettid()); }}.join();
  CHECK(tine::test::holds_in_child([] { return tine::base::thread_id() == gettid(); }));
}
