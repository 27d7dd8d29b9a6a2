// The lists of accesses under locks. See guarded.hpp.
#include "race/guarded.hpp"

#include "race/detector_time.hpp"

#include <unordered_map>

namespace tine::detail {
namespace {

// Never destroyed: programs access memory until their very end.
auto& words() {
  static auto& all = *new std::unordered_map<std::uintptr_t, std::vector<guarded_access>>;
  return all;
}

}  // namespace

std::vector<guarded_access>* guarded_at(std::uintptr_t word) noexcept {
  const auto at = words().find(word);
  return at != words().end() ? &at->second : nullptr;
}

std::vector<guarded_access>& guarded_list(std::uintptr_t word) noexcept { return words()[word]; }

void forget_guarded(std::uintptr_t begin, std::size_t bytes) noexcept {
  const detector_time here;
  for (std::uintptr_t word = begin & ~std::uintptr_t{7}; word < begin + bytes; word += 8) words().erase(word);
}

}  // namespace tine::detail
