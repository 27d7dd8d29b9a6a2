// The NAS Parallel Benchmarks: the choice of a class, which is a size with a published answer, and their random numbers
// (NPB 3.4, randlc): x ← 5¹³·x mod 2⁴⁶, as fractions of 2⁴⁶.
#pragma once

#include "harness/options.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// `Class` has a `name`. W is chosen until the user chooses another; A is the large one.
template <class Class>
class npb_choice {
 public:
  explicit npb_choice(std::span<const Class> all) : all_{all} { choose("W"); }

  const Class* operator->() const { return chosen_; }
  /// Returns true if the class differs from the class at the previous call.
  bool has_changed() { return std::exchange(before_, chosen_) != chosen_; }

  void add_option(options& o) {
    std::vector<std::string> names;
    for (const Class& c : all_) names.emplace_back(c.name);
    o.word("--class", chosen_->name, names, [this](const std::string& name) { choose(name); }, "NPB's class");
    o.large("--class", "A", [this] { choose("A"); });
  }

 private:
  void choose(const std::string& name) {
    for (const Class& c : all_)
      if (name == c.name) chosen_ = &c;
  }

  std::span<const Class> all_;
  const Class* chosen_ = nullptr;
  const Class* before_ = nullptr;
};

class npb_random {
 public:
  /// Returns the next number in (0, 1), exactly x/2⁴⁶.
  double operator()() {
    state_ = state_ * 1220703125 & mask;  // the product is modulo 2⁶⁴, which 2⁴⁶ divides
    return static_cast<double>(state_) * 0x1p-46;
  }

 private:
  static constexpr std::uint64_t mask = (std::uint64_t{1} << 46) - 1;
  std::uint64_t state_ = 314159265;
};

}  // namespace bench
