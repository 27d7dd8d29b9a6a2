// The hook. It uses the compiler's atomic operations, because functions of the library would call the hook, too.
#include "entered.hpp"

#include <cstddef>
#include <cstdint>

namespace {

constexpr std::size_t slots = 1 << 14;  // an open hash table; a fork passes a few hundred functions

bool collects = false;
void* table[slots];

void enter(void* function) noexcept {
  std::size_t i = (reinterpret_cast<std::uintptr_t>(function) * 0x9e3779b97f4a7c15U) >> 50;
  for (;; i = (i + 1) % slots) {
    void* there = __atomic_load_n(&table[i], __ATOMIC_RELAXED);
    if (there == nullptr &&
        __atomic_compare_exchange_n(&table[i], &there, function, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return;
    if (there == function) return;
  }
}

}  // namespace

extern "C" {

void __cyg_profile_func_enter(void* function, void* /*caller*/) {
  if (__atomic_load_n(&collects, __ATOMIC_RELAXED)) enter(function);
}
void __cyg_profile_func_exit(void* /*function*/, void* /*caller*/) {}
}

namespace way {

void begin_entered() noexcept {
  for (void*& slot : table) __atomic_store_n(&slot, nullptr, __ATOMIC_RELAXED);
  __atomic_store_n(&collects, true, __ATOMIC_RELAXED);
}

void end_entered() noexcept { __atomic_store_n(&collects, false, __ATOMIC_RELAXED); }

std::vector<void*> entered() {
  std::vector<void*> all;
  for (void* function : table) {
    if (function != nullptr) all.push_back(function);
  }
  return all;
}

}  // namespace way
