// Merges and set operations, with execution policies.
#include "pstl/compare.hpp"

namespace {

using namespace tine::test;

TEST_CASE("merge, inplace_merge") {
  compare_all(
      [](auto& d, const auto&... policy) {
        const auto end =
            std::merge(policy..., d.first(), d.last(), d.other.begin(), d.other.end(), d.out.begin(), less_of_tens{});
        for (const std::size_t share : {2, 7}) {
          const auto middle = static_cast<std::ptrdiff_t>(d.in.size() / share);
          std::rotate(d.first(), d.last() - middle, d.last());
          std::inplace_merge(policy..., d.first(), d.first() + middle, d.last());
        }
        return results{end - d.out.begin()};
      },
      true);
}

TEST_CASE("set_union, set_intersection, set_difference, set_symmetric_difference") {
  compare_all(
      [](auto& d, const auto&... policy) {
        collector written{d};
        for (int round = 0; round < 3; ++round) {
          for (const bool is_swapped : {false, true}) {
            auto &a = is_swapped ? d.other : d.in, &b = is_swapped ? d.in : d.other;
            written.add(std::set_union(policy..., a.begin(), a.end(), b.begin(), b.end(), d.out.begin()));
            written.add(std::set_intersection(policy..., a.begin(), a.end(), b.begin(), b.end(), d.out.begin()));
            written.add(std::set_difference(policy..., a.begin(), a.end(), b.begin(), b.end(), d.out.begin()));
            written.add(
                std::set_symmetric_difference(policy..., a.begin(), a.end(), b.begin(), b.end(), d.out.begin()));
          }
          // Then one range that ends before the other one, and an empty one.
          auto& cut = round == 0 ? d.other : d.in;
          cut.resize(round == 0 ? cut.size() / 3 : 0);
        }
        return written.take();
      },
      true);
}

}  // namespace
