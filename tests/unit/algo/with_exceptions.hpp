// Tests of algorithms that change the order of items: element types, exceptions and stops at any use of an item, and an
// adversary of quicksort.
#pragma once

#include <tine/stop.hpp>

#include <array>
#include <cmath>
#include <deque>
#include <iterator>
#include <span>
#include <stop_token>

#include "unit/algo/inputs.hpp"

namespace tine::test {

/// An item that is too large to be cheap.
struct large {
  int key = 0;
  std::array<int, 15> filled{};
  large(int k = 0) : key{k} { filled.fill(k); }
  friend bool operator==(const large&, const large&) = default;
  friend auto operator<=>(const large& a, const large& b) { return a.key <=> b.key; }
};

/// Returns a string for a key: strings are in the order of their keys, and some of them are on the heap.
inline std::string text_of(int key) {
  std::string digits = std::to_string(key);
  digits.insert(0, 10 - digits.size(), '0');
  if (key % 3 == 0) digits += " and more than fits into a string without memory";
  return digits;
}

/// Returns items of a type, made from keys or other items.
template <class T, class Make>
std::vector<T> made_of(const auto& from, Make make) {
  std::vector<T> all;
  all.reserve(from.size());
  for (const auto& item : from) all.push_back(std::invoke(make, item));
  return all;
}

inline int key_of(int key) { return key; }
inline int key_of(const std::string& text) { return std::stoi(text); }
inline int key_of(const large& item) { return item.key; }
inline int key_of(const move_only& item) { return item.key(); }

inline const std::function<void()> nothing = [] {};

/// Compares by `operator<`, or by an order of keys, and calls a function before. One type for all tests, because each
/// type of a comparison is another sort to compile.
struct watched_less {
  const std::function<void()>* on_call;
  const std::function<bool(int, int)>* order = nullptr;
  template <class T>
  bool operator()(const T& a, const T& b) const {
    (*on_call)();
    if constexpr (requires { key_of(a); }) {
      if (order != nullptr) return (*order)(key_of(a), key_of(b));
    }
    return a < b;
  }
};

/// An item that can be moved only, by functions that don't say whether they throw. It asks for a stop when it moves for
/// the n-th time, and then moves nevertheless.
class loose {
 public:
  /// How a move leaves its source. The moves of std::deque allocate memory.
  enum class way : unsigned char { empties, copies, allocates };

  explicit loose(int key) : key_{key} {}
  loose(loose&& other) {
    if (moves == way::allocates) ::operator delete(::operator new(big));
    take(other);
  }
  loose& operator=(loose&& other) {
    take(other);
    return *this;
  }
  int key() const { return key_; }
  friend bool operator<(const loose& a, const loose& b) { return a.key_ < b.key_; }
  friend bool operator==(const loose& a, const loose& b) { return a.key_ == b.key_; }

  static constexpr std::size_t big = 500;  ///< bytes
  static inline way moves = way::empties;
  static inline std::atomic<long> left{0};
  static inline std::stop_source source;

