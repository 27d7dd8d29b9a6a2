// See turns.hpp.
#include "replay/turns.hpp"

#include "replay/patience.hpp"
#include "sched/pool_state.hpp"
#include "sched/scheduler_time.hpp"
#include "sched/worker.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <mutex>

namespace tine::detail {
namespace {

/// Reads a small file of the kernel about a thread of this process. Returns the number of bytes.
std::size_t read_about(pid_t thread, const char* what, char* into, std::size_t bytes) noexcept {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/self/task/%d/%s", static_cast<int>(thread), what);
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  const ssize_t n = ::read(fd, into, bytes - 1);
  ::close(fd);
  const std::size_t length = n > 0 ? static_cast<std::size_t>(n) : 0;
  into[length] = '\0';
  return length;
}

/// Returns true if the thread waits in the kernel for something other than the time.
bool is_blocked(pid_t thread) noexcept {
  char text[256];
  if (read_about(thread, "stat", text, sizeof text) == 0) return false;
  const char* const name_end = std::strrchr(text, ')');  // a name may have parentheses
  if (name_end == nullptr || name_end[1] == '\0' || name_end[2] != 'S') return false;
  const std::size_t n = read_about(thread, "syscall", text, sizeof text);
  long number = -1;
  std::from_chars(text, text + n, number);
  return number != SYS_nanosleep && number != SYS_clock_nanosleep;
}

}  // namespace

turns::turns(std::vector<rank> expected) : expected_{std::move(expected)}, is_over_(expected_.size()) {
  note_thread();
  begin_patience(*this);
}

turns::~turns() { end_patience(*this); }

void turns::note_thread() noexcept { thread_.store(::gettid(), base::relaxed); }  // relaxed: an estimate for `look`

const turns::entry* turns::next() const noexcept {
  const auto is_free = [&](const entry& e) {
    return e.occupies || std::ranges::none_of(ready_, [&](const entry& o) { return o.occupies && o.on == e.on; });
  };
  const entry* lowest = nullptr;
  for (const entry& e : ready_) {
    if ((lowest == nullptr || e.of < lowest->of) && is_free(e)) lowest = &e;
  }
  return lowest;
}

void turns::add(rank of, sched::submission& s, sched::worker& to, bool occupies) noexcept {
  const sched::scheduler_time here;
  const std::lock_guard guard{lock_};
  ++progress_;
  ready_.push_back({of, &s, &to, occupies});
  if (running_ == 0) give_next();
}

bool turns::keep(rank of) noexcept {
  const std::lock_guard guard{lock_};
  ++progress_;
  const entry* const other = next();
  if (other != nullptr && other->of < of) return false;
  pass(of);
  return true;
}

/// Marks the strand `of` as begun. Returns true if expected strands with lower ranks have not come; those are not
/// expected any more.
bool turns::pass(rank of) noexcept {
  const auto at = std::ranges::lower_bound(expected_, of);
  if (at == expected_.end() || *at != of) return false;
  const auto i = static_cast<std::size_t>(at - expected_.begin());
  is_over_[i] = true;
  bool are_missing = false;
  for (; next_expected_ < i; ++next_expected_) are_missing |= !is_over_[next_expected_];
  return are_missing;
}

void turns::skip(rank of) noexcept {
  const std::lock_guard guard{lock_};
  const auto at = std::ranges::lower_bound(expected_, of);
  if (at != expected_.end() && *at == of) is_over_[static_cast<std::size_t>(at - expected_.begin())] = true;
}

/// Gives the next ready strand the turn, if there is one. Returns the result of `pass`.
bool turns::give_next() noexcept {
  const entry* const found = next();
  if (found == nullptr) return false;
  const entry given = *found;
  ready_.erase(ready_.begin() + (found - ready_.data()));
  ++running_;
  ++progress_;
  thread_.store(0, base::relaxed);  // relaxed: an estimate. The strand has not begun: a busy machine may take its time
  const bool are_missing = pass(given.of);
  sched::submit(*given.what, given.on, *given.on);
  return are_missing;
}

void turns::begin_one() noexcept {
  const std::lock_guard guard{lock_};
  ++running_;
  ++progress_;
}

void turns::end_one() noexcept {
  const std::lock_guard guard{lock_};
  --running_;
  ++progress_;
}

bool turns::rest() noexcept {
  const sched::scheduler_time here;
  const std::lock_guard guard{lock_};
  ++progress_;
  return --running_ == 0 && give_next();
}

void turns::look() noexcept {
  constexpr int looks_blocked = 3, looks_running = 200;  // 30 ms, 2 s
  const std::lock_guard guard{lock_};
  if (progress_ != seen_ || ready_.empty()) {
    seen_ = progress_;
    looks_ = 0;
    return;
  }
  ++looks_;
  if (looks_ < looks_blocked || (looks_ < looks_running && !is_blocked(thread_.load(base::relaxed)))) return;
  impatient_.fetch_add(1, base::relaxed);
  give_next();
}

namespace {

class turn_wait final : public sched::placement_policy {
 public:
  turn_wait(turns& of, rank place) noexcept : of_{of}, place_{place}, on_{*sched::hot::self()} {}
  ~turn_wait() { wait_until_unpinned(); }
  turn_wait(const turn_wait&) = delete;
  turn_wait& operator=(const turn_wait&) = delete;

  bool may_resume_here(sched::join_counter&) noexcept override { return of_.keep(place_); }
  bool dispatch(sched::join_counter& r) noexcept override {
    r.back.is_bound = on_.pool.keeps_threads();
    of_.add(place_, r.back, on_, true);
    of_.rest();  // the caller has pinned this object
    return false;
  }
  void arrived_early() noexcept override {}

 private:
  turns& of_;
  const rank place_;
  sched::worker& on_;
};

}  // namespace

void wait_for_turn(turns& of, rank place) noexcept {
  turn_wait there{of, place};
  sched::join_counter{there, 1}.wait();
  of.note_thread();
}

}  // namespace tine::detail
