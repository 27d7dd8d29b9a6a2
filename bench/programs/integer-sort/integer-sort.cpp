// integer-sort: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/algorithms/managed.hpp"
#include "harness/algorithms/program_of_algorithms.hpp"
#include "harness/splitmix.hpp"

#include <array>
#include <utility>
#include <vector>

namespace bench {
namespace {

constexpr unsigned digit_bits = 9;
constexpr unsigned digits = key_bits / digit_bits;
constexpr std::size_t radix = std::size_t{1} << digit_bits;
static_assert(digits * digit_bits == key_bits);

std::size_t digit(std::uint32_t key, unsigned d) { return key >> d * digit_bits & (radix - 1); }

template <class T>
void sort(std::vector<T>& items) {
  std::array<std::array<std::uint32_t, radix>, digits> places{};
  for (const T& item : items)
    for (unsigned d = 0; d < digits; ++d) ++places[d][digit(key_of(item), d)];
  std::vector<T> buffer(items.size());
  for (unsigned d = 0; d < digits; ++d) {
    std::uint32_t place = 0;
    for (std::uint32_t& count : places[d]) place += std::exchange(count, place);
    for (const T& item : items) buffer[places[d][digit(key_of(item), d)]++] = item;
    items.swap(buffer);
  }
}

}  // namespace

/// Without forks: a radix sort from the lowest digit up (Knuth, vol. 3, 5.2.5).
void serial(problem& p) { p.with_values ? sort(p.pairs) : sort(p.keys); }

void managed(problem& p) { solve(p, managed_algorithms{}); }

namespace {

std::uint64_t hash_of(std::uint32_t key) { return splitmix{key}(); }

/// Returns the number of the first item whose key is less than the key before it, or the number of items.
template <class T>
std::size_t first_out_of_order(const std::vector<T>& items) {
  for (std::size_t i = 1; i < items.size(); ++i)
    if (key_of(items[i]) < key_of(items[i - 1])) return i;
  return items.size();
}

/// Returns true if each value is the place of its key in the input, and no value appears twice.
bool are_pairs_of(const std::vector<keyed>& pairs, const std::vector<std::uint32_t>& input) {
  std::vector<bool> is_found(input.size());
  for (const auto [key, value] : pairs) {
    if (value >= input.size() || is_found[value] || input[value] != key) return false;
    is_found[value] = true;
  }
  return true;
}

}  // namespace

void problem::reset() {
  if (input_.size() != n) {
    input_hash_ = 0;
    splitmix random{1};
    input_.resize(n);
    for (std::uint32_t& key : input_) {
      key = static_cast<std::uint32_t>(random.below(1u << key_bits));
      input_hash_ += hash_of(key);
    }
  }
  if (!with_values) {
    keys = input_;
    return;
  }
  pairs.resize(n);
  for (std::size_t i = 0; i < n; ++i) pairs[i] = {.key = input_[i], .value = static_cast<std::uint32_t>(i)};
}

std::uint32_t problem::answer() const { return with_values ? pairs[n / 2].key : keys[n / 2]; }

std::string problem::mistake() const {
  if ((with_values ? pairs.size() : keys.size()) != n) return "the number of items has changed";
  const std::size_t place = with_values ? first_out_of_order(pairs) : first_out_of_order(keys);
  if (place < n) return format("key {} is less than the one before it", place);
  if (with_values) return are_pairs_of(pairs, input_) ? "" : "the pairs are not those of the input";
  std::uint64_t hash = 0;
  for (const std::uint32_t key : keys) hash += hash_of(key);
  return hash == input_hash_ ? "" : "the keys are not those of the input";
}

program describe_program() {
  static problem p;
  const auto add_options = [](options& o) {
    o.size("--n", p.n, {1, largest_n}, large_n, "Items");
    o.word("--items", p.with_values, {{"keys", false}, {"pairs", true}}, "Keys alone, or pairs of a key and a value");
  };
  program it{
      .name = "integer-sort",
      .description = "Sorts items by integer keys of 27 bits.",
      .add_options = add_options,
      .passes = 2,
  };
  return program_of_algorithms(p, std::move(it));
}

}  // namespace bench
