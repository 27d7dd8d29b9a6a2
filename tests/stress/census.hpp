// Exceptions that count themselves: at the end of a program none may be alive, and no text may be damaged.
#pragma once

#include "command.hpp"

#include <atomic>
#include <string>

namespace tine::stress {

inline struct census {
  std::atomic<long> alive{0}, begun{0}, ended{0};
} counts;

inline constexpr auto relaxed = std::memory_order_relaxed;  // counters, which are read when all is joined

class error {
 public:
  explicit error(long n) : number{n}, text_{text_of(n)} { counts.alive.fetch_add(1, relaxed); }
  error(const error& other) : number{other.number}, text_{other.text_} { counts.alive.fetch_add(1, relaxed); }
  error& operator=(const error&) = delete;
  ~error() { counts.alive.fetch_sub(1, relaxed); }
  bool is_whole() const { return text_ == text_of(number); }
  const long number;

 private:
  static std::string text_of(long n) { return std::to_string(n) + ", a text too long for its own buffer"; }
  std::string text_;
};

/// Checks that nothing is left of the programs that have ended.
inline void check_census(const char* name, std::uint64_t seed) {
  if (counts.begun.load() != counts.ended.load() || counts.alive.load() != 0)
    fail("%s, seed %llu: %ld parts or tasks begun, %ld ended, %ld objects left", name,
         static_cast<unsigned long long>(seed), counts.begun.load(), counts.ended.load(), counts.alive.load());
}

}  // namespace tine::stress
