// The analyses that a profile may contain: one table entry each. TINE_PROFILE, the command line, `tine calibrate`, the costs of
// profiling, the reports and the page read this table; docs/internals/adding-an-analysis.md adds an entry.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

namespace tine::trace {

/// The flags of the analyses, of which `run::analyses` is a sum.
enum analysis : std::uint32_t {
  work_span = 1,
  grain = 2,
  space = 4,
  dag = 8,
  races = 16,
  locks = 32,
  timeline = 64,
};

/// The time that profiling adds to a fork and to a loop, in nanoseconds.
struct profiling_cost {
  double fork, loop;
};

/// The section of the page that shows an analysis. An analysis without a section is shown by the other sections.
struct page_section {
  std::string_view id, title, about;
};

struct analysis_entry {
  analysis flag;
  std::string_view name;                  ///< in JSON and in the page's data
  std::array<std::string_view, 2> words;  ///< in TINE_PROFILE and `--analyses`; the second one may be empty
  std::string_view title;                 ///< one line for `tine profile --help`
  std::uint32_t needs = 0;                ///< the flags of the analyses without which this one cannot be measured
  bool is_usual = false;                  ///< `tine profile` measures it unless it is given a list
  bool observes_malloc = false;           ///< `tine profile` preloads the library that observes malloc
  bool observes_locks = false;            ///< `tine doctor` preloads the library that observes locks
  bool is_check =
      false;  ///< it looks for errors, alone: it is combined with no other analysis, and `tine calibrate` does not time it
  profiling_cost usual_cost = {};  ///< together with the analyses that it needs, until `tine calibrate` has measured it
  std::string_view strict = {};    ///< of a check: a word that may stand beside its own and makes it stricter
  std::array<std::string_view, 2> columns =
      {};  ///< of the table of call sites: shown only if this analysis was measured
  page_section section = {};
};

inline constexpr analysis_entry analyses[] = {
    {.flag = work_span,
     .name = "work_span",
     .words = {"work", "span"},
     .title = "always measured: work, span, burdened span, forks, by root and by call site",
     .is_usual = true,
     .usual_cost = {40, 35}},
    {.flag = grain,
     .name = "grain",
     .words = {"grain"},
     .title = "each fork and loop above a threshold, for the scatter of work against work per fork",
     .needs = work_span,
     .is_usual = true,
     .usual_cost = {120, 100},
     .section = {"grain", "Granularity",
                 "Each mark is one fork or loop: how much work lies below it, and how much of that there is per fork. "
                 "Marks in the shaded zone fork too often."}},
    {.flag = space,
     .name = "space",
     .words = {"space"},
     .title = "memory on one worker and in the worst schedule; preloads libtine_space.so",
     .needs = work_span | grain,
     .observes_malloc = true,
     .usual_cost = {300, 300},
     .columns = {"bytes"},
     .section = {"space", "Space",
                 "How much memory strands hold at once: when one worker runs everything in order (S₁), and in the "
                 "worst moment that any schedule can bring about (S∞)."}},
    {.flag = dag,
     .name = "dag",
     .words = {"trace"},
     .title = "the series-parallel dag, for the critical path",
     .needs = work_span | grain,
     .is_usual = true,
     .usual_cost = {200, 200},
     .columns = {"span_share"},
     .section =
         {"dag", "The computation",
          "Left to right is time along the critical path, drawn in red; what is stacked may run at the same time. A "
          "box is as wide as its span, and the blank beside it is time in which its neighbours still run."}},
    {.flag = races,
     .name = "races",
     .words = {"race"},
     .title = "determinacy races of a program that is instrumented for them; see `tine race --help`",
     .is_check = true,
     .strict = "determinism",
     .section = {"races", "Races",
                 "Two accesses to the same memory by strands that may run at the same time, at least one of them a "
                 "write. Each row is a pair of lines; the paths show where the strands part."}},
    {.flag = locks,
     .name = "locks",
     .words = {"locks"},
     .title = "locks held over forks and joins, orders that can deadlock, long waits; see `tine doctor --help`",
     .observes_locks = true,
     .is_check = true},
    {.flag = timeline,
     .name = "timeline",
     .words = {"timeline"},
     .title = "what each worker did when: strands, steals, waits, and the reason of each gap",
     .needs = work_span,
     .usual_cost = {40, 35},
     .section = {"timeline", "Timeline",
                 "Each row is a worker. A bar is a strand, named after the fork or loop that it comes from; between "
                 "bars, the colour says why the worker had nothing to run."}},
};

/// Returns the entry that has `word` among its words; null if there is none.
constexpr const analysis_entry* analysis_named(std::string_view word) noexcept {
  for (const analysis_entry& entry : analyses) {
    if (!word.empty() && (entry.words[0] == word || entry.words[1] == word)) return &entry;
  }
  return nullptr;
}

/// Returns the check that has `word` as its stricter form; null if there is none.
constexpr const analysis_entry* check_with_strict(std::string_view word) noexcept {
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
