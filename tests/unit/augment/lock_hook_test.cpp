// The lock hook: a process of its own with the preloaded library, whose listener writes what it hears. The test starts
// itself once more, because a library is preloaded when a process begins.
#include "augment/lock_event.hpp"

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/object_at.hpp>

#include <pthread.h>
#include <doctest/doctest.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>

using tine::detail::lock_action;
using tine::detail::lock_event;
using tine::detail::lock_listener;

namespace {

const void* of_interest = nullptr;
pthread_t here;
std::string heard;

/// Notes the events of this thread for one lock: a letter for each, and an s behind those of a lock that is shared.
void note(const lock_event& e) noexcept {
  if (e.lock != of_interest || pthread_equal(here, pthread_self()) == 0) return;
  heard += "wtnyrcWd"[static_cast<std::size_t>(e.action)];
  if (e.is_shared) heard += 's';
}

bool listen() {
  const char* const text = std::getenv("TINE_LOCKS_LISTENER");
  if (text == nullptr) return false;
  const auto address = std::strtoull(std::strchr(text, ':') + 1, nullptr, 16);
  tine::base::from_word<tine::base::atomic<lock_listener>>(address)->store(&note, tine::base::relaxed);
  return true;
}

template <class F>
std::string during(const void* lock, F f) {
  of_interest = lock;
  here = pthread_self();
  heard.clear();
  f();
  of_interest = nullptr;
  return heard;
}

}  // namespace

TEST_CASE("lock_hook_child" * doctest::skip()) {
  REQUIRE(listen());
  std::mutex m;
  CHECK(during(&m, [&] { m.lock(), m.unlock(); }) == "tr");
  CHECK(during(&m, [&] {
          CHECK(m.try_lock());
          m.unlock();
        }) == "yr");
  std::recursive_mutex again;
  CHECK(during(&again, [&] { again.lock(), again.lock(), again.unlock(), again.unlock(); }) == "ttrr");
  std::shared_mutex both;
  CHECK(during(&both, [&] { both.lock_shared(), both.unlock_shared(); }) == "tsr");
  CHECK(during(&both, [&] { both.lock(), both.unlock(); }) == "tr");
  std::timed_mutex timed;
  CHECK(during(&timed, [&] {
          CHECK(timed.try_lock_for(std::chrono::seconds{60}));
          timed.unlock();
        }) == "tr");
  timed.lock();
  CHECK(during(&timed, [&] {
          std::thread{[&] {
            here = pthread_self();
            CHECK_FALSE(timed.try_lock_for(std::chrono::milliseconds{1}));
          }}.join();
        }) == "wn");
  timed.unlock();
  std::condition_variable c;
  CHECK(during(&m, [&] {
          std::unique_lock held{m};
          c.wait_for(held, std::chrono::milliseconds{1});
        }) == "tcWr");
  pthread_spinlock_t spin;
  pthread_spin_init(&spin, 0);
  CHECK(during(const_cast<const int*>(&spin), [&] { pthread_spin_lock(&spin), pthread_spin_unlock(&spin); }) == "tr");
}

#ifdef TINE_LOCK_HOOK
TEST_CASE("the lock hook reports mutexes, shared locks, spin locks and conditions in their order") {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string child = "LD_PRELOAD=" TINE_LOCK_HOOK " '" + self + "' --no-skip --test-case=lock_hook_child";
  CHECK(std::system(child.c_str()) == 0);
}
#endif
