// Allocation for compiled programs.
#include "ml/runtime/collector.hpp"
#include "ml/runtime/ml.h"
#include "ml/runtime/string.hpp"

#include <tine/managed/abi.h>

#include <cstdio>

namespace tine::ml {
namespace {

constexpr std::int64_t most_cells = std::int64_t{1} << 44;  // 128 TiB: no machine has more

[[noreturn]] void refuse(std::int64_t cells) noexcept {
  char message[100];
  std::snprintf(message, sizeof message, "trap: alloc of %lld cells; there is no memory for them",
                static_cast<long long>(cells));
  tine_abi_trap(message);
}

void* allocate_cells(std::int64_t cells, bool scanned) noexcept {
  if (cells < 0 || cells > most_cells) refuse(cells);
  // an allocation of no cells has an address of its own
  void* const p = allocate((static_cast<std::size_t>(cells) + (cells == 0 ? 1 : 0)) * 8, scanned);
  if (p == nullptr) refuse(cells);
  return p;
}

}  // namespace

void* new_string(std::size_t length) noexcept {
  void* const s = allocate_cells(static_cast<std::int64_t>(length / 8 + 2), false);
  const auto stored = static_cast<std::int64_t>(length);
  std::memcpy(s, &stored, sizeof stored);
  return s;
}

}  // namespace tine::ml

extern "C" {

void tine_ml_start() { tine::ml::start_collector(); }
void* tine_ml_allocate(int64_t cells) { return tine::ml::allocate_cells(cells, true); }
void* tine_ml_allocate_numbers(int64_t cells) { return tine::ml::allocate_cells(cells, false); }
void tine_ml_add_root(void* begin, int64_t cells) { tine::ml::add_root(begin, static_cast<std::size_t>(cells) * 8); }

}  // extern "C"
