// Inputs for the tests of algorithms: pools, sizes, patterns of keys, and element types that notice what an algorithm
// does with them.
#pragma once

#include <tine/tine.hpp>

#include <sys/mman.h>
#include <unistd.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tine::test {

/// The pools of all tests, with eight, two and one workers. The forks of the first pool are promoted at once, so that
/// short inputs are split, too; sanitizers, which are slow, see in it the races and the wrong accesses of the others. The
/// process makes them once: starting the threads takes longer than most tests.
inline std::span<pool> all_pools() {
  static pool pools[]{pool{{.workers = 8, .promote = promotion::eager()}}, pool{{.workers = 2}}, pool{{.workers = 1}}};
  return std::span{pools}.first(TINE_ASAN || TINE_TSAN ? 1 : 3);
}

/// Calls `body` in each of these pools. The function object of the standard library keeps the compiler from making a
/// root task of each body.
inline void in_pools(const std::function<void()>& body) {
  for (pool& p : all_pools()) {
    CAPTURE(&p - all_pools().data());
    p.run(body);
  }
}

/// Lengths of inputs: none, one, two, odd ones, and one that each algorithm splits. They are short, because tests are
/// not optimised.
inline const std::vector<std::size_t> lengths{0, 1, 2, 3, 7, 64, 1001, 10'001};
/// One length more, for cheap element types: every pool splits it. integer_sort and random_shuffle take another way for
/// ranges that are longer still: their tests have a length of their own.
inline constexpr std::size_t large_length = 70'000;

/// An order of keys.
enum class pattern : unsigned char { random, few_keys, equal, sorted, reversed, organ_pipe, sawtooth, nearly_sorted };

inline const std::vector<pattern> patterns{pattern::random,        pattern::few_keys, pattern::reversed,
                                           pattern::nearly_sorted, pattern::equal,    pattern::organ_pipe,
                                           pattern::sawtooth,      pattern::sorted};

inline const char* name_of(pattern p) {
  constexpr const char* names[] = {"random",   "few keys",   "equal",    "sorted",
                                   "reversed", "organ pipe", "sawtooth", "nearly sorted"};
  return names[static_cast<std::size_t>(p)];
}

/// Returns `n` keys from 0 up to, but not including, 2^30, in this order; the same ones for the same seed.
inline std::vector<int> keys(std::size_t n, pattern p, unsigned seed = 1) {
  std::mt19937 random{seed};
  std::vector<int> all(n);
  for (std::size_t i = 0; i < n; ++i) {
    const int up = static_cast<int>(i), down = static_cast<int>(n - i);
    switch (p) {
      case pattern::random:
        all[i] = static_cast<int>(random() >> 2);
        break;
      case pattern::few_keys:
        all[i] = static_cast<int>(random() % 5);
        break;
      case pattern::equal:
        all[i] = 7;
        break;
      case pattern::sorted:
      case pattern::nearly_sorted:
        all[i] = up;
        break;
      case pattern::reversed:
        all[i] = down;
        break;
      case pattern::organ_pipe:
        all[i] = std::min(up, down);
        break;
      case pattern::sawtooth:
        all[i] = up % 1000;
        break;
    }
  }
  if (p == pattern::nearly_sorted && n > 1) {
    for (std::size_t i = 0; i < n / 100 + 1; ++i) std::swap(all[random() % n], all[random() % n]);
  }
  return all;
}

/// Returns a key below 1000, and throws the text of any other.
inline constexpr auto below_1000 = [](int k) {
  if (k >= 1000) throw std::runtime_error{std::to_string(k)};
  return k;
};

/// Calls `body(keys)` with every pattern at the longest length, and with one pattern at each of the others. The keys
/// are made once: under a sanitizer this takes longer than most algorithms.
inline void for_each_input(const std::function<void(const std::vector<int>&)>& body) {
  static const std::vector<std::vector<int>> inputs = [] {
    std::vector<std::vector<int>> all;
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      all.push_back(keys(lengths.back(), patterns[i]));
      all.push_back(keys(lengths[i], patterns[i]));
    }
    return all;
  }();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    CAPTURE(inputs[i].size());
    CAPTURE(std::string{name_of(patterns[i / 2])});
    body(inputs[i]);
  }
}

/// A key with the position at which it began: shows whether an algorithm is stable.
struct keyed {
  int key = 0;
  std::size_t place = 0;
  friend bool operator==(const keyed&, const keyed&) = default;
};

inline std::vector<keyed> with_places(const std::vector<int>& from) {
  std::vector<keyed> all;
  all.reserve(from.size());
  for (const int k : from) all.push_back({k, all.size()});
  return all;
}

/// An element that can be moved only.
class move_only {
 public:
  move_only(int key = 0) : key_{std::make_unique<int>(key)} {}
  int key() const { return key_ != nullptr ? *key_ : -1; }
  friend bool operator<(const move_only& a, const move_only& b) { return a.key() < b.key(); }
  friend bool operator==(const move_only& a, const move_only& b) { return a.key() == b.key(); }

 private:
  std::unique_ptr<int> key_;
};

/// An element that counts the living, and throws `std::runtime_error` when it is copied, moved or compared for the n-th
/// time.
class throwing {
 public:
  throwing(int key = 0) : key_{key} { ++alive; }
  throwing(const throwing& other) : key_{other.key_} {
    use();
    ++alive;
  }
  throwing(throwing&& other) : key_{other.key_} {
    use();
    ++alive;
  }
  throwing& operator=(const throwing& other) {
    use();
    key_ = other.key_;
    return *this;
  }
  throwing& operator=(throwing&& other) {
    use();
    key_ = other.key_;
    return *this;
  }
  ~throwing() { --alive; }

  int key() const { return key_; }
  friend bool operator<(const throwing& a, const throwing& b) {
    use();
    return a.key_ < b.key_;
  }
  friend bool operator==(const throwing& a, const throwing& b) {
    use();
    return a.key_ == b.key_;
  }

  /// From now on the n-th use throws; 0: none does.
  static void throw_after(long uses) { left = uses; }
  /// Returns true if that use has come.
  static bool has_thrown() { return left == 0; }

  static inline std::atomic<long> alive{0};

 private:
  static void use() {
    if (left.load(std::memory_order_relaxed) > 0 && left.fetch_sub(1) == 1) throw std::runtime_error{"use"};
  }

  static inline std::atomic<long> left{0};
  int key_;
};

/// An array between two pages without access: it ends where the second one begins, or begins where the first one ends.
template <class T>
class at_page_end {
 public:
  explicit at_page_end(std::size_t n, bool at_begin = false) : n_{n} {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    bytes_ = (n * sizeof(T) + page - 1) / page * page + 2 * page;
    base_ = mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base_ == MAP_FAILED) throw std::bad_alloc{};
    auto* const inside = static_cast<std::byte*>(base_) + page;
    mprotect(inside, bytes_ - 2 * page, PROT_READ | PROT_WRITE);
    std::byte* const at = at_begin ? inside : inside + (bytes_ - 2 * page - n * sizeof(T)) / alignof(T) * alignof(T);
    items_ = static_cast<T*>(static_cast<void*>(at));
    std::uninitialized_value_construct_n(items_, n);
  }
  ~at_page_end() {
    std::destroy_n(items_, n_);
    munmap(base_, bytes_);
  }
  at_page_end(const at_page_end&) = delete;
  at_page_end& operator=(const at_page_end&) = delete;

  T* begin() const { return items_; }
  T* end() const { return items_ + n_; }
  std::size_t size() const { return n_; }

 private:
  std::size_t n_, bytes_;
  void* base_;
  T* items_;
};

}  // namespace tine::test
