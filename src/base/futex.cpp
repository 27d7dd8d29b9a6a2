// System calls that the C library doesn't have a function for. Any thread may make them.
#include "base/futex.hpp"

#include "base/thread_errno.hpp"

#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <ctime>

namespace tine::base {

static_assert(sizeof(atomic<std::uint32_t>) == sizeof(std::uint32_t), "the kernel reads the word itself");

void futex_wait(atomic<std::uint32_t>& word, std::uint32_t expected, std::uint32_t at_most_us) noexcept {
  const kept_errno as_it_was;
  timespec limit{};
  limit.tv_sec = at_most_us / 1'000'000;
  limit.tv_nsec = static_cast<long>(at_most_us % 1'000'000) * 1000;
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, expected, at_most_us == 0 ? nullptr : &limit, nullptr, 0);
}

bool futex_wait_until(atomic<std::uint32_t>& word, std::uint32_t expected, std::int64_t moment) noexcept {
  timespec end{};
  end.tv_sec = moment / 1'000'000'000;
  end.tv_nsec = static_cast<long>(moment % 1'000'000'000);
  const int error = errno;
  const bool ended = syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, expected,
                             moment == INT64_MAX ? nullptr : &end, nullptr, FUTEX_BITSET_MATCH_ANY) == 0 ||
                     errno != ETIMEDOUT;
  errno = error;
  return ended;
}

void futex_wake(atomic<std::uint32_t>& word) noexcept {
  const kept_errno as_it_was;
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

bool enable_barrier_everywhere() noexcept {
  return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

void barrier_everywhere() noexcept { syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0); }

}  // namespace tine::base
