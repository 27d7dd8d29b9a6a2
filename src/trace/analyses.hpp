// The analyses that a profile may contain, each with an entry in the table in analyses.cpp. TINE_PROFILE, the command
// line, `tine calibrate`, the costs of profiling, the reports and the page read this table. It is constant data.
#pragma once

#include "trace/profile.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tine::trace {

/// The time that profiling adds to a fork and to a loop, in nanoseconds.
struct profiling_cost {
  double fork, loop;
};

/// The section of the page that shows an analysis. If an analysis has none, other sections show it.
struct page_section {
  std::string_view id, title, about;
};

struct analysis_entry {
  analysis flag;
  std::string_view name;                  ///< in JSON and in the page's data
  std::array<std::string_view, 2> words;  ///< in TINE_PROFILE and `--analyses`; the second one may be empty
  std::string_view title;                 ///< one line for `tine profile --help`
  std::uint32_t needs = 0;                ///< the flags of the analyses that this one needs
  bool is_usual = false;                  ///< `tine profile` measures it unless it is given a list
  bool observes_malloc = false;           ///< `tine profile` preloads the library that observes malloc
  bool observes_locks = false;            ///< `tine doctor` preloads the library that observes locks
  bool is_check = false;                  ///< it looks for errors, alone: it is combined with no other analysis
  bool is_partial = false;         ///< it observes a part of the forks, without other analyses but those that it needs
  profiling_cost usual_cost = {};  ///< together with the analyses that it needs, until `tine calibrate` has measured it
  std::string_view strict = {};    ///< of a check: a word that may stand beside its own and makes it stricter
  /// of the table of call sites: shown only if this analysis was measured
  std::array<std::string_view, 2> columns = {};
  page_section section = {};

  /// Returns true if `tine calibrate` times it.
  constexpr bool is_timed() const noexcept { return !is_check && !is_partial; }
};

/// The analyses, in the order of their flags.
extern const std::span<const analysis_entry> analyses;

/// Returns the entry that has `word` among its words; null if there is none.
inline const analysis_entry* analysis_named(std::string_view word) noexcept {
  for (const analysis_entry& entry : analyses) {
    if (!word.empty() && (entry.words[0] == word || entry.words[1] == word)) return &entry;
  }
  return nullptr;
}

/// Returns the check that has `word` as its stricter form; null if there is none.
inline const analysis_entry* check_with_strict(std::string_view word) noexcept {
  for (const analysis_entry& entry : analyses) {
    if (!word.empty() && entry.strict == word) return &entry;
  }
  return nullptr;
}

/// Returns the words of the entries for which `is_wanted` is true, as in "work, span, grain" for the separator ", ".
template <class Wanted>
std::string words_of_analyses(std::string_view separator, Wanted is_wanted) {
  std::string all;
  for (const analysis_entry& entry : analyses) {
    if (!is_wanted(entry)) continue;
    for (const std::string_view word : entry.words) {
      if (word.empty()) continue;
      if (!all.empty()) all += separator;
      all += word;
    }
  }
  return all;
}

/// Returns the words of all analyses, as in "work, span, grain".
inline std::string words_of_analyses() {
  return words_of_analyses(", ", [](const analysis_entry&) { return true; });
}

}  // namespace tine::trace
