// Phases on tine's coroutines, forked in halves down to single blocks.
#pragma once

#include <tine/coro.hpp>

namespace bench {

class coro_blocks {
 public:
  template <class Body>
  void operator()(int count, const Body& body) const {
    tine::run(halve<Body>, 0, count, &body);
  }

 private:
  template <class Body>
  static tine::task<void> halve(int first, int last, const Body* body) {
    if (last - first == 1) {
      (*body)(first, last);
      co_return;
    }
    const int middle = first + (last - first) / 2;
    co_await tine::fork<halve<Body>>(first, middle, body);
    co_await tine::call<halve<Body>>(middle, last, body);
    co_await tine::join;
  }
};

}  // namespace bench
