// integer-sort without forks: a radix sort from the lowest digit up (Knuth, vol. 3, 5.2.5).
#include "harness/algorithms/variants/program_of_algorithms.hpp"

#include <array>
#include <utility>
#include <vector>

namespace bench {
namespace {

using namespace integer_sort;

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

void serial(problem& p) { p.with_values ? sort(p.pairs) : sort(p.keys); }

}  // namespace bench
