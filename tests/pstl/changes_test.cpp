// Algorithms that write items one by one, with execution policies.
#include "pstl/compare.hpp"

namespace {

using namespace tine::test;

TEST_CASE("for_each, for_each_n") {
  compare_all([](auto& d, const auto&... policy) {
    std::for_each(policy..., d.first(), d.last(), [](auto& item) { item = changed{}(item); });
    const auto at = std::for_each_n(policy..., d.first(), d.in.size() / 2, [](auto& item) { item = changed{}(item); });
    return std::distance(d.first(), at);
  });
}

TEST_CASE("copy, copy_n, move, swap_ranges") {
  compare_all([](auto& d, const auto&... policy) {
    auto at = std::copy(policy..., d.first(), d.last(), d.out.begin());
    at = std::copy_n(policy..., d.first(), d.in.size() / 3, at);
    std::swap_ranges(policy..., d.out.begin(), std::next(d.out.begin(), static_cast<std::ptrdiff_t>(d.in.size() / 2)),
                     d.first());
    auto moved = d.in;
    at =
        std::move(policy..., moved.begin(), std::next(moved.begin(), static_cast<std::ptrdiff_t>(d.in.size() / 2)), at);
    return std::distance(d.out.begin(), at);
  });
}

TEST_CASE("transform") {
  compare_all([](auto& d, const auto&... policy) {
    const auto at = std::transform(policy..., d.first(), d.last(), d.out.begin(), changed{});
    std::transform(policy..., d.first(), d.last(), d.out.begin(), d.first(), joined{});
    return std::distance(d.out.begin(), at);
  });
}

TEST_CASE("replace, replace_if, replace_copy, replace_copy_if") {
  compare_all([](auto& d, const auto&... policy) {
    const auto from = d.other.front(), to = changed{}(from);
    auto at = std::replace_copy(policy..., d.first(), d.last(), d.out.begin(), from, to);
    at = std::replace_copy_if(policy..., d.first(), d.last(), at, is_odd{}, to);
    std::replace(policy..., d.first(), d.last(), from, to);
    std::replace_if(policy..., d.other.begin(), d.other.end(), is_odd{}, to);
    return std::distance(d.out.begin(), at);
  });
}

TEST_CASE("fill, fill_n, generate, generate_n") {
  compare_all([](auto& d, const auto&... policy) {
    const auto item = d.other.front();
    std::fill(policy..., d.first(), d.last(), item);
    const auto at = std::fill_n(policy..., d.out.begin(), d.in.size() / 2, item);
    std::generate(policy..., d.other.begin(), d.other.end(), [item] { return changed{}(item); });
    const auto end = std::generate_n(policy..., at, d.in.size() / 3, [item] { return changed{}(item); });
    return std::distance(d.out.begin(), end);
  });
}

TEST_CASE("reverse, reverse_copy, rotate, rotate_copy") {
  compare_all([](auto& d, const auto&... policy) {
    std::vector<std::ptrdiff_t> found;
    for (const std::size_t share : {2, 3, 50}) {
      const auto step = static_cast<std::ptrdiff_t>(d.in.size() / share);
      found.push_back(std::distance(
          d.out.begin(), std::rotate_copy(policy..., d.first(), std::next(d.first(), step), d.last(), d.out.begin())));
      found.push_back(
          std::distance(d.first(), std::rotate(policy..., d.first(), std::next(d.first(), step), d.last())));
      const auto rest = std::distance(d.first(), d.last()) - step;
      found.push_back(
          std::distance(d.first(), std::rotate(policy..., d.first(), std::next(d.first(), rest), d.last())));
    }
    std::reverse(policy..., d.first(), d.last());
    found.push_back(std::distance(
        d.other.begin(), std::reverse_copy(policy..., d.other.begin(), d.other.end(), d.out.begin()) == d.out.begin()
                             ? d.other.begin()
                             : d.other.end()));
    return found;
  });
}

TEST_CASE("copy_if, remove_copy, remove_copy_if, unique_copy, partition_copy") {
  compare_all([](auto& d, const auto&... policy) {
    std::vector<std::ptrdiff_t> found;
    const auto note = [&](auto at) {
      found.push_back(std::distance(d.out.begin(), at));
      return at;
    };
    auto at = note(std::copy_if(policy..., d.first(), d.last(), d.out.begin(), is_odd{}));
    note(std::remove_copy(policy..., d.first(), d.last(), at, d.other.front()));
    at = note(std::remove_copy_if(policy..., d.first(), d.last(), d.out.begin(), is_odd{}));
    note(std::unique_copy(policy..., d.first(), d.last(), at));
    at = note(std::unique_copy(policy..., d.first(), d.last(), d.out.begin(), equal_parity{}));
    auto others = d.out;
    const auto [is, is_not] = std::partition_copy(policy..., d.first(), d.last(), at, others.begin(), is_odd{});
    note(is);
    found.push_back(std::distance(others.begin(), is_not));
    std::copy(others.begin(), is_not, d.out.begin());
    return found;
  });
}

/// The items behind the result are unspecified.
template <class Data, class It>
std::ptrdiff_t cut(Data& d, It end) {
  const auto n = std::distance(d.first(), end);
  d.in.erase(std::next(d.in.begin(), n), d.in.end());
  return n;
}

TEST_CASE("remove, remove_if, unique") {
  compare_all([](auto& d, const auto&... policy) {
    std::vector<std::ptrdiff_t> found;
    const auto all = d.in;
    const auto note = [&](auto& items) {
      found.push_back(static_cast<std::ptrdiff_t>(items.size()));
      std::copy(items.begin(), items.end(), d.out.begin());
      d.in = all;
    };
    cut(d, std::remove(policy..., d.first(), d.last(), d.other.front()));
    note(d.in);
    cut(d, std::remove_if(policy..., d.first(), d.last(), is_odd{}));
    note(d.in);
    cut(d, std::unique(policy..., d.first(), d.last()));
    note(d.in);
    cut(d, std::unique(policy..., d.first(), d.last(), equal_parity{}));
    return found;
  });
}

TEST_CASE("items that can only be moved") {
  in_all_pools([] {
    const std::vector<int> k = keys(5000, pattern::few_keys);
    const auto made = [&k] { return std::vector<move_only>(k.begin(), k.end()); };
    const auto is_zero = [](const move_only& m) { return m.key() == 0; };
    std::vector<move_only> v = made(), w(v.size());
    std::move(std::execution::par, v.begin(), v.end(), w.begin());
    CHECK(std::equal(std::execution::par, w.begin(), w.end(), k.begin(),
                     [](const move_only& m, int i) { return m.key() == i; }));
    std::rotate(std::execution::par, w.begin(), w.begin() + 1000, w.end());
    CHECK(w.front().key() == k[1000]);
    w.erase(std::remove_if(std::execution::par, w.begin(), w.end(), is_zero), w.end());
    CHECK(w.size() == k.size() - static_cast<std::size_t>(std::count(k.begin(), k.end(), 0)));
    w = made();
    const auto middle = std::stable_partition(std::execution::par, w.begin(), w.end(), is_zero);
    CHECK(std::all_of(w.begin(), middle, is_zero));
    CHECK(std::none_of(middle, w.end(), is_zero));
    std::sort(std::execution::par, w.begin(), w.end());
    CHECK(std::is_sorted(w.begin(), w.end()));
    w.erase(std::unique(std::execution::par, w.begin(), w.end()), w.end());
    CHECK(w.size() == 5);
  });
}

}  // namespace
