#include "command.hpp"

#include <tine/detail/base/macros.hpp>

#include <unistd.h>

#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

namespace tine::stress {
namespace {

constexpr int patience_s = TINE_ASAN != 0 || TINE_TSAN != 0 ? 240 : 60;

[[noreturn]] void explain(const char* program) {
  std::fprintf(stderr, "usage: %s [--workers P] [--seconds N] [--seed S] [--tries N] [--long]\n", program);
  std::fputs("stress_programs also: [--play PROGRAM] [--setting NUMBER]\n", stderr);
  std::exit(2);
}

}  // namespace

command command::read(int count, char** words) {
  command c;
  for (int i = 1; i < count; ++i) {
    const std::string name{words[i]};
    if (name == "--long") {
      c.is_long = true;
      continue;
    }
    if (i + 1 == count) explain(words[0]);
    const char* const value = words[++i];
    char* end = nullptr;
    if (name == "--workers") {
      c.workers = static_cast<unsigned>(std::strtoul(value, &end, 10));
    } else if (name == "--seconds") {
      c.seconds = std::strtod(value, &end);
    } else if (name == "--seed") {
      c.seed = std::strtoull(value, &end, 10);
    } else if (name == "--tries") {
      c.tries = static_cast<int>(std::strtol(value, &end, 10));
    } else if (name == "--setting") {
      c.setting = std::strtoul(value, &end, 10);
    } else if (name == "--play") {
      c.play = value;
      continue;
    } else {
      explain(words[0]);
    }
    if (end == value || *end != '\0') explain(words[0]);
  }
  return c;
}

double now() noexcept {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

void watchdog::observe(const std::stop_token& ended) {
  std::unique_lock guard{lock_};
  std::uint64_t seen = signs_;
  for (int quiet_s = 0; quiet_s < patience_s; ++quiet_s) {
    end_.wait_for(guard, ended, std::chrono::seconds{1}, [] { return false; });
    if (ended.stop_requested()) return;
    if (signs_ != seen) quiet_s = 0;
    seen = signs_;
  }
  std::fprintf(stderr, "%s: hangs: no progress for %d s in %s, seed %llu\n", program_, patience_s, what_,
               static_cast<unsigned long long>(seed_));
  if (in_sight_ != nullptr) print(in_sight_->counters());
  std::fflush(stdout);
  std::abort();
}

void watchdog::alive(const char* what, std::uint64_t seed) noexcept {
  const std::lock_guard guard{lock_};
  ++signs_;
  what_ = what;
  seed_ = seed;
}

void watchdog::show(const pool* p) noexcept {
  const std::lock_guard guard{lock_};
  in_sight_ = p;
}

int run_test(int count, char** words, const char* program, std::initializer_list<unsigned> workers,
             void (*test)(unsigned, const command&, watchdog&)) {
  const command c = command::read(count, words);
  std::printf("seed %llu\n", static_cast<unsigned long long>(c.seed));
  watchdog dog{program};
  if (c.workers != 0) {
    test(c.workers, c, dog);
  } else {
    for (const unsigned n : workers) test(n, c, dog);
  }
  return 0;
}

void print(const counters& c) {
  const auto n = [](std::uint64_t x) { return static_cast<unsigned long long>(x); };
  std::printf(
      "  promotions %llu (by signal %llu), steals %llu, reclaimed %llu, suspensions %llu, polls %llu, requests %llu, "
      "signals %llu, parks %llu, wakes %llu, fibers %llu, run %.3f s\n",
      n(c.promotions), n(c.signal_promotions), n(c.steals), n(c.reclaimed), n(c.suspensions), n(c.polls), n(c.requests),
      n(c.signals), n(c.parks), n(c.wakes), n(c.fibers), static_cast<double>(c.run_ns) * 1e-9);
}

void fail(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::fputs("FAILED: ", stderr);
  std::vfprintf(stderr, format, arguments);
  std::fputc('\n', stderr);
  va_end(arguments);
  std::fflush(nullptr);
  std::_Exit(1);
}

}  // namespace tine::stress
