// The table of analyses, part of the runtime and of the tools; docs/internals/adding-an-analysis.md adds an entry.
// Constant data.
#include "trace/analyses.hpp"

#include <span>

namespace tine::trace {
namespace {

constexpr analysis_entry entries[] = {
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
     .section =
         {"grain", "Granularity",
          "Each mark is one fork or loop: how much work lies below it, and how much of that there is per fork. Marks in the shaded zone fork too often."}},
    {.flag = space,
     .name = "space",
     .words = {"space"},
     .title = "memory on one worker and in the worst schedule; preloads libtine_space.so",
     .needs = work_span | grain,
     .observes_malloc = true,
     .usual_cost = {300, 300},
     .columns = {"bytes"},
     .section =
         {"space", "Space",
          "How much memory strands hold at once: when one worker runs everything in order (S₁), and in the worst moment that any schedule can bring about (S∞)."}},
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
          "Left to right is time along the critical path, drawn in red; what is stacked may run at the same time. A box is as wide as its span, and the blank beside it is time in which its neighbours still run."}},
    {.flag = races,
     .name = "races",
     .words = {"race"},
     .title = "determinacy races of a program that is instrumented for them; see `tine race --help`",
     .is_check = true,
     .strict = "determinism",
     .section =
         {"races", "Races",
          "Two accesses to the same memory by strands that may run at the same time, at least one of them a write. Each row is a pair of lines; the paths show where the strands part."}},
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
     .section =
         {"timeline", "Timeline",
          "Each row is a worker. A bar is a strand, named after the fork or loop that it comes from; between bars, the colour says why the worker had nothing to run."}},
    {.flag = sampled,
     .name = "sampled",
     .words = {"sample"},
     .title = "work and span from a small part of the forks, for production; without grain, space, trace, timeline",
     .needs = work_span,
     .is_partial = true,
     .usual_cost = {90, 60}},
};

}  // namespace

constinit const std::span<const analysis_entry> analyses{entries};

}  // namespace tine::trace
