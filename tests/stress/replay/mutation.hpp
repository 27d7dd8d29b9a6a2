// Random changes of schedules. A changed schedule is still a tree, but of no program.
#pragma once

#include "../command.hpp"

#include <tine/replay/schedule.hpp>

#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace tine::stress {

class mutation {
 public:
  mutation(const schedule& s, std::uint64_t seed)
      : random_{seed},
        workers_{s.workers()},
        root_{s.root()},
        nodes_{s.nodes()},
        steps_{s.steps()},
        pieces_{s.pieces()} {}

  std::optional<schedule> make() {
    for (std::uint64_t n = 1 + next() % 4; n > 0; --n) change();
    try {
      return schedule{workers_, root_, nodes_, steps_, pieces_};
    } catch (const std::invalid_argument&) {
      return std::nullopt;
    }
  }

 private:
  std::uint64_t next() { return random_ = mix(random_); }
  template <class T>
  T& any(std::vector<T>& v) {
    return v[next() % v.size()];
  }
  schedule::segment& any_segment() {
    if (steps_.empty()) return root_;
    return next() % 2 == 0 ? any(steps_).after : any(pieces_).run;
  }
  int any_worker() { return static_cast<int>(next() % workers_); }

  void change() {
    switch (next() % 8) {
      case 0:
        any_segment().owner = any_worker();
        break;
      case 1:
        std::swap(any_segment().stamp, any_segment().stamp);
        break;
      case 2:
        if (!steps_.empty()) any(steps_).number += static_cast<std::uint32_t>(next() % 3);
        break;
      case 3:
        if (!steps_.empty()) any(steps_).after = {};
        break;
      case 4:
        if (!pieces_.empty()) any(pieces_).run.owner = schedule::no_worker;
        break;
      case 5:
        if (!pieces_.empty()) any(pieces_).begin += next() % 3;
        break;
      case 6:
        if (!steps_.empty()) any(steps_).count = 2 + next() % 50;
        break;
      case 7:
        root_.owner = any_worker();
        for (schedule::piece& p : pieces_) {
          if (p.run.owner != schedule::no_worker && next() % 2 == 0) p.run.owner = any_worker();
        }
        break;
    }
  }

  std::uint64_t random_;
  unsigned workers_;
  schedule::segment root_;
  std::vector<schedule::node> nodes_;
  std::vector<schedule::step> steps_;
  std::vector<schedule::piece> pieces_;
};

inline std::optional<schedule> mutated(const schedule& s, std::uint64_t seed) { return mutation{s, seed}.make(); }

}  // namespace tine::stress
