// Phases without forks: all blocks are one range.
#pragma once

namespace bench {

struct serial_blocks {
  template <class Body>
  void operator()(int /*shape*/, int count, const Body& body) const {
    body(0, count);
  }
};

}  // namespace bench
