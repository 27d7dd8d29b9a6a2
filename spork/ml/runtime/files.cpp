// Files of Parallel ML are streams of the C library, so that their output and that of printf come in order, and all
// buffers are written when the program ends. The table of open files is guarded by its own lock, and each file by
// another one, because a call may make several of the C library.
#include "ml/runtime/ml.h"
#include "ml/runtime/standard_streams.hpp"
#include "ml/runtime/string.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

using tine::ml::string_of;
using tine::ml::text_of;

namespace {

// The C library drops the contents of a buffer if a signal interrupts a write. So its streams read and write by the
// functions below, which continue. The argument is the number of the descriptor.

int descriptor_of(void* cookie) noexcept {
  int descriptor = 0;
  std::memcpy(&descriptor, &cookie, sizeof descriptor);
  return descriptor;
}

ssize_t read_all_signals_passed(void* cookie, char* to, std::size_t n) {
  for (;;) {
    const ssize_t got = read(descriptor_of(cookie), to, n);
    if (got >= 0 || errno != EINTR) return got;
  }
}

/// Returns n, or 0 if not everything could be written.
ssize_t write_all(void* cookie, const char* from, std::size_t n) {
  for (std::size_t done = 0; done < n;) {
    const ssize_t now = write(descriptor_of(cookie), from + done, n - done);
    if (now >= 0) {
      done += static_cast<std::size_t>(now);
    } else if (errno != EINTR) {
      return 0;
    }
  }
  return static_cast<ssize_t>(n);
}

int close_descriptor(void* cookie) { return close(descriptor_of(cookie)); }

/// Returns null, and closes the descriptor, if there is no memory.
FILE* stream_of(int descriptor, bool reads) {
  void* cookie = nullptr;
  std::memcpy(&cookie, &descriptor, sizeof descriptor);
  FILE* const made =
      fopencookie(cookie, reads ? "r" : "w", {&read_all_signals_passed, &write_all, nullptr, &close_descriptor});
  if (made == nullptr) {
    close(descriptor);
    return nullptr;
  }
  std::setvbuf(made, nullptr, _IOFBF, 64 << 10);
  return made;
}

struct open_file {
  std::mutex lock;
  FILE* stream = nullptr;  // null after it was closed; under the lock
};

std::mutex table_lock;

std::vector<std::shared_ptr<open_file>>& table() {
  static auto& files = *new std::vector<std::shared_ptr<open_file>>;  // never destroyed: workers outlive main
  if (files.empty()) {
    for (FILE* const standard : {stdin, stdout, stderr}) {
      files.push_back(std::make_shared<open_file>());
      files.back()->stream = standard;
    }
  }
  return files;
}

std::shared_ptr<open_file> file_of(std::int64_t handle) {
  const std::lock_guard guard{table_lock};
  const auto at = static_cast<std::uint64_t>(handle);
  return at < table().size() ? table()[at] : nullptr;
}

/// A file that no other thread uses meanwhile; or none.
class locked_file {
 public:
  explicit locked_file(std::int64_t handle) : of_{file_of(handle)} {
    if (of_ == nullptr) return;
    guard_ = std::unique_lock{of_->lock};
    file_ = of_->stream;
  }
  explicit operator bool() const noexcept { return file_ != nullptr; }

  /// Returns the next byte, or EOF.
  int get() const noexcept { return std::getc(file_); }
  bool at_end() const noexcept {
    const int c = get();
    if (c != EOF) std::ungetc(c, file_);
    return c == EOF;
  }
  /// Reads up to n bytes; returns fewer only at the end.
  std::size_t read(char* to, std::size_t n) const noexcept { return std::fread(to, 1, n, file_); }
  bool write(std::string_view text) const noexcept {
    return std::fwrite(text.data(), 1, text.size(), file_) == text.size();
  }
  bool flush() const noexcept { return std::fflush(file_) == 0; }
  bool close() noexcept { return std::fclose(std::exchange(of_->stream, nullptr)) == 0; }

