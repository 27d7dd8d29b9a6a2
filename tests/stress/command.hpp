// The parts that all stress programs share: the command line, the watchdog that turns a hang into a failure, and the
// end.
#pragma once

#include <tine/tine.hpp>

#include <condition_variable>
#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <thread>

namespace tine::stress {

/// The command line. Without --workers a program takes its own list.
struct command {
  unsigned workers = 0;  ///< 0: the program's own list
  double seconds = 0;    ///< how long to run in all; 0: the program's own number of rounds
  std::uint64_t seed = 1;
  bool is_long = false;        ///< the long form: as many rounds as the program promises
  int tries = 0;               ///< 0: the program's own number
  const char* play = nullptr;  ///< programs only: the text of the only program to play
  std::size_t setting = 0;     ///< with `play`

  /// Reads the command line. Ends the program with a usage message if the command line is wrong.
  static command read(int count, char** words);
};

/// Seconds since a fixed moment.
double now() noexcept;

/// Bits that depend on all of x (SplitMix64's finaliser).
constexpr std::uint64_t mix(std::uint64_t x) noexcept {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// Ends the program with a message if no thread calls `alive` for a minute (four under a sanitizer). One at a time.
class watchdog {
 public:
  explicit watchdog(const char* program) : program_{program} {}
  watchdog(const watchdog&) = delete;
  watchdog& operator=(const watchdog&) = delete;

  /// Notes that there was progress, and what the program tries next, for the message.
  void alive(const char* what, std::uint64_t seed) noexcept;
  /// Sets the pool whose counters the message shows; null for none. The pool must not be destroyed while it is set.
  void show(const pool* p) noexcept;

 private:
  void observe(const std::stop_token& ended);

  const char* const program_;
  std::mutex lock_;
  std::condition_variable_any end_;
  std::uint64_t signs_ = 0;  // signs of life
  const char* what_ = "starting";
  std::uint64_t seed_ = 0;
  const pool* in_sight_ = nullptr;
  std::jthread thread_{[this](const std::stop_token& ended) { observe(ended); }};
};

/// Makes the watchdog show the pool while this object lives.
class shown {
 public:
  shown(watchdog& w, const pool& p) noexcept : watchdog_{w} { w.show(&p); }
  ~shown() { watchdog_.show(nullptr); }
  shown(const shown&) = delete;
  shown& operator=(const shown&) = delete;

 private:
  watchdog& watchdog_;
};

/// Reads the command line, prints the seed, and calls `test` for the workers of the command line, or else for each of
/// `workers`. Returns 0.
int run_test(int count, char** words, const char* program, std::initializer_list<unsigned> workers,
             void (*test)(unsigned workers, const command&, watchdog&));

/// Prints counters on one line.
void print(const counters& c);

/// Ends the program as failed.
[[noreturn]] void fail(const char* format, ...) __attribute__((format(printf, 1, 2)));

}  // namespace tine::stress
