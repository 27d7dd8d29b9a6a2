// The views of a schedule that `tine schedule` shows, one function and one file each.
#pragma once

#include "cli/palette.hpp"

#include <tine/replay/schedule.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tine::cli {

/// Returns the tree, and a table of workers. The tree shows only the number of the steals that are more than `depth`
/// branches deep.
std::string schedule_text(const schedule& s, unsigned depth, std::size_t width, const palette& paint);
/// Returns the workers, and the strands in the order in which they begin, as JSON.
std::string schedule_json(const schedule& s);

/// Return a picture with a row for each worker. `name` is its title.
std::string schedule_svg(const schedule& s, const std::string& name);
std::string schedule_html(const schedule& s, const std::string& name);

std::string schedule_perfetto(const schedule& s);
std::string schedule_dot(const schedule& s);

/// The differences as text, at most `lines` of them, and their numbers.
struct schedule_differences {
  bool any = false;
  std::string text;
};
/// Compares no times, and of the stamps only the order of the strands of each worker.
schedule_differences compare_schedules(const schedule& before, const schedule& after, std::size_t lines,
                                       const palette& paint);

/// The strands and the time of one worker.
struct worker_row {
  int worker;
  std::size_t strands;
  std::uint64_t busy_ns, idle_ns;
};
/// Returns a row for each worker that ran a strand.
std::vector<worker_row> worker_rows(const schedule& s);

/// Returns a line such as "3 workers, 5 steals, 4 joins, 712 B, 400 ns".
std::string in_one_line(const schedule& s);
std::size_t joins_of(const schedule& s);

}  // namespace tine::cli
