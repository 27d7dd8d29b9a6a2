// floyd-warshall: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/blocks/program_of_phases.hpp"
#include "harness/splitmix.hpp"

#include <algorithm>

namespace bench {

void problem::reset() {
  across = (vertices() + tile_size - 1) / tile_size;
  tiles = {across * across, static_cast<std::size_t>(block)};
  right_.renew({n}, [this] {
    all_by<serial_blocks>(*this, stage::place);
    all_by<serial_blocks>(*this, stage::solve);
    return answer();
  });
}

length problem::edge(std::size_t from, std::size_t to) const {
  if (from == to) return 0;
  if (std::max(from, to) >= vertices()) return infinite;
  return static_cast<length>(splitmix{from << 32 | to}.below(1000)) + 1;
}

length problem::found(std::size_t from, std::size_t to) const {
  const std::size_t tile = first_element(from / tile_size, to / tile_size);
  return lengths[tile + from % tile_size * tile_size + to % tile_size];
}

std::uint64_t problem::answer() const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < vertices(); ++i)
    for (std::size_t j = 0; j < vertices(); ++j)
      sum = sum * 0x9e3779b97f4a7c15 + static_cast<std::uint64_t>(found(i, j));
  return sum;
}

std::vector<length> problem::by_dijkstra(std::size_t from) const {
  std::vector<length> best(vertices(), infinite);
  std::vector<char> done(vertices(), 0);
  best[from] = 0;
  for (std::size_t round = 0; round < vertices(); ++round) {
    std::size_t nearest = vertices();
    for (std::size_t v = 0; v < vertices(); ++v)
      if (!done[v] && (nearest == vertices() || best[v] < best[nearest])) nearest = v;
    done[nearest] = 1;
    for (std::size_t v = 0; v < vertices(); ++v) best[v] = std::min(best[v], best[nearest] + edge(nearest, v));
  }
  return best;
}

std::string problem::mistake() const {
  if (answer() != right_.sum()) return format("the lengths are not the serial ones (n = {})", n);
  for (std::size_t source = 0; source < 4; ++source) {
    const std::size_t from = splitmix{source}.below(vertices());
    const std::vector<length> right = by_dijkstra(from);
    for (std::size_t to = 0; to < vertices(); ++to)
      if (found(from, to) != right[to])
        return format("from {} to {} it is {}, not {} (n = {})", from, to, right[to], found(from, to), n);
  }
  return "";
}

program describe_program() {
  static problem p;
  const auto add_options = [](options& o) {
    o.size("--n", p.n, {1, largest_n}, large_n, "Vertices");
    o.number("--block", p.block, {1, largest_n}, "Tiles of a block");
  };
  program it{
      .name = "floyd-warshall",
      .description = "Finds the lengths of the shortest ways between all vertices of a graph.",
      .add_options = add_options,
  };
  return program_of_phases(p, std::move(it));
}

}  // namespace bench
