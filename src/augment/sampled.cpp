// The sampled analysis of work and span, by the clock of strands.
#include "augment/sampled.hpp"

#include "augment/sampled_fork.hpp"

#include <tine/augment/work_span.hpp>
#include <tine/detail/augment/strand_clock.hpp>

namespace tine::detail {
namespace {

struct clock_of_strands {
  static base::ticks now() noexcept { return strand_now(); }
  static base::ticks rested() noexcept { return strand_now_after_rest(); }
};

using sampled = sampled_fork<work_span, clock_of_strands>;

}  // namespace

constinit const vertex_kind sampled_kind = sampled::kind;

void end_sampled_root(sched::site where, base::ticks work) noexcept { sampled::end_root(where, work); }

void set_longest_skipped(base::ticks t) noexcept { sampled::hooks.longest = t; }

}  // namespace tine::detail
