// The peak memory of this process.
#pragma once

#include <cstdint>

namespace bench {

/// Returns the peak resident size of this program in KiB, or 0 if the kernel does not report it.
///
/// Reads VmHWM of /proc/self/status instead of calling getrusage: ru_maxrss survives exec, so it starts at the size of
/// the process that forked this one. For a Python driver that is more than most benchmarks here ever use.
std::int64_t peak_memory_kib();

/// Makes the memory that the process has now its peak.
void forget_peak_memory();

}  // namespace bench
