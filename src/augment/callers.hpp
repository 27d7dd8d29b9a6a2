// The callers of the function that forks, recorded on request for programs that fork and loop in wrappers of their own.
// Thread-safe.
#pragma once

#include "trace/profile.hpp"

#include <tine/detail/base/macros.hpp>
#include <tine/detail/sched/observer.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace tine::detail {

/// Sets how many return addresses to record above a site's, 0 to `most_callers`. Call it before the first root.
inline constexpr unsigned most_callers = 8;
void record_callers(unsigned how_many) noexcept;

/// Returns `where`, the site of a fork or loop at which this thread is. If callers are recorded, returns a number that
/// stands for that address and the return addresses above it. That takes some microseconds, because we unwind the
/// stack.
sched::site site_with_callers(sched::site where) noexcept;

/// Writes `from`, a return address of a function that runs on this thread, and the return addresses above it; 0 where
/// there are no more.
void find_callers(std::uint64_t from, std::span<std::uint64_t> into) noexcept;

/// For a result of `site_with_callers`: `has_number` tells whether it is a number, `address_of_site` returns the site's
/// address, and `callers_of_site` the return addresses above it.
bool has_number(sched::site site) noexcept;
TINE_API sched::site address_of_site(sched::site site) noexcept;
std::vector<std::uint64_t> callers_of_site(sched::site site);

}  // namespace tine::detail
