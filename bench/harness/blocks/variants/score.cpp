// The variants on tine with schedules: each phase is recorded, or follows the schedule of the initialisation (relaxed or strict), a
// schedule tuned by idle workers, a coarsened schedule, or the program's own assignment.
#include "harness/blocks/variants/program_of_phases.hpp"

#include "harness/blocks/managed.hpp"
#include "harness/blocks/owned.hpp"
#include "harness/blocks/score.hpp"
#include "initialise.hpp"  // the program's

namespace bench {

namespace {

using schedules = score<managed_blocks<problem>>;

/// Places the data and finds schedules by `Find`, or follows the schedules found. Each variant has schedules of its own.
template <void (schedules::*Find)(problem&), tine::replay_mode How = tine::replay_mode::strict_ordered,
          class As = managed_blocks<problem>>
void find_and_follow(problem& p, stage s) {
  static schedules its;
  s == stage::place ? (its.*Find)(p) : its.follow<As>(p, How);
}

}  // namespace

void recorded(problem& p, stage s) { perform(p, s, recorded_blocks<managed_blocks<problem>>{}); }
void relaxed(problem& p, stage s) { find_and_follow<&schedules::record, tine::replay_mode::relaxed>(p, s); }
void record_strict(problem& p, stage s) { find_and_follow<&schedules::record>(p, s); }
void iterative_relaxed(problem& p, stage s) { find_and_follow<&schedules::relax>(p, s); }
void iterative_finest(problem& p, stage s) {
  find_and_follow<&schedules::relax_finest, tine::replay_mode::strict_unordered>(p, s);
}
void coarsened(problem& p, stage s) {
  find_and_follow<&schedules::coarsen, tine::replay_mode::strict_ordered, coarse_blocks<problem>>(p, s);
}
void user_specified(problem& p, stage s) { perform(p, s, owned_blocks<problem>{}); }

}  // namespace bench
