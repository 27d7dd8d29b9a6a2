// A library of wrappers, as ParlayLib has them: loops, forks and a sort that fork for their callers, some by way of
// others. For sites_app.cpp.
#pragma once

#include <tine/base/wrappers.hpp>
#include <tine/tine.hpp>

#include <algorithm>
#include <functional>
#include <span>

TINE_WRAPPERS("wrap");

namespace wrap {

template <class Body>
void parallel_for(int n, const Body& body) {
  tine::par_for(0, n, [&body](int i) { body(i); });
}

template <class F, class G>
void both(const F& f, const G& g) {
  tine::par([&f] { f(); }, [&g] { g(); });
}

/// A wrapper that compilers don't inline, and that hides its caller's types.
[[gnu::noinline]] inline void erased_for(int n, const std::function<void(int)>& body) {
  parallel_for(n, body);
  asm volatile("");
}

/// A recursion inside of a wrapper: each of its forks is its caller's.
[[gnu::noinline]] inline void sort(std::span<int> a) {
  if (a.size() < 100) return std::sort(a.begin(), a.end());
  const auto middle = a.begin() + static_cast<long>(a.size() / 2);
  std::nth_element(a.begin(), middle, a.end());
  const std::size_t half = a.size() / 2;
  both([=] { sort(a.first(half)); }, [=] { sort(a.subspan(half)); });
}

/// A sequence that fills itself in parallel.
class sequence {
 public:
  explicit sequence(int n) : values_(static_cast<std::size_t>(n)) {
    parallel_for(n, [this](int i) { values_[static_cast<std::size_t>(i)] = i * 7919 % 1'009; });
  }
  std::span<int> all() { return values_; }

 private:
  std::vector<int> values_;
};

/// A coroutine that forks for its caller.
template <class F>
tine::task<long> twice(F f) {
  long left = 0;
  co_await tine::fork(&left, f);
  const long right = co_await tine::call(f);
  co_await tine::join;
  co_return left + right;
}

}  // namespace wrap
