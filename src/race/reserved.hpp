// Memory of the detector: address space that costs nothing until it is touched. Thread-safe.
#pragma once

#include <cstddef>

namespace tine::detail {

/// Returns zeroed memory that the system commits page by page when it is first touched; null if the system refuses it.
void* reserve(std::size_t bytes) noexcept;
void release_reserved(void* where, std::size_t bytes) noexcept;

/// Zeroes reserved memory, and gives whole pages of it back to the system.
void clear_reserved(void* where, std::size_t bytes) noexcept;

}  // namespace tine::detail
