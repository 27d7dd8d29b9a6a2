// Schedules: they choose which thread runs next, and contain all the nondeterminism of a run.
//
// A schedule is written as text: `none` never promotes, `eager` promotes whenever it can, `seed:42` draws at random,
// and `script:t0:12 t0! t1 t0` lists all turns: a thread and how many steps it makes, or `!` for a promotion. After the
// script's end threads run without promotion. Turns in parentheses at the end of a script, `script:t0 (t1 t0)`, are
// repeated for ever.
#pragma once

#include "ir/semantics.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tine::spork {

/// A thread and the number of its steps, or a promotion.
struct turn {
  action what;
  std::size_t steps = 1;
};

class schedule {
 public:
  virtual ~schedule() = default;
  /// Returns the next turn, which must be possible in `r`. `r` is not final.
  virtual turn next(const semantics& rules, const pool& r) = 0;
};

/// Returns the schedule that `text` describes. Throws std::invalid_argument with a message.
std::unique_ptr<schedule> make_schedule(std::string_view text);

/// Returns a trace as a script, without the word `script:`.
std::string show(const std::vector<action>& trace);

}  // namespace tine::spork
