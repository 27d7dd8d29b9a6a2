// See journal_file.hpp.
#include "replay/journal_file.hpp"

#include <tine/detail/base/assert.hpp>
#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/object_at.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>

namespace tine::detail {
namespace {

constexpr std::size_t slot_bytes = sizeof(journal_event);
constexpr std::size_t block_bytes = std::size_t{256} << 10;
constexpr std::size_t slots_per_block = block_bytes / slot_bytes;

/// Reserves the block on the disk. Without that, a full disk would end the process by SIGBUS when it writes into the
/// mapping.
int reserve(int fd, std::uint64_t from) noexcept {
  rlimit most{};
  if (getrlimit(RLIMIT_FSIZE, &most) == 0 && from + block_bytes > most.rlim_cur) return EFBIG;  // and no SIGXFSZ
  return posix_fallocate(fd, static_cast<off_t>(from), static_cast<off_t>(block_bytes));
}

std::string reason(int error) { return std::strerror(error); }

}  // namespace

std::string journal_file::open(const std::string& path, std::uint64_t most_bytes, std::uint64_t program,
                               journal_run how, std::uint64_t seed) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) return reason(errno);
  if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
    const int error = errno;
    ::close(fd);
    return error == EWOULDBLOCK ? "another process records into it; %p in the name stands for the process id"
                                : reason(error);
  }
  if (ftruncate(fd, 0) != 0) {
    const int error = errno;
    ::close(fd);
    return reason(error) + "; a journal needs a regular file";
  }
  const std::lock_guard guard{lock_};
  fd_ = fd;
  path_ = path;
  most_bytes_ = most_bytes;
  if (!grow()) {
    const int error = errno;
    ::close(fd_);
    fd_ = -1;
    return reason(error);
  }
  auto* const h = base::object_at<journal_header>(blocks_.front());
  *h = {{},
        journal_version,
        slot_bytes,
        program,
        static_cast<std::uint64_t>(::getpid()),
        static_cast<std::uint32_t>(how),
        0,
        seed,
        {}};
  std::memcpy(h->magic, journal_magic, sizeof journal_magic);
  used_ = 1;
  return "";
}

/// Maps one more block. Returns false, with the reason in errno, if that fails.
bool journal_file::grow() noexcept {
  const std::uint64_t from = blocks_.size() * block_bytes;
  if (const int error = reserve(fd_, from)) {
    errno = error;
    return false;
  }
  void* const at = ::mmap(nullptr, block_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, static_cast<off_t>(from));
  if (at == MAP_FAILED) return false;
  blocks_.push_back(static_cast<std::byte*>(at));
  return true;
}

/// Ends the recording, and says so once. The events that are written stay readable.
void journal_file::stop(const std::string& why) noexcept {
  is_full_ = true;
  base::object_at<journal_header>(blocks_.front())->is_full = 1;
  base::warn(("TINE_RECORD: " + path_ + " grows no more: " + why + ". The recording ends here; what it has is usable.")
                 .c_str());
}

journal_event* journal_file::append(journal_event e) noexcept {
  const std::lock_guard guard{lock_};
  return append_locked(e);
}

std::uint32_t journal_file::number_of(std::span<const int> nodes) noexcept {
  if (nodes.empty()) return 0;
  const std::lock_guard guard{lock_};
  const auto known =
      std::ranges::find_if(nodes_of_pools_, [&](const std::vector<int>& n) { return std::ranges::equal(n, nodes); });
  const auto number = static_cast<std::uint32_t>(known - nodes_of_pools_.begin() + 1);
  if (known != nodes_of_pools_.end()) return number;
  if (nodes_of_pools_.size() == journal_most_pools) return 0;
  nodes_of_pools_.emplace_back(nodes.begin(), nodes.end());
  for (std::size_t from = 0, to = 0; from < nodes.size(); from = to) {
    while (to < nodes.size() && nodes[to] == nodes[from]) ++to;
    append_locked({.kind = journal_kind::numa,
                   .a = number,
                   .b = from | std::uint64_t{to - from} << 32,
                   .c = static_cast<std::uint64_t>(nodes[from])});
  }
  return number;
}

journal_event* journal_file::append_locked(journal_event e) noexcept {
  if (fd_ < 0 || is_full_) return nullptr;
  if (used_ == blocks_.size() * slots_per_block) {
    if ((blocks_.size() + 1) * block_bytes > most_bytes_) {
      stop("it has reached " + std::to_string(most_bytes_ >> 20) + " MiB, the value of TINE_RECORD_MAX_MIB");
      return nullptr;
    }
    if (!grow()) {
      stop(reason(errno));
      return nullptr;
    }
  }
  auto* const slot =
      base::object_at<journal_event>(blocks_[used_ / slots_per_block] + used_ % slots_per_block * slot_bytes);
  const std::uint64_t check = check_of(e, used_++ - 1);
  e.check = 0;
  *slot = e;
  // The check is written after everything else. The process is killed between two instructions, as a signal comes, so
  // the order of this thread suffices.
  base::signal_fence();
  slot->check = check;
  return slot;
}

void journal_file::close() noexcept {
  const std::lock_guard guard{lock_};
  if (fd_ < 0 || is_full_) return;
  is_full_ = true;  // strands that still run record nothing more
  // The part that is cut off is not written any more: an event is appended only while the file is not full.
  if (ftruncate(fd_, static_cast<off_t>(used_ * slot_bytes)) != 0)
    base::warn("the journal could not be cut to its length.");
}

void journal_file::abandon() noexcept {
  for (std::byte* const block : blocks_) {
    void* const own =
        ::mmap(block, block_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (own == MAP_FAILED) base::fatal("a child of fork(2) has no memory for its part of the journal.");
  }
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

}  // namespace tine::detail
