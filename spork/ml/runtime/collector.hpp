// The garbage collector of Parallel ML: the Boehm–Demers–Weiser collector (libgc), told of tine's fibers and records.
// All functions may be called by any thread.
#pragma once

#include <cstddef>

namespace tine::ml {

/// Starts the collector, unless it runs. Must be called before the first pool starts: otherwise it ends the program
/// with a message.
void start_collector();

/// Allocates so many bytes. `scanned`: the collector looks for addresses in them. All bytes are zero. Returns null if
/// there is no memory.
void* allocate(std::size_t bytes, bool scanned) noexcept;

/// Declares memory outside of the collected heap in which the program stores addresses of objects.
void add_root(void* begin, std::size_t bytes) noexcept;

/// For tests: the collector overlooks a kind of memory, so that a test can see that it would notice.
enum class overlooked : unsigned char { nothing, native_stacks, records };
extern overlooked overlooks;

}  // namespace tine::ml
