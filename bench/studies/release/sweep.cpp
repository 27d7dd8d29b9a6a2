// See sweep.hpp.
#include "studies/release/sweep.hpp"

#include "studies/release/release.hpp"

#include <tine/managed/par_for.hpp>

#include <algorithm>

namespace bench::release {

sweep::sweep(std::span<const rank> heights) : heights_{heights}, versions_(heights.size() + 1) {}

std::span<const rank> sweep::heights_of(std::size_t b) const {
  return heights_.subspan(b * block, std::min(block, heights_.size() - b * block));
}

void sweep::build() {
  for (std::size_t b = 0; b < blocks(); ++b) {
    std::vector<rank> sorted(heights_of(b).begin(), heights_of(b).end());
    std::ranges::sort(sorted);
    versions_[b * block + sorted.size()] = with(versions_[b * block], sorted, all());
  }
  tine::par_for(std::size_t{0}, blocks(), [this](std::size_t b) { build_block(b); });
}

void sweep::build_block(std::size_t b) {
  const auto heights = heights_of(b);
  for (std::size_t i = 1; i < heights.size(); ++i) {
    const node*& version = versions_[b * block + i];
    version = with(*(&version - 1), heights.subspan(i - 1, 1), all());
  }
}

std::uint32_t sweep::count(const rectangle& r) const {
  const auto in_columns = [&](rank bound) {
    return count_below(versions_[r.right], bound, all()) - count_below(versions_[r.left], bound, all());
  };
  return in_columns(r.top) - in_columns(r.bottom);
}

template <class CutOff>
void sweep::release() {
  release_blocks<CutOff>(0, blocks() + 1);  // the last version is in a block of its own
}

template <class CutOff>
void sweep::release_blocks(std::size_t begin, std::size_t end) {
  if (end - begin > 1) {
    const std::size_t middle = begin + (end - begin) / 2;
    tine::par([=, this] { release_blocks<CutOff>(begin, middle); }, [=, this] { release_blocks<CutOff>(middle, end); });
    return;
  }
  const std::size_t first = begin * block, last = std::min(first + block, versions_.size());
  for (std::size_t i = first; i < last; ++i) release::release<CutOff>(versions_[i]);
}

template void sweep::release<by_size>();
template void sweep::release<by_holders>();

}  // namespace bench::release
