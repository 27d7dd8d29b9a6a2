// longest-repeated-substring without forks: the suffix array, and all common prefixes in one pass (Kärkkäinen, Manzini and Puglisi, CPM 2009).
#include "harness/algorithms/variants/program_of_algorithms.hpp"

#include "harness/loops/serial.hpp"

namespace bench {

void serial(problem& p) {
  using namespace longest_repeated_substring;
  suffix_array::doubling{serial_loops{}, serial_loops{}, 0, p.text, p.space}.run();
  const auto& order = p.space.answer;
  for (std::size_t i = 1; i < order.size(); ++i) p.before[order[i]] = order[i - 1];
  std::uint32_t length = 0;
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    if (i == order[0]) {
      length = 0;
      continue;
    }
    const std::uint32_t j = p.before[i];
    while (std::max(i, j) + length < order.size() && p.text[i + length] == p.text[j + length]) ++length;
    if (length > p.longest.length) p.longest = {length, i, j};
    if (length > 0) --length;
  }
}

}  // namespace bench
