// Laws of algorithms. Each is written once, as code that gives the same with tine and with the standard library.
#pragma once

#include <rapidcheck.h>

#include "unit/algo/inputs.hpp"
#include "unit/algo/observed.hpp"

#include <iterator>
#include <span>

namespace tine::test {

/// The values that a run has returned and written.
using outcome = std::vector<long>;
using side_of_law = outcome (*)(std::span<int> v, unsigned k);

/// Uses of an algorithm on a range, in the variant `k`.
struct law {
  const char* name;
  side_of_law ours, right;
};

/// Makes `algorithm<true>` tine's algorithm, and `algorithm<false>` that of the standard library.
#define TINE_SIDES(algorithm)                                             \
  template <bool Ours>                                                    \
  constexpr auto algorithm = [](auto&&... all) -> decltype(auto) {        \
    if constexpr (Ours) {                                                 \
      return tine::algorithm(std::forward<decltype(all)>(all)...);        \
    } else {                                                              \
      return std::ranges::algorithm(std::forward<decltype(all)>(all)...); \
    }                                                                     \
  }
/// A law that is a function template whose argument tells whose algorithms it uses.
#define TINE_LAW(function) \
  tine::test::law { #function, function<true>, function<false> }

inline constexpr unsigned variants = 9;

/// The range as an iterator with a count, whose end is `std::default_sentinel`.
inline auto counted(std::span<int> v) { return std::counted_iterator{v.data(), std::ssize(v)}; }

/// The place of an item that depends on the variant; the length, if there is none.
inline std::size_t place_in(std::span<const int> v, unsigned k) {
  return k + 1 == variants ? v.size() : v.size() * k / variants;
}

/// Predicates that choose none, few, half, most or all items, long runs of them, or the items equal to one of them.
struct chosen {
  unsigned k;
  int item = -1;
  chosen(std::span<const int> v, unsigned variant) : k{variant} {
    if (place_in(v, k) < v.size()) item = v[place_in(v, k)];
  }
  bool operator()(int x) const {
    switch (k) {
      case 0:
        return x % 2 == 1;
      case 1:
        return x % 100 == 3;
      case 2:
        return x % 3000 < 1000;
      case 3:
        return x % 100 != 3;
      case 4:
        return true;
      default:
        return x == item;
    }
  }
};

inline void append(outcome& to, const auto& items) { to.insert(to.end(), items.begin(), items.end()); }

/// Runs one side on a copy of the items between two pages without access. Also returns what is in the copy afterwards.
inline outcome run_law(side_of_law side, const std::vector<int>& items, unsigned k) {
  const at_page_end<int> copy{items.size(), k % 2 == 0};
  std::ranges::copy(items, copy.begin());
  outcome found = side({copy.begin(), copy.size()}, k);
  found.insert(found.end(), copy.begin(), copy.end());
  return found;
}

/// Checks laws in each of the pools: on random keys in every variant, on other patterns and lengths in some, and on
/// random items in any variant, also observed, recorded and replayed. ThreadSanitizer looks for races, and not for wrong
/// results: it gets fewer of all.
inline void check_laws(const std::vector<law>& laws) {
  unsigned next = 0;
  bool holds = true;
  const auto check = [&](const std::vector<int>& items, unsigned runs) {
    for (; runs > 0; --runs, ++next) {
      for (const law& l : laws) {
        const unsigned k = next % variants;
        CAPTURE(std::string{l.name});
        CAPTURE(k);
        const outcome right = run_law(l.right, items, k);
        in_pools([&] {
          const bool is_right = run_law(l.ours, items, k) == right;
          CHECK(is_right);
          holds = holds && is_right;
        });
      }
    }
  };
  check(keys(lengths.back(), pattern::random), TINE_TSAN ? 2 : variants);
  if (!TINE_TSAN) for_each_input([&](const std::vector<int>& items) { check(items, 1); });
  check(keys(large_length, pattern::random), TINE_TSAN ? 1 : 2);
  if (!holds) return;  // rapidcheck would search long for the least items that fail
  in_pools([&] {
    if (TINE_TSAN) {
      const std::vector<int> items = keys(1001, pattern::random);
      for (const law& l : laws)
        run_in_all_ways([&] { CHECK(run_law(l.ours, items, 0) == run_law(l.right, items, 0)); });
      return;
    }
    CHECK(rc::check("laws", [&](const std::vector<unsigned short>& numbers, unsigned any) {
      const std::vector<int> items(numbers.begin(), numbers.end());
      const unsigned k = any % variants;
      for (const law& l : laws) {
        const outcome right = run_law(l.right, items, k);
        run_in_all_ways([&] { RC_ASSERT(run_law(l.ours, items, k) == right); });
      }
    }));
  });
}

}  // namespace tine::test
