// Phases that fork in halves down to single blocks, for every runtime whose loops have `fork`; see loops/managed.hpp.
#pragma once

namespace bench {

/// `IsWhole` returns true if the range needs no more forks. If it is null, ranges are forked down to single blocks.
template <class Loops, bool (*IsWhole)() noexcept = nullptr>
class halved_blocks {
 public:
  template <class Body>
  void operator()(int count, const Body& body) const {
    halve(0, count, body);
  }

 private:
  template <class Body>
  [[gnu::noinline]] static void halve(int first, int last, const Body& body) {
    if (last - first == 1) return body(first, last);
    if constexpr (IsWhole != nullptr) {
      if (IsWhole()) return body(first, last);
    }
    const int middle = first + (last - first) / 2;
    Loops{}.fork([=, &body] { halve(first, middle, body); }, [=, &body] { halve(middle, last, body); });
  }
};

}  // namespace bench
