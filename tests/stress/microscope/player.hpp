// Runs scenes through the front ends of the product: forks by tine::par, loops by tine::par_for, both also by
// coroutines, and all of these also in regions of their own.
#pragma once

#include <tine/augment.hpp>
#include <tine/stop.hpp>
#include <tine/tine.hpp>

#include "stress/microscope/scene.hpp"

#include <exception>
#include <utility>

namespace tine::stress {

struct oops {};

/// Calls `hear(event)` on the strand of each event.
template <class Hear>
class player {
 public:
  explicit player(Hear hear) : hear_{std::move(hear)} {}

  /// Plays a part to its end, even if an earlier part throws, because the parts that an exception stops depend on the
  /// schedule.
  void play(part& p) const {
    unstoppable([&] { play_on(p); });
  }

 private:
  void play_on(part& p) const {
    p.begun = true;
    for (scene& s : p.body) {
      try {
        run(s);
      } catch (const oops&) {
        if (!s.catches) throw;
      }
    }
  }

  void run(scene& s) const {
    if (s.is == test::step::kind::act) return act(s);
    if (!s.is_region) return run_here(s);
    augment_into([&] { run_here(s); }, s.inside);
  }

  void act(const scene& s) const {
    hear_(s.what);
    if (s.throws) throw oops{};
  }

  void run_here(scene& s) const {
    if (s.is_coroutine) {
      tine::run(forks, this, &s);
    } else if (s.is == test::step::kind::fork) {
      tine::par([&] { play(s.parts[0]); }, [&] { play(s.parts[1]); });
    } else {
      tine::par_for(s.parts, [&](part& p) { play(p); });
    }
  }

  /// Runs a fork or a loop as a coroutine. The second branch of a fork is the code after the first branch.
  static task<> forks(const player* self, scene* s) {
    const bool is_fork = s->is == test::step::kind::fork;
    co_await tine::fork(play_in_task, self, &s->parts[0]);
    if (is_fork) co_await tine::call(play_in_task, self, &s->parts[1]);
    for (std::size_t i = 1; i < s->parts.size() && !is_fork; ++i) co_await tine::fork(play_in_task, self, &s->parts[i]);
    co_await tine::join;
  }

  /// Like `play`, but tasks call tasks where they can.
  static task<> play_in_task(const player* self, part* p) {
    p->begun = true;
    for (scene& s : p->body) {
      try {
        if (s.is_coroutine && !s.is_region) {
          co_await tine::call(forks, self, &s);
        } else {
          self->run(s);
        }
      } catch (const oops&) {
        if (!s.catches) throw;
      }
    }
  }

  Hear hear_;
};

}  // namespace tine::stress
