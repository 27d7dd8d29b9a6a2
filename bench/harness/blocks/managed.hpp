// Phases on tine's managed forks: halves down to single blocks, or a loop over the blocks.
#pragma once

#include "harness/blocks/partition.hpp"

#include <tine/managed.hpp>

namespace bench {

class forked_blocks {
 public:
  template <class Body>
  void operator()(int /*shape*/, int count, const Body& body) const {
    halve(0, count, body);
  }

 private:
  template <class Body>
  [[gnu::noinline]] static void halve(int first, int last, const Body& body) {
    if (last - first == 1) return body(first, last);
    const int middle = first + (last - first) / 2;
    tine::par([=, &body] { halve(first, middle, body); }, [=, &body] { halve(middle, last, body); },
              [](tine::nothing, tine::nothing) {});
  }
};

struct looped_blocks {
  template <class Body>
  void operator()(int /*shape*/, int count, const Body& body) const {
    tine::par_for(0, count, [&body](int block) { body(block, block + 1); });
  }
};

}  // namespace bench
