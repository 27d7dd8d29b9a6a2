// Phases whose blocks the program itself assigns to workers: the same number for each worker, neighbours together
// (constrained stealing, §IV-B). Each phase is a region in which no other task leaves its worker.
#pragma once

#include <tine/replay.hpp>

#include <cstdint>
#include <type_traits>

namespace bench {

/// Forks a phase in halves. The second half goes to a worker that has no blocks of the first half.
class owned_halves {
 public:
  template <class Body>
  void operator()(int count, const Body& body) const {
    tine::replay({}, tine::replay_mode::strict_unordered, [&] { halve(0, count, parts{count}, body); });
  }

 private:
  struct parts {
    int blocks;
    int workers = static_cast<int>(tine::worker_count());
    int owner(int block) const { return static_cast<int>(std::int64_t{block} * workers / blocks); }
  };

  template <class Body>
  static void halve(int first, int last, parts of, const Body& body) {
    const int owner = of.owner(first);
    if (of.owner(last - 1) == owner) return body(first, last);
    int middle = first + (last - first) / 2;  // parts differ by one block at most, so a boundary is here or later
    while (of.owner(middle) == of.owner(middle - 1)) ++middle;
    tine::par_on(
        of.owner(middle), [=, &body] { halve(first, middle, of, body); },
        [=, &body] { halve(middle, last, of, body); });
  }
};

struct owned_loop {
  template <class Body>
  void operator()(int count, const Body& body) const {
    tine::replay({}, tine::replay_mode::strict_unordered, [&] {
      tine::par_for_on(tine::block(static_cast<std::uint64_t>(count)), 0, count,
                       [&body](int block) { body(block, block + 1); });
    });
  }
};

/// The form of phases that the problem selects.
template <class Problem>
using owned_blocks = std::conditional_t<Problem::forks_in_halves, owned_halves, owned_loop>;

}  // namespace bench
