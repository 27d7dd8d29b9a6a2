// count_if against the standard library.
#include <tine/algo/count_if.hpp>

#include <rapidcheck.h>

#include "unit/algo/inputs.hpp"

namespace {

using namespace tine::test;

TEST_CASE("count_if counts as the standard library does") {
  in_pools([] {
    for_each_input([](const std::vector<int>& v) {
      const auto is_odd = [](int k) { return k % 2 != 0; };
      CHECK(tine::count_if(v, is_odd) == std::ranges::count_if(v, is_odd));
      CHECK(tine::count_if(v.begin(), v.end(), is_odd) == std::ranges::count_if(v, is_odd));
    });
    const std::vector<int> many = keys(large_length, pattern::random);
    const auto is_small = [](int k) { return k < 1 << 28; };
    CHECK(tine::count_if(many, is_small) == std::ranges::count_if(many, is_small));
  });
}

TEST_CASE("count_if takes projections, and touches nothing outside of the range") {
  in_pools([] {
    for (const bool at_begin : {false, true}) {
      const at_page_end<keyed> items{1001, at_begin};
      for (std::size_t i = 0; i < items.size(); ++i) items.begin()[i].key = static_cast<int>(i % 3);
      CHECK(tine::count_if(items.begin(), items.end(), [](int k) { return k == 0; }, &keyed::key) == 334);
    }
  });
}

TEST_CASE("any vector and predicate: count_if") {
  in_pools([] {
    CHECK(rc::check("count_if", [](const std::vector<int>& v, int bound) {
      const auto is_less = [bound](int k) { return k < bound; };
      RC_ASSERT(tine::count_if(v, is_less) == std::ranges::count_if(v, is_less));
    }));
  });
}

TEST_CASE("the first exception of a predicate of count_if wins") {
  in_pools([] {
    const auto v = keys(65'537, pattern::sorted);
    CHECK_THROWS_WITH(tine::count_if(v,
                                     [](int k) -> bool {
                                       if (k >= 1000) throw std::runtime_error{std::to_string(k)};
                                       return true;
                                     }),
                      "1000");
  });
}

}  // namespace
