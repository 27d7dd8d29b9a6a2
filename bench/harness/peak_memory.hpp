// How much memory this process has used at most.
#pragma once

#include <cstdint>

namespace bench {

/// The peak resident size of this program in KiB; 0 if the kernel does not say.
///
/// From VmHWM of /proc/self/status and not from getrusage: ru_maxrss survives exec, so it starts at the size of
/// the process that forked this one, which for a Python driver is more than most benchmarks here ever use.
std::int64_t peak_memory_kib();

}  // namespace bench
