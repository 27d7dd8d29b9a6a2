// The answer of a report: in words, what limits the speed-up of the program, where to look, and what a change would
// bring.
#pragma once

#include "cli/load.hpp"
#include "cli/palette.hpp"

#include <cstdint>
#include <string>

namespace tine::cli {

/// A kind of limit. `unknown`: the profile lacks the analyses that tell, or has taken too much of the time.
enum class limit : std::uint8_t {
  unknown,
  none,           ///< on this number of workers
  nothing_ran,    ///< the program made no call into a pool
  never_forks,    ///< it calls into pools, but doesn't fork
  outside,        ///< the serial time between calls into pools
  serial_strand,  ///< a strand of a call beside which nothing can run
  narrow,         ///< a strand below a fork or loop is as long as all others together
  too_fine,       ///< forks have so little work that forking takes much of the time
  too_short,      ///< parallel pieces are short beside what it takes to move them to another worker
};

/// Returns a word for JSON, such as "too fine".
std::string name_of(limit l);

struct answer {
  limit is = limit::unknown;
  std::string where;  ///< the place to look at; empty if there is none
  std::string text;   ///< a paragraph
};

/// Returns the answer for the program's own number of workers, or for two if it had one. If nothing limits it there,
/// the text says what would on eight times as many. `file`: the profile's name, for the commands in the text.
///
/// Each limit is weighed by what its removal would bring, as `tine whatif` predicts it; the answer is the largest. One
/// that would bring less than `least_gain` is no limit.
answer answer_of(const loaded& l, const std::string& file);

/// Returns the line of the answer; an empty text if there is none.
std::string answer_text(const answer& a, const palette& paint);

/// The least share of the time that a limit takes.
inline constexpr double least_gain = 0.1;

}  // namespace tine::cli
