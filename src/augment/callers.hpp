// The sites of forks and loops in wrappers. Programs fork in wrappers, of their own or of a library, but their users
// ask for the line that called the wrapper. So such a site is a chain of return addresses. Thread-safe.
#pragma once

#include "trace/profile.hpp"

#include <tine/detail/base/macros.hpp>
#include <tine/detail/sched/observer.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace tine::detail {

/// Sets how many return addresses to record above that of the first function that is no wrapper, 0 to `most_callers`.
/// Call it before the first root.
inline constexpr unsigned most_callers = 8;
void record_callers(unsigned how_many) noexcept;

/// Reads what is slow to read before a strand is timed: the symbol tables of the process.
void prepare_callers() noexcept;

/// Returns the site of a fork or loop: its return address `where`, or a number that stands for a chain. The chain has
/// the return addresses from there up to the first function that is no wrapper (trace/wrappers.hpp), and those that
/// `record_callers` asks for. If there is none in the branch, because all of its frames are a wrapper's, the chain
/// continues with `around`, the site of the construct in which the strand is. 0: none.
///
/// A site outside of wrappers takes 30 instructions. One in a wrapper takes some 150 if a walk of this thread was the
/// same, and some hundreds otherwise.
sched::site site_with_callers(sched::site where, sched::site around) noexcept;

/// As above, for a root that the caller of tine's functions brings. `around`: that of the strand that brings it, or 0.
sched::site site_of_root(sched::site around) noexcept;

/// Writes `from`, a return address of a function that runs on this thread, and the return addresses above it; 0 where
/// there are no more.
void find_callers(std::uint64_t from, std::span<std::uint64_t> into) noexcept;

/// For a result of `site_with_callers`: `has_number` tells whether it is a number, `address_of_site` returns the site's
/// own address, and `callers_of_site` the return addresses above it.
bool has_number(sched::site site) noexcept;
sched::site address_of_site(sched::site site) noexcept;
std::vector<std::uint64_t> callers_of_site(sched::site site);

/// Adds the chains to the profile for which rows of it have numbers.
void add_chains(trace::profile& p);

/// Call `lock_callers` and `unlock_callers` around fork().
void lock_callers() noexcept;
void unlock_callers() noexcept;

}  // namespace tine::detail
