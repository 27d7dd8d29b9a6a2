// The lists of accesses under locks. A spin lock guards what is free.
#include "race/guarded.hpp"

#include "race/reserved.hpp"
#include "race/spin_lock.hpp"

#include <tine/detail/base/object_at.hpp>

#include <utility>

namespace tine::detail {
namespace {

union list_block {
  guarded_lists lists;
  list_block* next_free;
};
constinit list_block* free_blocks = nullptr;

// Guards the free accesses and blocks.
constinit spin_lock table_lock;

}  // namespace

constinit guarded_lists::access_table guarded_lists::table_;
constinit guarded_number guarded_lists::free_accesses_ = 0;

void guarded_lists::remove_locked(guarded_number& link) noexcept {
  const guarded_number n = link;
  link = std::exchange(at(n).next, free_accesses_);
  free_accesses_ = n;
}

guarded_lists* guarded_lists::create() noexcept {
  const spin_lock::scope here{table_lock};
  if (free_blocks == nullptr) {
    constexpr std::size_t blocks = 128;
    auto* const made = static_cast<std::byte*>(reserve(blocks * sizeof(list_block)));
    if (made == nullptr) return nullptr;
    for (std::size_t i = 0; i < blocks; ++i) {
      auto* const block = base::object_at<list_block>(made + i * sizeof(list_block));
      block->next_free = std::exchange(free_blocks, block);
    }
  }
  list_block* const block = free_blocks;
  free_blocks = std::exchange(block->next_free, nullptr);
  return &block->lists;
}

void guarded_lists::release(guarded_lists& all) noexcept {
  const spin_lock::scope here{table_lock};
  auto* const block = base::object_at<list_block>(&all);
  block->next_free = std::exchange(free_blocks, block);
}

bool guarded_lists::add(std::uintptr_t address, const guarded_access& a) noexcept {
  const spin_lock::scope here{table_lock};
  guarded_number n = free_accesses_;
  if (n != 0) {
    free_accesses_ = at(n).next;
  } else {
    if (table_.accesses.empty() && !table_.accesses.push({})) return false;  // number 0 stands for none
    if (!table_.accesses.push({})) return false;
    n = static_cast<guarded_number>(table_.accesses.size() - 1);
  }
  at(n) = a;
  at(n).next = std::exchange(first(address), n);
  return true;
}

void guarded_lists::remove(guarded_number& link) noexcept {
  const spin_lock::scope here{table_lock};
  remove_locked(link);
}

void guarded_lists::forget(std::size_t from, std::size_t bytes) noexcept {
  const spin_lock::scope here{table_lock};
  for (std::size_t word = from / 8; word <= (from + bytes - 1) / 8; ++word) {
    while (first_[word] != 0) remove_locked(first_[word]);
  }
}

void guarded_lists::begin_forked_process() noexcept {
  table_lock.free_in_forked_process();
  free_blocks = nullptr;
  free_accesses_ = 0;
}

}  // namespace tine::detail
