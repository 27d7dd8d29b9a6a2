// Draws the line of progress. A thread of its own draws the line, so that the work need not look at the clock.
#include "cli/progress.hpp"

#include "cli/palette.hpp"
#include "cli/print.hpp"
#include "cli/table.hpp"

#include <tine/detail/base/atomic.hpp>

#include <unistd.h>
#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace tine::cli {

class progress::line {
 public:
  line(std::string work, std::string steps, std::size_t of)
      : work_{std::move(work)}, steps_{std::move(steps)}, of_{of}, thread_{[this] { draw_until_ended(); }} {}

  ~line() {
    {
      const std::scoped_lock held{lock_};
      has_ended_ = true;
    }
    ended_.notify_one();
    thread_.join();
  }
  line(const line&) = delete;
  line& operator=(const line&) = delete;

  // Relaxed: the number is only shown, and says nothing of other memory.
  void done(std::size_t steps) noexcept { done_.store(steps, base::relaxed); }

 private:
  using clock = std::chrono::steady_clock;

  void draw_until_ended() {
    constexpr std::chrono::milliseconds quiet{500}, between{200};
    const clock::time_point began = clock::now();
    std::unique_lock held{lock_};
    const auto ends_within = [&](std::chrono::milliseconds time) {
      return ended_.wait_for(held, time, [&] { return has_ended_; });
    };
    if (ends_within(quiet)) return;
    do {
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(clock::now() - began).count();
      // One column less than the terminal has: a full line would move the cursor to the next one.
      print_error("\r" + shortened(text(seconds), columns(STDERR_FILENO) - 1) + "\x1b[K");
    } while (!ends_within(between));
    print_error("\r\x1b[K");
  }

  std::string text(long seconds) const {
    const std::size_t done = done_.load(base::relaxed);  // relaxed: see `done`
    std::string shown = work_;
    if (!steps_.empty())
      shown += of_ == 0 ? fmt::format(": {} {}", done, steps_) : fmt::format(": {} of {} {}", done, of_, steps_);
    return shown + fmt::format(", {} s", seconds);
  }

  const std::string work_, steps_;
  const std::size_t of_;
  base::atomic<std::size_t> done_{0};
  std::mutex lock_;
  std::condition_variable ended_;
  bool has_ended_ = false;
  std::thread thread_;  // the last member: the thread uses the others
};

progress::progress(std::string work, std::string steps, std::size_t of) {
  if (obeys_escapes(STDERR_FILENO)) line_ = std::make_unique<line>(std::move(work), std::move(steps), of);
}

progress::~progress() = default;

void progress::done(std::size_t steps) noexcept {
  if (line_) line_->done(steps);
}

}  // namespace tine::cli
