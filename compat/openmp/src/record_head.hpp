// The head of a record, and the two steps of a fork: a record is written at the top of the shadow stack, as
// tine/managed/abi.h describes. Only the strand that runs here touches it, and the thief that runs a stolen one.
#pragma once

#include "hot.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tine::openmp {

/// Every record starts with it.
struct record_head {
  const tine_abi_kind* kind;
  std::uint64_t of_runtime[tine_abi_payload / 8 - 1];
};
static_assert(sizeof(record_head) == tine_abi_payload);

/// Returns the address at which the next record goes.
template <class Record>
[[gnu::always_inline]] inline Record* next_record() noexcept {
  return reinterpret_cast<Record*>(hot::load<tine_abi_top>());
}

/// Publishes a record that is written. Returns true if tine_abi_poll must be called.
template <class Record>
[[gnu::always_inline]] inline bool publish_past_limit(Record* record, std::size_t bytes) noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(record);
  std::atomic_signal_fence(std::memory_order_release);  // pairs with the fence of the handler that promotes the record
  hot::store<tine_abi_top>(at + bytes);
  return at >= hot::load<tine_abi_limit>();
}

/// Publishes a record that is written. Returns its address as its join takes it: on an instrumented strand that is an
/// offset, so it differs from `record`.
template <class Record>
[[gnu::always_inline]] inline Record* push_record(Record* record, std::size_t bytes, const void* returns) noexcept {
  return publish_past_limit(record, bytes) ? static_cast<Record*>(tine_abi_poll(record, returns)) : record;
}

/// Takes a record from the shadow stack. Returns true if it was promoted: then tine_abi_join must be called.
template <class Record>
[[gnu::always_inline]] inline bool pop_record(Record* record) noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(record);
  hot::store<tine_abi_top>(at);
  return at < hot::load<tine_abi_bot>();
}

}  // namespace tine::openmp
