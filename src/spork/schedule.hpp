// Who runs next: the nondeterminism of a run, taken out of it.
//
// Written: `none` never promotes, `eager` always, `seed:42` draws, `script:t0:12 t0! t1 t0` says it all: a thread and how many
// steps it makes, `!` for a promotion. Behind the script's end threads run on without promotion. Turns in parentheses at the end of
// a script, `script:t0 (t1 t0)`, are repeated for ever.
#pragma once

#include "spork/semantics.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tine::spork {

/// A thread and so many steps of its own, or a promotion.
struct turn {
  action what;
  std::size_t steps = 1;
};

class schedule {
 public:
  virtual ~schedule() = default;
  /// What `r` does next, which must be possible. `r` is not final.
  virtual turn next(const semantics& rules, const pool& r) = 0;
};

/// The schedule that `text` says. Throws std::invalid_argument with a message.
std::unique_ptr<schedule> make_schedule(std::string_view text);

/// A trace as a script, without the word `script:`.
std::string show(const std::vector<action>& trace);

}  // namespace tine::spork
