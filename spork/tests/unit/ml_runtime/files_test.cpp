// Files of Parallel ML: what is written is read, in all pieces, with signals in between, and by many threads at once.
#include "started.hpp"

#include <doctest/doctest.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
#include <atomic>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

const tine::test::started is_started;

using tine::test::ml;
using tine::test::text;

/// A name of a file that does not exist, in a folder that the destructor removes.
class place {
 public:
  place() { folder_ = mkdtemp(name_); }
  ~place() {
    unlink(file().c_str());
    rmdir(name_);
  }
  place(const place&) = delete;
  place& operator=(const place&) = delete;
  std::string file() const { return folder_ + "/file"; }

 private:
  char name_[30] = "/tmp/tine_ml_files_XXXXXX";
  std::string folder_;
};

std::string all_of(const std::string& file) {
  std::ifstream in{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

std::string random_bytes(std::size_t n, unsigned seed) {
  std::mt19937 dice{seed};
  std::string s(n, '\0');
  for (char& c : s) c = static_cast<char>(dice());
  return s;
}

}  // namespace

TEST_CASE("all bytes and all sizes pass") {
  const place at;
  for (const std::size_t n : {0UL, 1UL, 7UL, 8UL, 65535UL, 65536UL, 65537UL, 131072UL, 1'000'000UL}) {
    const std::string bytes = random_bytes(n, static_cast<unsigned>(n));
    const std::int64_t out = tine_ml_open_out(ml(at.file()));
    CHECK(tine_ml_output(out, ml(bytes)) == 1);
    CHECK(tine_ml_close(out) == 1);
    std::int64_t in = tine_ml_open_in(ml(at.file()));
    CHECK(text(tine_ml_input_all(in)) == bytes);
    tine_ml_close(in);
    in = tine_ml_open_in(ml(at.file()));
    CHECK(text(tine_ml_input_n(in, static_cast<std::int64_t>(n) + 5)) == bytes);
    tine_ml_close(in);
  }
  const std::int64_t more = tine_ml_open_append(ml(at.file()));
  CHECK(tine_ml_output(more, ml("x")) == 1);
  CHECK(tine_ml_close(more) == 1);
  CHECK(all_of(at.file()).size() == 1'000'001);
}

TEST_CASE("an impossible call has a result of its own") {
  CHECK(tine_ml_open_in(ml("/nowhere/at all")) == -1);
  CHECK(tine_ml_open_out(ml("/nowhere/at all")) == -1);
  CHECK(tine_ml_open_in(ml(std::string_view{"/dev/null\0x", 11})) == -1);
  for (const std::int64_t handle : {-1L, 1000L, (1L << 40), std::int64_t{1} << 63}) {
    CHECK(tine_ml_close(handle) == 0);
    CHECK(tine_ml_output(handle, ml("x")) == 0);
    CHECK(tine_ml_flush(handle) == 0);
    CHECK(text(tine_ml_input_line(handle)).empty());
    CHECK(text(tine_ml_input_all(handle)).empty());
    CHECK(tine_ml_input_byte(handle) == -1);
    CHECK(tine_ml_end_of_stream(handle) == 1);
  }
  const std::int64_t null = tine_ml_open_in(ml("/dev/null"));
  CHECK(tine_ml_output(null, ml("x")) == 0);  // it is open for reading only
  CHECK(tine_ml_close(null) == 1);
  CHECK(tine_ml_close(null) == 0);
  const std::int64_t full = tine_ml_open_out(ml("/dev/full"));
  tine_ml_output(full, ml("x"));
  CHECK(tine_ml_close(full) == 0);
  CHECK(tine_ml_open_in(ml("/dev/null")) == full);  // the number is used again
  CHECK(tine_ml_close(full) == 1);
}

TEST_CASE("reads and writes continue after signals, and a pipe's parts become whole") {
  struct sigaction action{};
  action.sa_handler = [](int) {};
  action.sa_flags = 0;  // no SA_RESTART: the calls are interrupted
  struct sigaction old;
  sigaction(SIGUSR1, &action, &old);
  const place at;
  REQUIRE(mkfifo(at.file().c_str(), 0600) == 0);
  const std::string bytes = random_bytes(600'000, 5);
  std::atomic<bool> over{false};
  std::string got;
  std::thread reader{[&] {
    const std::int64_t in = tine_ml_open_in(ml(at.file()));
    got = text(tine_ml_input_all(in));
    tine_ml_close(in);
    over = true;
  }};
  std::atomic<bool> written{false};
  std::thread writer{[&] {
    const std::int64_t out = tine_ml_open_out(ml(at.file()));
    for (std::size_t i = 0; i < bytes.size(); i += 50'000) {
      CHECK(tine_ml_output(out, ml(bytes.substr(i, 50'000))) == 1);
      usleep(2000);
    }
    CHECK(tine_ml_close(out) == 1);
    written = true;
    while (!over) usleep(100);
  }};
  while (!over) {
    if (!written) pthread_kill(writer.native_handle(), SIGUSR1);
    pthread_kill(reader.native_handle(), SIGUSR1);
    usleep(50);
  }
  reader.join();
  writer.join();
  CHECK(got == bytes);
  sigaction(SIGUSR1, &old, nullptr);
}

TEST_CASE("outputs of many threads do not mix, and a file may be closed meanwhile") {
  const place at;
  const std::int64_t out = tine_ml_open_out(ml(at.file()));
  std::vector<std::thread> all;
  for (char c = 'a'; c < 'i'; ++c) {
    all.emplace_back([&, c] {
      void* const line = ml(std::string(100, c) + "\n");
      for (int i = 0; i < 200; ++i) CHECK(tine_ml_output(out, line) == 1);
    });
  }
  for (std::thread& t : all) t.join();
  std::thread late{[&] {
    while (tine_ml_output(out, ml("")) == 1) {
    }
  }};
  usleep(1000);
  CHECK(tine_ml_close(out) == 1);
  late.join();
  std::ifstream in{at.file()};
  int lines = 0;
  for (std::string line; std::getline(in, line); ++lines) CHECK(line == std::string(100, line[0]));
  CHECK(lines == 1600);
}