 private:
  std::shared_ptr<open_file> of_;
  std::unique_lock<std::mutex> guard_;
  FILE* file_ = nullptr;
};

std::int64_t open(const void* name, int flags) {
  const std::string path{text_of(name)};
  if (path.find('\0') != std::string::npos) return -1;
  int descriptor = -1;
  do {
    descriptor = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
  } while (descriptor < 0 && errno == EINTR);
  FILE* const file = descriptor < 0 ? nullptr : stream_of(descriptor, flags == O_RDONLY);
  if (file == nullptr) return -1;
  const auto opened = std::make_shared<open_file>();
  opened->stream = file;
  const std::lock_guard guard{table_lock};
  auto free = std::find(table().begin() + 3, table().end(), nullptr);
  if (free == table().end()) free = table().insert(free, nullptr);
  *free = opened;
  return free - table().begin();
}

}  // namespace

// The buffers of C's streams belong to the main function of the program, which calls this first. C++'s streams are not
// used there.
void tine::ml::take_standard_streams() {
  std::fflush(nullptr);
  if (FILE* const in = stream_of(STDIN_FILENO, true)) stdin = in;
  if (FILE* const error = stream_of(STDERR_FILENO, false)) {
    std::setvbuf(error, nullptr, _IONBF, 0);
    stderr = error;
  }
  if (FILE* const out = stream_of(STDOUT_FILENO, false)) {
    if (isatty(STDOUT_FILENO) != 0) std::setvbuf(out, nullptr, _IOLBF, 0);
    stdout = out;
  }
}

extern "C" {

void tine_ml_print(const void* s) { tine_ml_output(1, s); }

int64_t tine_ml_open_in(const void* name) { return open(name, O_RDONLY); }
int64_t tine_ml_open_out(const void* name) { return open(name, O_WRONLY | O_CREAT | O_TRUNC); }
int64_t tine_ml_open_append(const void* name) { return open(name, O_WRONLY | O_CREAT | O_APPEND); }

int64_t tine_ml_close(int64_t handle) {
  locked_file file{handle};
  if (!file) return 0;
  {
    const std::lock_guard guard{table_lock};
    if (handle > 2)
      table()[static_cast<std::size_t>(handle)] = nullptr;  // the three others are never given to other files
  }
  return file.close() ? 1 : 0;
}

int64_t tine_ml_output(int64_t handle, const void* s) {
  const locked_file file{handle};
  return file && file.write(text_of(s)) ? 1 : 0;
}

int64_t tine_ml_flush(int64_t handle) {
  const locked_file file{handle};
  return file && file.flush() ? 1 : 0;
}

void* tine_ml_input_line(int64_t handle) {
  std::string line;
  if (const locked_file file{handle}) {
    int c = EOF;
    while ((c = file.get()) != EOF) {
      line += static_cast<char>(c);
      if (c == '\n') break;
    }
    if (c == EOF && !line.empty()) line += '\n';
  }
  return string_of(line);
}

void* tine_ml_input_all(int64_t handle) {
  std::string all;
  if (const locked_file file{handle}) {
    constexpr std::size_t step = 64 << 10;
    std::size_t done = 0;
    for (std::size_t n = step; n == step; done += n) {
      if (all.capacity() < done + step) all.reserve(2 * (done + step));
      all.resize(done + step);
      n = file.read(all.data() + done, step);
      if (n != step) all.resize(done + n);
    }
  }
  return string_of(all);
}

void* tine_ml_input_n(int64_t handle, int64_t n) {
  std::string bytes;
  if (const locked_file file{handle}; file && n > 0) {
    constexpr std::int64_t step = 64 << 10;
    for (std::int64_t left = n; left > 0;) {
      const auto now = static_cast<std::size_t>(left < step ? left : step);
      const std::size_t before = bytes.size();
      bytes.resize(before + now);
      const std::size_t got = file.read(bytes.data() + before, now);
      bytes.resize(before + got);
      if (got != now) break;
      left -= static_cast<std::int64_t>(now);
    }
  }
  return string_of(bytes);
}

int64_t tine_ml_input_byte(int64_t handle) {
  const locked_file file{handle};
  return file ? file.get() : -1;
}

int64_t tine_ml_end_of_stream(int64_t handle) {
  const locked_file file{handle};
  return !file || file.at_end() ? 1 : 0;
}

}  // extern "C"
