// What `tine schedule` makes of a schedule, one function and one file each.
#pragma once

#include <tine/replay/schedule.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tine::cli {

/// The tree, and a table of workers. Of what lies more than `depth` branches deep only the number is shown.
std::string schedule_text(const schedule& s, unsigned depth, std::size_t width);
/// The workers and the strands in the order of their begins, as JSON.
std::string schedule_json(const schedule& s);

/// A picture, a row for each worker. `name` is its title.
std::string schedule_svg(const schedule& s, const std::string& name);
std::string schedule_html(const schedule& s, const std::string& name);

std::string schedule_perfetto(const schedule& s);
std::string schedule_dot(const schedule& s);

/// What differs, at most `lines` of it, and how much.
struct schedule_differences {
  bool any = false;
  std::string text;
};
/// Times are not compared, and of stamps only the order that they give each worker.
schedule_differences compare_schedules(const schedule& before, const schedule& after, std::size_t lines);

/// What each worker did.
struct worker_row {
  int worker;
  std::size_t strands;
  std::uint64_t busy_ns, idle_ns;
};
/// Of those that ran anything.
std::vector<worker_row> worker_rows(const schedule& s);

/// "3 workers, 5 steals, 4 joins, 712 B, 400 ns".
std::string in_one_line(const schedule& s);
std::size_t joins_of(const schedule& s);

}  // namespace tine::cli
