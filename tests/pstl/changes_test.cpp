// Algorithms that write items one by one, with execution policies.
#include "pstl/compare.hpp"

namespace {

using namespace tine::test;

TEST_CASE("for_each, for_each_n") {
  compare_numbers([](auto& d, const auto&... policy) {
    const auto change = [](auto& item) { item = changed{}(item); };
    std::for_each(policy..., d.first(), d.last(), change);
    const auto at = std::for_each_n(policy..., d.first(), d.in.size() / 2, change);
    return results{at - d.first()};
  });
}

TEST_CASE("copy, copy_n, move, swap_ranges") {
  compare_texts([](auto& d, const auto&... policy) {
    auto at = std::copy(policy..., d.first(), d.last(), d.out.begin());
    at = std::copy_n(policy..., d.first(), d.in.size() / 3, at);
    const auto half = static_cast<std::ptrdiff_t>(d.in.size() / 2);
    std::swap_ranges(policy..., d.out.begin(), d.out.begin() + half, d.first());
    auto moved = d.in;
    at = std::move(policy..., moved.begin(), moved.begin() + half, at);
    return results{at - d.out.begin()};
  });
}

TEST_CASE("transform") {
  compare_all([](auto& d, const auto&... policy) {
    const auto at = std::transform(policy..., d.first(), d.last(), d.out.begin(), changed{});
    std::transform(policy..., d.first(), d.last(), d.out.begin(), d.first(), joined{});
    return results{at - d.out.begin()};
  });
}

TEST_CASE("replace, replace_if, replace_copy, replace_copy_if") {
  compare_numbers([](auto& d, const auto&... policy) {
    const auto from = d.other.front(), to = changed{}(from);
    auto at = std::replace_copy(policy..., d.first(), d.last(), d.out.begin(), from, to);
    at = std::replace_copy_if(policy..., d.first(), d.last(), at, is_odd{}, to);
    std::replace(policy..., d.first(), d.last(), from, to);
    std::replace_if(policy..., d.other.begin(), d.other.end(), is_odd{}, to);
    return results{at - d.out.begin()};
  });
}

TEST_CASE("fill, fill_n, generate, generate_n") {
  compare_numbers([](auto& d, const auto&... policy) {
    const auto item = d.other.front();
    const auto generate = [item] { return changed{}(item); };
    std::fill(policy..., d.first(), d.last(), item);
    const auto at = std::fill_n(policy..., d.out.begin(), d.in.size() / 2, item);
    std::generate(policy..., d.other.begin(), d.other.end(), generate);
    const auto end = std::generate_n(policy..., at, d.in.size() / 3, generate);
    return results{end - d.out.begin()};
  });
}

TEST_CASE("reverse, reverse_copy, rotate, rotate_copy") {
  compare_texts([](auto& d, const auto&... policy) {
    results found;
    for (const std::size_t share : {2, 3, 50}) {
      const auto step = static_cast<std::ptrdiff_t>(d.in.size() / share);
      const auto n = static_cast<std::ptrdiff_t>(d.in.size());
      found.push_back(std::rotate_copy(policy..., d.first(), d.first() + step, d.last(), d.out.begin()) -
                      d.out.begin());
      for (const std::ptrdiff_t by : {step, n - step}) {
        found.push_back(std::rotate(policy..., d.first(), d.first() + by, d.last()) - d.first());
      }
    }
    std::reverse(policy..., d.first(), d.last());
    found.push_back(std::reverse_copy(policy..., d.other.begin(), d.other.end(), d.out.begin()) - d.out.begin());
    return found;
  });
}

TEST_CASE("copy_if, remove_copy, remove_copy_if, unique_copy, partition_copy") {
  const auto body = [](auto& d, const auto&... policy) {
    results found;
    const auto note = [&](auto at) {
      found.push_back(at - d.out.begin());
      return at;
    };
    auto at = note(std::copy_if(policy..., d.first(), d.last(), d.out.begin(), is_odd{}));
    note(std::unique_copy(policy..., d.first(), d.last(), at, equal_parity{}));
    auto others = d.out;
    const auto [is, is_not] =
        std::partition_copy(policy..., d.first(), d.last(), d.out.begin(), others.begin(), is_odd{});
    note(is);
    found.push_back(is_not - others.begin());
    std::copy(others.begin(), is_not, is);
    return found;
  };
  compare_texts(body);
  compare_numbers([](auto& d, const auto&... policy) {
    auto at = std::remove_copy(policy..., d.first(), d.last(), d.out.begin(), d.other.front());
    const auto end = std::remove_copy_if(policy..., d.first(), d.last(), at, is_odd{});
    auto unique = d.in;
    d.other.assign(unique.begin(), std::unique_copy(policy..., d.first(), d.last(), unique.begin()));
    return results{at - d.out.begin(), end - at};
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
  compare_texts([](auto& d, const auto&... policy) {
    const auto all = d.in;
    const auto n = cut(d, std::remove_if(policy..., d.first(), d.last(), is_odd{}));
    std::copy(d.first(), d.last(), d.out.begin());
    d.in = all;
    return results{n, cut(d, std::unique(policy..., d.first(), d.last(), equal_parity{}))};
  });
  compare_numbers([](auto& d, const auto&... policy) {
    const auto all = d.in;
    const auto n = cut(d, std::remove(policy..., d.first(), d.last(), d.other.front()));
    std::copy(d.first(), d.last(), d.out.begin());
    d.in = all;
    return results{n, cut(d, std::unique(policy..., d.first(), d.last()))};
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
