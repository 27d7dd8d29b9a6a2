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

/// An item that can be moved only, and asks for a stop when it moves for the n-th time, and then moves nevertheless.
class stopping {
 public:
  explicit stopping(int key) : item_{key} {}
  stopping(stopping&& other) noexcept : item_{std::move(other.item_)} { use(); }
  stopping& operator=(stopping&& other) noexcept {
    item_ = std::move(other.item_);
    use();
    return *this;
  }
  int key() const { return item_.key(); }

  static inline std::atomic<long> left{0};
  static inline std::stop_source source;

 private:
  static void use() {
    if (left.fetch_sub(1) == 1) source.request_stop();
  }
  move_only item_;
};

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

/// Checks that `change(items)` loses none of `n` items if a stop is asked for at one of these moves.
inline void check_stops(std::size_t n, std::initializer_list<long> moves,
                        const std::function<void(std::vector<stopping>&)>& change) {
  for (const long m : moves) {
    CAPTURE(m);
    stopping::left = 0;
    auto items = made_of<stopping>(keys(n, pattern::sorted), [](int k) { return stopping{k}; });
    stopping::source = std::stop_source{};
    stopping::left = m;
    tine::run_until_stopped(stopping::source.get_token(), [&] { change(items); });
    stopping::left = 0;
    auto found = made_of<int>(items, &stopping::key);
    std::ranges::sort(found);
    CHECK(found == keys(n, pattern::sorted));
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
