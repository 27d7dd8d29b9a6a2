// The sampled analysis of work and span: a work_span that observes a small part of the forks, and skips the rest. Its
// results are intervals (docs/internals/decisions/067-a-sampled-analysis-skips-short-branches.md).
#pragma once

#include <tine/augment/work_span.hpp>
#include <tine/base/ticks.hpp>
#include <tine/detail/augment/kind.hpp>
#include <tine/detail/augment/single_observer.hpp>

namespace tine::detail {

/// Used with a work_span, on strands without another vertex.
extern const vertex_kind sampled_kind;

/// A root that the program brought at that place has ended.
void end_sampled_root(sched::site where, base::ticks work) noexcept;

/// Sets the time above which branches and chunks are not skipped: the width of the interval around a long chain. To be
/// called while no strand is observed.
void set_longest_skipped(base::ticks t) noexcept;

}  // namespace tine::detail
