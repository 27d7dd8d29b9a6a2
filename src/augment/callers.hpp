// The callers of the function that forks. They are recorded on request, for programs whose forks and loops stand in
// wrappers of their own.
#pragma once

#include "trace/profile.hpp"

#include <tine/detail/base/macros.hpp>
#include <tine/detail/sched/observer.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace tine::detail {

/// Sets the number of return addresses that are recorded above a site's, 0 to `most_callers`. Called before the first
/// root.
inline constexpr unsigned most_callers = 8;
void record_callers(unsigned how_many) noexcept;

/// Returns `where`, the site of a fork or loop that this thread is at. If callers are recorded, returns the number of
/// that address together with the return addresses above it; this takes some microseconds, because the stack is
/// unwound.
sched::site site_with_callers(sched::site where) noexcept;

/// Writes `from`, a return address of a function that is running on this thread, and the return addresses above it; 0
/// where there are no more.
void find_callers(std::uint64_t from, std::span<std::uint64_t> into) noexcept;

/// For a result of `site_with_callers`: `has_number` returns true if it is a number, `address_of_site` returns the
/// address of the site, and `callers_of_site` returns the return addresses above it.
bool has_number(sched::site site) noexcept;
TINE_API sched::site address_of_site(sched::site site) noexcept;
std::vector<std::uint64_t> callers_of_site(sched::site site);

}  // namespace tine::detail
