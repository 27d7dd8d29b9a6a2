// See problem.hpp.
#include "programs/irregular/sum.hpp"

namespace bench::irregular {

std::int64_t problem::n() const {
  const auto full = [this]() -> std::int64_t {
    switch (kind) {
      case shape::triangle_up:
      case shape::triangle_down:
        return 24'000;
      case shape::heavy_first:
      case shape::heavy_last:
        return 2'000'000;
      case shape::forks:
        return 100'000;
      case shape::tiny:
        return 64'000'000;
      case shape::jump_up:
      case shape::jump_down:
        break;
    }
    return 10'000;
  }();
  if (!quick) return full;
  return kind == shape::triangle_up || kind == shape::triangle_down ? full / 3 : full / 10;
}

std::uint64_t problem::expected() const {
  const std::int64_t rows = n();
  std::uint64_t all = 0;
  for (std::int64_t i = rows; i-- > 0;) {
    const bool nested = kind == shape::triangle_up || kind == shape::triangle_down || kind == shape::tiny;
    const bool forked = kind == shape::forks;
    const std::int64_t columns = nested ? length_of(kind, rows, i) : forked ? leaves : 1;
    const std::int64_t steps = nested ? item_steps : forked ? leaf_steps : steps_of(kind, rows, i);
    for (std::int64_t j = columns; j-- > 0;) all += hash_of(item(i, j), steps);
  }
  return all;
}

}  // namespace bench::irregular
