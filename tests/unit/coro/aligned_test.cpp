// Locals, parameters and results of tasks whose types ask for 32 or 64 bytes of alignment, at every place of a stack.
// The file is also compiled alone, without optimisation and with much of it, for processors with wide vectors.
#include <tine/coro.hpp>

#include "unit/ways.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>

namespace {

using tine::call;
using tine::fork;
using tine::join;
using tine::task;
using tine::test::check_in_every_way;
using tine::test::meeting;

/// Returns 1 if `p` is not a multiple of its type's alignment. The compiler doesn't see the address.
template <class T>
int is_off(const T& value) {
  const T* p = &value;
  asm volatile("" : "+r"(p));
  return reinterpret_cast<std::uintptr_t>(p) % alignof(T) != 0;
}

template <std::size_t Bytes>
struct alignas(Bytes) wide {
  std::array<double, Bytes / sizeof(double)> v;
};
using four = double __attribute__((vector_size(32)));
using eight = double __attribute__((vector_size(64)));

/// A frame whose length decides where the next one starts.
template <std::size_t Words, class F>
task<int> behind(meeting& m, F f, int depth) {
  std::array<long, Words> ballast{};
  ballast[static_cast<std::size_t>(depth) % Words] = depth;
  const int wrong = co_await call(f, m, depth);
  co_return wrong + (ballast[static_cast<std::size_t>(depth) % Words] != depth);
}

template <class T>
task<T> doubled(meeting& m, T x) {
  m.first();
  T local = x;
  const int off = is_off(local) + is_off(x);
  co_await join;
  for (std::size_t i = 0; i < sizeof(T) / sizeof(double); ++i) reinterpret_cast<double*>(&local)[i] *= 2 - 10 * off;
  co_return local;
}

/// Holds a `T` over a fork, calls and a join. Returns the number of mistakes.
template <class T>
task<int> holds(meeting& m, int depth) {
  T local{}, forked{};
  double* const items = reinterpret_cast<double*>(&local);
  items[0] = depth;
  auto scratch = co_await tine::scratch<T>(1);
  scratch[0] = local;
  co_await fork<doubled<T>>(&forked, m, local);
  m.second();
  int wrong = is_off(local) + is_off(forked) + is_off(scratch[0]);
  const T called = co_await call(doubled<T>, m, local);
  wrong += is_off(called);
  co_await join;
  wrong += reinterpret_cast<const double*>(&called)[0] != 2 * depth;
  wrong += reinterpret_cast<const double*>(&forked)[0] != 2 * depth;
  co_return wrong + (items[0] != depth);
}

template <class T>
task<int> mistakes(meeting& m) {
  int wrong = 0;
  for (int depth = 0; depth < 100; ++depth) {
    m.again();
    const auto hold = holds<T>;
    wrong += co_await call(behind<1, decltype(hold)>, m, hold, depth);
    m.again();
    wrong += co_await call(behind<3, decltype(hold)>, m, hold, depth);
    m.again();
    wrong += co_await call(behind<5, decltype(hold)>, m, hold, depth);
    m.again();
    wrong += co_await call(behind<7, decltype(hold)>, m, hold, depth);
  }
  co_return wrong;
}

/// A vector that the compiler keeps in the frame by itself: no code takes its address.
task<double> vectors(meeting& m, double x) {
  four v{x, x, x, x};
  eight w{x, x, x, x, x, x, x, x};
  for (int i = 0; i < 3; ++i) {
    v += v;
    co_await call(doubled<double>, m, x);
    w += w;
  }
  co_return v[3] + w[7];
}
task<int> vector_mistakes(meeting& m, int depth) {
  const double sum = co_await call(vectors, m, depth);
  co_return sum != 16.0 * depth;
}

TEST_CASE("variables in a frame are aligned as their types ask for, up to 64 bytes") {
  check_in_every_way(0, &mistakes<wide<16>>);
  check_in_every_way(0, &mistakes<wide<32>>);
  check_in_every_way(0, &mistakes<wide<64>>);
}

TEST_CASE("vectors live over a co_await") {
  for (int depth = 0; depth < 8; ++depth) {
    meeting m{false};
    CHECK(tine::run(vector_mistakes, m, depth) == 0);
    CHECK(tine::run(behind<1, decltype(&vector_mistakes)>, m, &vector_mistakes, depth) == 0);
    CHECK(tine::run(behind<3, decltype(&vector_mistakes)>, m, &vector_mistakes, depth) == 0);
    CHECK(tine::run(behind<5, decltype(&vector_mistakes)>, m, &vector_mistakes, depth) == 0);
  }
}

TEST_CASE("an aligned frame gives back the gap before it") {
  tine::pool one{{.workers = 1}};
  const auto tops = [](meeting& m) -> task<int> {
    const auto top = [] { return tine::detail::fiber_state::get<tine::detail::stack_top>(); };
    const auto before = top();
    int moved = 0;
    for (int i = 0; i < 100; ++i) {
      co_await call(holds<wide<64>>, m, i);
      moved += top() != before;
    }
    co_return moved;
  };
  meeting m{false};
  CHECK(one.run(tops, m) <= 1);  // not where the frame is the first of a stacklet
}

}  // namespace
