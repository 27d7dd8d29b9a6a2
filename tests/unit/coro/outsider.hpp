// A thread outside every pool, at which tasks wait.
#pragma once

#include <tine/coro.hpp>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace tine::test {

/// Resumes the tasks that it receives, after a short sleep.
class outsider {
 public:
  struct later {
    outsider& by;
    int gives;
    bool await_ready() const noexcept { return false; }
    void await_suspend(resumption r) const noexcept { by.keep(r); }
    int await_resume() const noexcept { return gives; }
  };
  later give(int n) { return {*this, n}; }

 private:
  void keep(resumption r) noexcept {
    const std::lock_guard guard{lock_};
    kept_.push_back(r);
    filled_.notify_one();
  }
  void work(const std::stop_token& stop) {
    std::unique_lock guard{lock_};
    while (filled_.wait(guard, stop, [this] { return !kept_.empty(); })) {
      const resumption r = kept_.front();
      kept_.pop_front();
      guard.unlock();
      std::this_thread::sleep_for(std::chrono::microseconds{20});
      r.resume();
      guard.lock();
    }
  }

  std::mutex lock_;
  std::condition_variable_any filled_;
  std::deque<resumption> kept_;
  std::jthread thread_{[this](const std::stop_token& stop) { work(stop); }};
};

}  // namespace tine::test