 private:
  void take(loose& other) {
    key_ = moves == way::copies ? other.key_ : std::exchange(other.key_, -1);
    if (left.fetch_sub(1) == 1) source.request_stop();
  }
  int key_;
};
inline int key_of(const loose& item) { return item.key(); }

/// The distance from one number of calls to the next one that the functions below try.
constexpr long further(long calls) { return 3 * calls; }

/// Calls `body(less)` with comparisons that throw at one call after the other, up to the last one; at every fifth call,
/// if it is `thorough`. Calls `check` after each run.
inline void with_exceptions(const std::function<void(watched_less)>& body, const std::function<void()>& check,
                            bool thorough = false) {
  constexpr long every = 5;
  for (long calls = 1, left_over = 0; left_over <= 0; calls += thorough ? every : 1 + further(calls)) {
    CAPTURE(calls);
    std::atomic<long> left{calls};
    const std::function<void()> count = [&left] {
      if (left.fetch_sub(1) == 1) throw std::runtime_error{"comparison"};
    };
    bool threw = false;
    try {
      body(watched_less{&count});
    } catch (const std::runtime_error&) {
      threw = true;
    }
    check();
    left_over = left;
    CHECK(threw == (left_over <= 0));
  }
}

/// As `with_exceptions`, with comparisons that ask for a stop.
inline void with_stops(const std::function<void(watched_less)>& body, const std::function<void()>& check) {
  for (long calls = 1, left_over = 0; left_over <= 0; calls += 1 + further(calls)) {
    CAPTURE(calls);
    std::stop_source source;
    std::atomic<long> left{calls};
    const std::function<void()> count = [&] {
      if (left.fetch_sub(1) == 1) source.request_stop();
    };
    tine::run_until_stopped(source.get_token(), [&] { body(watched_less{&count}); });
    check();
    left_over = left;
  }
}

/// Checks that `change(items, less)` loses no item if a comparison throws or asks for a stop, at one call after the
/// other.
template <class Item, class Change>
void check_that_no_item_is_lost(const std::vector<int>& from, Change change, bool thorough = false) {
  std::vector<Item> items;
  const std::function<void(watched_less)> run = [&](watched_less less) {
    items = made_of<Item>(from, [](int k) { return Item(k); });
    change(items, less);
  };
  const std::function<void()> check = [&] {
    std::vector<int> left, right = from;
    for (const Item& i : items) left.push_back(key_of(i));
    std::ranges::sort(left);
    std::ranges::sort(right);
    CHECK(left == right);
  };
  with_exceptions(run, check, thorough);
  with_stops(run, check);
}

/// Calls `change` with items that throw at one use after the other, up to `most`, and checks that all of them stay
/// alive as long as they should.
inline void check_lives(const std::vector<int>& from, long most,
                        const std::function<void(std::vector<throwing>&)>& change) {
  const auto n = static_cast<long>(from.size());
  for (long uses = 1; uses < most; uses += 1 + further(uses)) {
    CAPTURE(uses);
    {
      std::vector<throwing> items(from.begin(), from.end());
      throwing::throw_after(uses);
      bool arrived = false;
      try {
        change(items);
      } catch (const std::runtime_error&) {
        arrived = true;
      }
      if (throwing::has_thrown()) CHECK(arrived);
      CHECK(throwing::alive == n);
      throwing::throw_after(0);
    }
    CHECK(throwing::alive == 0);
  }
}

/// True for the keys that a change that drops items must keep.
constexpr bool stays(int key) { return key % 64 != 32; }

/// Checks that a change of the items with the keys from 0 up to `n`, which may have ended early, has lost none of them.
/// If it drops items, it may have left copies behind the others.
inline void check_that_none_is_lost(std::size_t n, bool drops, const std::function<void(std::vector<loose>&)>& change) {
  auto items = made_of<loose>(keys(n, pattern::sorted), [](int k) { return loose{k}; });
  change(items);
  std::vector<int> found(n);
  for (const loose& i : items) {
    if (i.key() >= 0) ++found[static_cast<std::size_t>(i.key())];
  }
  long wrong = 0;
  for (std::size_t k = 0; k < n; ++k) wrong += drops ? stays(static_cast<int>(k)) && found[k] == 0 : found[k] != 1;
  CHECK(wrong == 0);
}

/// As above, if a stop is asked for at one of these moves.
inline void check_stops(std::size_t n, std::initializer_list<long> moves,
                        const std::function<void(std::vector<loose>&)>& change, bool drops = false) {
  for (const long m : moves) {
    CAPTURE(m);
    check_that_none_is_lost(n, drops, [&](std::vector<loose>& items) {
      loose::source = std::stop_source{};
      loose::left = m;
      tine::run_until_stopped(loose::source.get_token(), [&] { change(items); });
      loose::left = 0;
    });
  }
}

/// Returns the number of comparisons that `body(less)` makes.
inline long comparisons_of(const std::function<void(watched_less)>& body) {
  std::atomic<long> calls{0};
  const std::function<void()> count = [&calls] { ++calls; };
  body(watched_less{&count});
  return calls;
}

/// The adversary of McIlroy, "A Killer Adversary for Quicksort" (1999). It decides the order of the items while they
/// are compared, so that every pivot is one of the least items. It is used on one worker, for at least two items.
class killer {
 public:
  killer(const killer&) = delete;
  killer& operator=(const killer&) = delete;
  explicit killer(std::size_t n) : values_(n, gas_), items_(n) {
    for (std::size_t i = 0; i < n; ++i) items_[i] = static_cast<int>(i);
    value(1) = solid_++;  // so that the items are not in order from the beginning
  }
  std::vector<int>& items() { return items_; }
  long calls() const { return calls_; }
  const std::function<bool(int, int)>& order() const { return order_; }

  bool less(int a, int b) {
    ++calls_;
    if (value(a) == gas_ && value(b) == gas_) value(a == candidate_ ? a : b) = solid_++;
    if (value(a) == gas_) {
      candidate_ = a;
    } else if (value(b) == gas_) {
      candidate_ = b;
    }
    return value(a) < value(b);
  }
  bool is_sorted() const {
    return std::is_sorted(items_.begin(), items_.end(), [this](int a, int b) {
      return values_[static_cast<std::size_t>(a)] < values_[static_cast<std::size_t>(b)];
    });
  }

 private:
  int& value(int item) { return values_[static_cast<std::size_t>(item)]; }

  static constexpr int gas_ = 1 << 30;
  std::vector<int> values_, items_;
  int solid_ = 0, candidate_ = 0;
  long calls_ = 0;
  const std::function<bool(int, int)> order_ = [this](int a, int b) { return less(a, b); };
};

inline double n_log_n(std::size_t n) { return static_cast<double>(n) * std::log2(static_cast<double>(n)); }

}  // namespace tine::test
