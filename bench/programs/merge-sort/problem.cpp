// See problem.hpp.
#include "programs/merge-sort/problem.hpp"

#include "harness/splitmix.hpp"
#include "harness/value.hpp"

#include <algorithm>

namespace bench::merge_sort {
namespace {

/// Returns a hash of the set of keys: it does not depend on their order, and other keys hardly ever have it.
std::uint64_t hash_of_set(const std::vector<key>& keys) {
  std::uint64_t sum = 0;
  for (const key k : keys) sum += splitmix{k}();
  return sum;
}

}  // namespace

void problem::reset() {
  if (input_.size() != n) {
    input_.resize(n);
    buffer.resize(n);
    std::ranges::generate(input_, splitmix{1});
    input_hash_ = hash_of_set(input_);
  }
  keys = input_;
}

std::string problem::mistake() const {
  const auto disorder = std::ranges::is_sorted_until(keys);
  if (disorder != keys.end()) return format("key {} is less than the one before it", disorder - keys.begin());
  if (hash_of_set(keys) != input_hash_) return "these are not the keys that were to be sorted";
  return "";
}

}  // namespace bench::merge_sort
