// Copies a file with io_uring: each block is a task that waits for its read, transforms the block, and waits for its
// write. One thread waits for the kernel. Many blocks are on their way at once, and no worker blocks.
#include <tine/tine.hpp>

#include <fcntl.h>
#include <liburing.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

/// The kernel's queue of operations, and the thread that resumes the tasks that wait for them.
class ring {
 public:
  explicit ring(unsigned entries) {
    if (io_uring_queue_init(entries, &ring_, 0) < 0) throw std::runtime_error{"the kernel refuses io_uring"};
    reaper_ = std::thread{[this] { reap(); }};
  }
  ~ring() {
    operation last{*this, IORING_OP_NOP, 0, nullptr, 0, 0};
    submit(last);  // no task waits for it, so it ends the thread
    reaper_.join();
    io_uring_queue_exit(&ring_);
  }
  ring(const ring&) = delete;
  ring& operator=(const ring&) = delete;

  /// One operation: `co_await` gives the number of bytes. Throws std::runtime_error if the operation fails.
  struct operation {
    ring& in;
    io_uring_op what;
    int file;
    char* at;
    unsigned bytes;
    unsigned long offset;
    std::optional<tine::resumption> waits{};
    int result = 0;

    bool await_ready() const noexcept { return false; }
    void await_suspend(tine::resumption r) noexcept {
      waits = r;
      in.submit(*this);
    }
    unsigned await_resume() const {
      if (result < 0) throw std::runtime_error{"an operation of io_uring failed"};
      return static_cast<unsigned>(result);
    }
  };
  operation read(int file, char* at, unsigned bytes, unsigned long offset) {
    return {*this, IORING_OP_READ, file, at, bytes, offset};
  }
  operation write(int file, char* at, unsigned bytes, unsigned long offset) {
    return {*this, IORING_OP_WRITE, file, at, bytes, offset};
  }

 private:
  void submit(operation& o) {
    const std::lock_guard guard{lock_};
    io_uring_sqe* entry = io_uring_get_sqe(&ring_);
    while (entry == nullptr) {  // the queue is full
      io_uring_submit(&ring_);
      entry = io_uring_get_sqe(&ring_);
    }
    io_uring_prep_rw(o.what, entry, o.file, o.at, o.bytes, o.offset);
    io_uring_sqe_set_data(entry, &o);
    io_uring_submit(&ring_);
  }
  void reap() {
    for (;;) {
      io_uring_cqe* entry = nullptr;
      if (io_uring_wait_cqe(&ring_, &entry) < 0) continue;  // a signal
      auto& o = *static_cast<operation*>(io_uring_cqe_get_data(entry));
      o.result = entry->res;
      io_uring_cqe_seen(&ring_, entry);
      if (!o.waits) return;
      o.waits->resume();
    }
  }

  io_uring ring_{};
  std::mutex lock_;  // guards the submissions
  std::thread reaper_;
};

constexpr unsigned block_bytes = 16 << 10;

/// Copies one block. Every byte is inverted on the way, which stands for compression or encryption.
tine::task<> copy_block(ring& by, int from, int to, unsigned long offset) {
  std::vector<char> block(block_bytes);
  const unsigned n = co_await by.read(from, block.data(), block_bytes, offset);
  tine::par_for(0U, n, [&](unsigned i) { block[i] = static_cast<char>(~block[i]); });
  unsigned done = 0;
  while (done < n) done += co_await by.write(to, &block[done], n - done, offset + done);
}

tine::task<> copy_file(ring& by, int from, int to, unsigned long bytes) {
  for (unsigned long offset = 0; offset < bytes; offset += block_bytes)
    co_await tine::fork(copy_block, std::ref(by), from, to, offset);
  co_await tine::join;
}

/// A file without a name.
int temporary_file() {
  char name[] = "/tmp/tine-copy-XXXXXX";
  const int file = mkstemp(name);
  if (file < 0) throw std::runtime_error{"no temporary file"};
  unlink(name);
  return file;
}

}  // namespace

int main() {
  io_uring probe{};
  if (io_uring_queue_init(2, &probe, 0) < 0) {
    std::puts("the kernel refuses io_uring, so nothing is copied");
    return 0;
  }
  io_uring_queue_exit(&probe);

  std::string text(3'000'001, ' ');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>('a' + i * i % 23);
  const int from = temporary_file();
  const int to = temporary_file();
  if (write(from, text.data(), text.size()) != static_cast<ssize_t>(text.size())) return 1;
  {
    ring kernel{64};
    tine::submit(copy_file, std::ref(kernel), from, to, text.size()).get();
  }
  std::string copy(text.size() + 1, ' ');
  const ssize_t n = pread(to, copy.data(), copy.size(), 0);
  copy.resize(n < 0 ? 0 : static_cast<std::size_t>(n));
  const bool right = std::equal(text.begin(), text.end(), copy.begin(), copy.end(),
                                [](char a, char b) { return a == static_cast<char>(~b); });
  std::printf("%zu bytes, %s\n", copy.size(), right ? "every one inverted" : "and some are wrong");
  return right ? 0 : 1;
}
