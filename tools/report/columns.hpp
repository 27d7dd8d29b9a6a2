// The columns of the table of call sites, on the terminal and on the page.
#pragma once

#include "trace/analyses.hpp"
#include "trace/field.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tine::report {

struct site_column {
  std::string_view key;      ///< the field of `site_view` that it shows
  std::string_view heading;  ///< on the terminal
  int rank = 0;              ///< the terminal drops the column with the highest rank first if there is no space
  std::string_view title;    ///< on the page; empty if the page does not have the column
  std::string_view about;
  trace::unit of = trace::unit::none;
};

inline constexpr site_column site_columns[] = {
    {"work", "work", 0, "Work", "of everything below it", trace::unit::nanoseconds},
    {"share", "share", 1, "", "", trace::unit::share},
    {"span_share", "of span", 2, "Span share", "of the critical path", trace::unit::share},
    {"forks", "forks", 3, "Forks", "logical forks below it; a loop of n counts n − 1"},
    {"work_per_fork", "w/f", 0, "Work per fork", "the grain, without what this profile added",
     trace::unit::nanoseconds},
    {"promoted", "promoted", 6, "Promoted", "so that another worker could steal it"},
    {"stolen", "stolen", 4, "Stolen", "by another worker"},
    {"bytes", "bytes", 7, "Bytes", "held at the worst moment", trace::unit::bytes},
};

/// Returns the columns that a profile with these analyses has. An analysis names the columns that only it fills.
inline std::vector<site_column> columns_with(std::uint32_t analyses) {
  std::vector<site_column> all;
  for (const site_column& column : site_columns) {
    const bool is_unknown = std::ranges::any_of(trace::analyses, [&](const trace::analysis_entry& entry) {
      return (analyses & entry.flag) == 0 && std::ranges::count(entry.columns, column.key) != 0;
    });
    if (!is_unknown) all.push_back(column);
  }
  return all;
}

}  // namespace tine::report
