// The exception that tests throw, and objects that are counted.
#pragma once

#include <atomic>
#include <stdexcept>
#include <string>

namespace tine::test {

struct failure : std::runtime_error {
  failure(const char* what, int c) : std::runtime_error{what}, code{c} {}
  int code;
};

/// Returns the text and the code of the failure that `f` throws, or "nothing".
template <class F>
std::string thrown_by(F f) {
  try {
    f();
  } catch (const failure& e) {
    return e.what() + std::to_string(e.code);
  }
  return "nothing";
}

/// The number of counted objects that are alive.
struct census {
  std::atomic<int> alive{0};
  bool is_even() const { return alive.load() == 0; }
};

class counted {
 public:
  explicit counted(census& c) : census_{&c} { ++c.alive; }
  counted(const counted& other) noexcept : census_{other.census_} { ++census_->alive; }
  counted& operator=(const counted&) = delete;
  ~counted() { --census_->alive; }

 private:
  census* census_;
};

/// An exception that a census counts while it is alive.
struct counted_failure {
  counted inside;
  int code = 0;
};

}  // namespace tine::test
