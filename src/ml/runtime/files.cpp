// Files of Parallel ML are streams of the C library, so that their output and that of printf come in order, and all buffers are written
// when the program ends. The table of open files is guarded by its own lock, and each file by another one, because a call may make several
// of the C library.
#include "ml/runtime/ml.h"
#include "ml/runtime/string.hpp"

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
  int get() const noexcept {
    for (;;) {
      errno = 0;
      const int c = getc(file_);
      if (c != EOF || ferror(file_) == 0 || errno != EINTR) return c;
      clearerr(file_);
    }
  }
  bool at_end() const noexcept {
    const int c = get();
    if (c != EOF) ungetc(c, file_);
    return c == EOF;
  }
  /// Reads up to n bytes; returns fewer only at the end.
  std::size_t read(char* to, std::size_t n) const noexcept {
    std::size_t done = 0;
    while (done < n) {
      errno = 0;
      done += fread(to + done, 1, n - done, file_);
      if (done == n || feof(file_) != 0 || errno != EINTR) break;
      clearerr(file_);
    }
    return done;
  }
  bool write(std::string_view text) const noexcept {
    while (!text.empty()) {
      errno = 0;
      const std::size_t n = fwrite(text.data(), 1, text.size(), file_);
      text.remove_prefix(n);
      if (text.empty()) break;
      if (errno != EINTR) return false;
      clearerr(file_);
    }
    return true;
  }
  bool flush() const noexcept {
    for (;;) {
      if (fflush(file_) == 0) return true;
      if (errno != EINTR) return false;
      clearerr(file_);
    }
  }

  bool close() noexcept { return std::fclose(std::exchange(of_->stream, nullptr)) == 0; }

 private:
  std::shared_ptr<open_file> of_;
  std::unique_lock<std::mutex> guard_;
  FILE* file_ = nullptr;
};

std::int64_t open(const void* name, const char* mode) {
  const std::string path{text_of(name)};
  if (path.find('\0') != std::string::npos) return -1;
  FILE* file = nullptr;
  do {
    file = std::fopen(path.c_str(), mode);
  } while (file == nullptr && errno == EINTR);
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

extern "C" {

void tine_ml_print(const void* s) { tine_ml_output(1, s); }

int64_t tine_ml_open_in(const void* name) { return open(name, "re"); }
int64_t tine_ml_open_out(const void* name) { return open(name, "we"); }
int64_t tine_ml_open_append(const void* name) { return open(name, "ae"); }

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
