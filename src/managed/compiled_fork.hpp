// The fork of compiled code on an instrumented strand: it works like an observed fork of C++, and reports the same
// steps. Only the strand's thread uses it.
#pragma once

#include <tine/detail/sched/observer.hpp>
#include <tine/managed/abi.h>

#include <cstddef>

namespace tine::detail {

struct compiled_fork;

/// Returns the place for a record with `bytes` bytes of an instrumented fork that starts at `at`, the top. The caller
/// writes the record of the branch there before it opens the fork. Ends the program with a message if there is no
/// space.
sched::address place_for_branch(sched::address at, std::size_t bytes) noexcept;

/// Opens the fork whose branch has been written to `branch`. Afterwards the top is behind the fork.
compiled_fork& open_compiled_fork(sched::address at, sched::address branch, sched::site where) noexcept;

/// Returns the open fork at the address, or null if a record lies there.
compiled_fork* compiled_fork_at(sched::address at) noexcept;

/// Closes the fork, the newest of its strand, whatever the top is: runs the branch here if no other strand has run it.
/// Afterwards the top is where the fork started. The results are in the payload of a record at `results`, which may be
/// in the memory of the fork. The calling fiber may wake on another thread.
void close_compiled_fork(compiled_fork& f, sched::address results) noexcept;

/// Returns where the fork started.
sched::address begin_of(const compiled_fork& f) noexcept;

/// Ends the program with a message unless `returns` can be the place of a return address: an aligned address that can
/// be read. Without this test a wrong value would do no harm until an analysis reads it, and then crash.
void require_place_of_site(const void* returns) noexcept;

}  // namespace tine::detail
