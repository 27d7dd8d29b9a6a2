// Makes machines of topologies, and counts in sets of workers.
#include "simulate/machine.hpp"

#include "sched/topology.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <numeric>
#include <set>
#include <stdexcept>

namespace tine::simulate {
namespace {

constexpr std::uint64_t most_processors = 4096;

/// Refuses a text before hwloc allocates memory for what it describes. The product of the numbers behind colons is the
/// number of processors.
void check_size(const std::string& text) {
  std::uint64_t processors = 1;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] < '0' || text[at] > '9' || (at > 0 && text[at - 1] != ':' && text[at - 1] != ' ')) continue;
    std::uint64_t n = 0;
    const auto end = std::from_chars(text.data() + at, text.data() + text.size(), n);
    if (end.ec != std::errc{} || n > most_processors) n = most_processors + 1;
    processors *= std::max<std::uint64_t>(n, 1);
    if (processors > most_processors)
      throw std::invalid_argument{"topology \"" + text + "\": more than " + std::to_string(most_processors) +
                                  " processors; describe a part of the machine, which is repeated for more workers"};
  }
}

}  // namespace

std::size_t worker_set::count(std::size_t from, std::size_t to) const noexcept {
  if (from >= to) return 0;
  const std::uint64_t first = ~std::uint64_t{0} << (from % 64), last = ~std::uint64_t{0} >> (63 - (to - 1) % 64);
  const std::size_t begin = from / 64, end = (to - 1) / 64;
  if (begin == end) return static_cast<std::size_t>(std::popcount(bits_[begin] & first & last));
  auto n = static_cast<std::size_t>(std::popcount(bits_[begin] & first) + std::popcount(bits_[end] & last));
  for (std::size_t i = begin + 1; i < end; ++i) n += static_cast<std::size_t>(std::popcount(bits_[i]));
  return n;
}

std::size_t worker_set::member(std::size_t from, std::size_t k) const noexcept {
  std::size_t word = from / 64;
  std::uint64_t bits = bits_[word] & ~std::uint64_t{0} << (from % 64);
  while (k >= static_cast<std::size_t>(std::popcount(bits))) {
    k -= static_cast<std::size_t>(std::popcount(bits));
    bits = bits_[++word];
  }
  for (; k > 0; --k) bits &= bits - 1;
  return word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
}

machine::machine(unsigned workers) : node_(workers) { add_level(1, std::vector<unsigned>(workers, 1)); }

machine::machine(unsigned workers, const std::string& topology) : node_(workers) {
  if (topology.find_first_not_of(' ') == std::string::npos) {
    add_level(1, std::vector<unsigned>(workers, 1));
    return;
  }
  check_size(topology);
  const bool has_threads = topology.find("pu:") != std::string::npos;
  const sched::topology t = sched::topology::synthetic(has_threads ? topology : topology + " pu:1");
  const unsigned each = t.processors();
  unsigned farthest = 1;
  std::vector<unsigned> links;  // the distance of each worker from the next one
  for (unsigned begin = 0, copy = 0; begin < workers; begin += each, ++copy) {
    std::vector<sched::processor> places = t.places(std::min(each, workers - begin));
    std::ranges::sort(places, {}, &sched::processor::core);
    for (unsigned i = 0; i < places.size(); ++i) {
      node_[begin + i] = copy * t.nodes() + static_cast<std::uint32_t>(places[i].numa_node);
      nodes_ = std::max(nodes_, node_[begin + i] + 1);
      const bool is_last = i + 1 == places.size();
      links.push_back(is_last ? 0 : static_cast<unsigned>(t.distance(places[i], places[i + 1])));
      farthest = std::max(farthest, links.back());
    }
  }
  for (unsigned& link : links) link = link == 0 ? farthest + 1 : link;
  links.back() = 1;  // it has no next one
  for (const unsigned distance : std::set<unsigned>(links.begin(), links.end())) add_level(distance, links);
}

/// The distance of two workers is the longest link between them, because resources form a tree.
void machine::add_level(unsigned distance, const std::vector<unsigned>& links) {
  std::vector<range> all(links.size());
  for (std::uint32_t begin = 0; begin < links.size();) {
    std::uint32_t end = begin + 1;
    while (end < links.size() && links[end - 1] <= distance) ++end;
    std::fill(all.begin() + begin, all.begin() + end, range{begin, end});
    begin = end;
  }
  levels_.push_back(std::move(all));
  distances_.push_back(distance);
}

}  // namespace tine::simulate
