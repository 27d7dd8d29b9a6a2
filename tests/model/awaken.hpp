// For models that fork no continuations: coroutines have their own (join_model.cpp).
#pragma once

#include "model/pool_suite.hpp"

namespace tine::sched {

void awaken(std::uintptr_t, address) noexcept { model::claim(false, "there are no continuations here"); }
bool was_queued_from(std::uintptr_t, address) noexcept { return false; }
bool is_known_to_region(std::uintptr_t, address) noexcept { return false; }
void resume(std::uintptr_t) noexcept { model::claim(false, "there are no continuations here"); }

}  // namespace tine::sched
