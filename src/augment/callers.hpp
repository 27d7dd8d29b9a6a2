// Who calls the function that forks: recorded on request, for programs whose forks and loops stand in wrappers of their own.
#pragma once

#include "trace/profile.hpp"

#include <tine/sched/events.hpp>

#include <cstdint>
#include <vector>

namespace tine::detail {

/// How many return addresses above a site's are recorded, 0 to `most_callers`. Before the first root.
inline constexpr unsigned most_callers = 8;
void record_callers(unsigned how_many) noexcept;

/// A site's address, or if callers are recorded the number of that address together with the return addresses above it; of a fork or
/// loop that this thread is at. Takes some microseconds then, because the stack is unwound.
sched::site site_with_callers(sched::site where) noexcept;

/// What `site_with_callers` returned: whether that is a number, and what it stands for.
bool has_number(sched::site site) noexcept;
sched::site address_of_site(sched::site site) noexcept;
std::vector<std::uint64_t> callers_of_site(sched::site site);

}  // namespace tine::detail
