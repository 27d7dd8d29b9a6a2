// Checks that a program asks for itself.
#include <tine/race/check_races.hpp>

#include "race/contexts.hpp"
#include "race/found_races.hpp"
#include "race/strand_events.hpp"

#include "sched/scheduler_time.hpp"
#include "trace/write.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>

namespace tine {
namespace detail {

struct race_rows {
  trace::profile p;
};

struct alignas(16) checked_run::state {
  vertex_node head;
  std::byte vertex[64];
  std::optional<region> whole;
  trace::race_totals before;
  bool is_outermost = false;
};

checked_run::checked_run(const race_options& how) {
  const sched::scheduler_time here;
  state_ = std::make_unique<state>();
  state_->is_outermost = own_context() == nullptr;
  if (state_->is_outermost && !open_detector(how.determinism))
    throw std::runtime_error{"tine: check_races: the system refuses the memory of the detector"};
  race_kind.create(state_->vertex);
  state_->whole.emplace(race_kind, state_->head);
  if (!state_->is_outermost) return;
  found_races::forget();
  found_races::set_determinism(how.determinism);
  add_totals(state_->before);
}

checked_run::~checked_run() {
  const sched::scheduler_time here;
  if (state_->whole) {
    state_->whole.reset();
    race_kind.destroy(state_->vertex);
  }
  state_.reset();
}

races_found checked_run::found() {
  const sched::scheduler_time here;
  state_->whole.reset();
  races_found all;
  if (state_->is_outermost) {
    auto rows = std::make_shared<race_rows>();
    found_races::collect(rows->p);
    trace::race_totals& totals = rows->p.race.front();
    totals.reads -= state_->before.reads;
    totals.writes -= state_->before.writes;
    all.size_ = rows->p.races.size();
    all.addresses_ = found_races::locations();
    all.accesses_ = totals.reads + totals.writes;
    all.incomplete_ = totals.incomplete;
    all.rows_ = std::move(rows);
  }
  race_kind.destroy(state_->vertex);
  return all;
}

}  // namespace detail
}  // namespace tine
