// The scope in which a strand changes its floating-point control words. Called by the strand.
#include <tine/sched/floating_point_scope.hpp>

#include "base/fp_environment.hpp"

namespace tine::sched {

fp_scope::fp_scope() noexcept
    : scope_{current_scope(), hot::self() != nullptr ? hot::top() : nullptr, &stops_},
      is_inside_{hot::self() != nullptr} {
  scope_.changes_words = true;
  scope_.words_before = base::fp_control();
  if (is_inside_) enter_scope(&scope_);
}

fp_scope::~fp_scope() {
  if (is_inside_) enter_scope(scope_.outer);
  base::enter_fp(scope_.words_before, base::fp_flags());
}

}  // namespace tine::sched
