// An iterator over integers, which the standard library's algorithms with execution policies accept as random access.
#pragma once

#include <compare>
#include <cstddef>
#include <iterator>

namespace bench {

/// Points to the integer `value`. (The iterator of std::views::iota is an input iterator by the rules of C++17, which
/// algorithms with execution policies follow, so they would run it without forks.)
template <class I>
class counting {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = I;
  using difference_type = std::ptrdiff_t;
  using pointer = const I*;
  using reference = I;

  counting() = default;
  explicit counting(I value) : value_{value} {}

  I operator*() const { return value_; }
  I operator[](difference_type n) const { return *(*this + n); }

  counting& operator+=(difference_type n) {
    value_ = static_cast<I>(value_ + static_cast<I>(n));
    return *this;
  }
  counting& operator-=(difference_type n) { return *this += -n; }
  counting& operator++() { return *this += 1; }
  counting& operator--() { return *this += -1; }
  counting operator++(int) { return counting{value_++}; }
  counting operator--(int) { return counting{value_--}; }

  friend counting operator+(counting i, difference_type n) { return i += n; }
  friend counting operator+(difference_type n, counting i) { return i += n; }
  friend counting operator-(counting i, difference_type n) { return i -= n; }
  friend difference_type operator-(counting i, counting j) {
    return static_cast<difference_type>(i.value_) - static_cast<difference_type>(j.value_);
  }
  friend auto operator<=>(counting, counting) = default;

 private:
  I value_ = 0;
};

}  // namespace bench
