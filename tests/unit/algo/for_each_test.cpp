// for_each, transform, fill, generate and tabulate against the standard library.
#include <tine/algo/fill.hpp>
#include <tine/algo/for_each.hpp>
#include <tine/algo/generate.hpp>
#include <tine/algo/tabulate.hpp>
#include <tine/algo/transform.hpp>

#include <deque>

#include "unit/algo/laws.hpp"
#include "unit/algo/with_exceptions.hpp"

namespace {

using namespace tine::test;

TINE_SIDES(fill);
TINE_SIDES(for_each);
TINE_SIDES(transform);

template <bool Ours>
outcome changes(std::span<int> v, unsigned k) {
  std::deque<keyed> items;
  for (const int x : v) items.push_back({x, items.size()});
  const auto end = for_each<Ours>(items, [k](int& key) { key += static_cast<int>(k); }, &keyed::key).in;
  for_each<Ours>(counted(v), std::default_sentinel, [](int& x) { x ^= 1; });
  outcome found{end - items.begin()};
  for (const keyed& item : items) found.push_back(item.key);
  return found;
}

template <bool Ours>
outcome images(std::span<int> v, unsigned k) {
  outcome out(v.size());
  const auto ends = transform<Ours>(v, out.begin(), [k](int x) { return long{x} << k; });
  transform<Ours>(counted(v), std::default_sentinel, v.begin(), [](int x) { return x / 2; });
  append(out, std::array{ends.in - v.begin(), ends.out - out.begin()});
  return out;
}

/// The shorter range decides the number of pairs.
template <bool Ours>
outcome images_of_pairs(std::span<int> v, unsigned k) {
  const std::vector<int> others(v.size() + k % 3, 5);
  outcome out(v.size()), more(v.size());
  const auto one = transform<Ours>(v, others, out.begin(), std::minus<>{}, std::identity{}, std::negate<>{});
  const auto two =
      transform<Ours>(others.begin(), others.end(), counted(v), std::default_sentinel, more.begin(), std::minus<>{});
  outcome found{one.in1 - v.begin(), one.in2 - others.begin(), one.out - out.begin(), two.in1 - others.begin()};
  append(found, out);
  append(found, more);
  return found;
}

template <bool Ours>
outcome equal_items(std::span<int> v, unsigned k) {
  std::vector<std::string> texts(v.size());
  if (const std::size_t at = place_in(v, k); at < v.size()) {  // the value may be one of the items
    texts[at] = "a string that is longer than the small ones are";
    fill<Ours>(texts, texts[at]);
    if (k % 2 == 0) fill<Ours>(counted(v), std::default_sentinel, v[at]);
  }
  outcome found;
  for (const std::string& t : texts) found.push_back(static_cast<long>(t.size()));
  found.push_back(fill<Ours>(texts, std::string{"x"}) - texts.begin());
  found.push_back(std::ranges::count(texts, "x"));
  return found;
}

TEST_CASE("loops write what those of the standard library write") {
  check_laws({TINE_LAW(changes), TINE_LAW(images), TINE_LAW(images_of_pairs), TINE_LAW(equal_items)});
}

TEST_CASE("on one worker for_each visits the items in order") {
  tine::pool p{{.workers = 1}};
  p.run([] {
    const auto v = keys(65'537, pattern::random);
    std::vector<int> seen;
    tine::for_each(v, [&seen](int k) { seen.push_back(k); });
    CHECK(seen == v);
  });
}

TEST_CASE("the first exception of for_each and transform wins") {
  in_pools([] {
    auto v = keys(65'537, pattern::sorted);
    CHECK_THROWS_WITH(tine::for_each(v, below_1000), "1000");
    CHECK_THROWS_WITH(tine::transform(v, v.begin(), below_1000), "1000");
    CHECK_THROWS_WITH(tine::transform(v, v, v.begin(), [](int k, int) { return below_1000(k); }), "1000");
    CHECK_THROWS_WITH(tine::tabulate(v, [](std::size_t i) { return below_1000(static_cast<int>(i)); }), "1000");
    CHECK_THROWS_WITH(tine::generate(v, [] { return below_1000(2000); }), "2000");
  });
}

TEST_CASE("transform moves results that can be moved only") {
  in_pools([] {
    const auto v = keys(1001, pattern::sorted);
    std::vector<move_only> out(v.size());
    tine::transform(v, out.begin(), [](int k) { return move_only{k}; });
    CHECK(std::ranges::equal(out, v, {}, &move_only::key));
  });
}

TEST_CASE("an exception of fill leaves all items alive") {
  in_pools([] { check_lives(keys(1001, pattern::sorted), 1001, [](auto& items) { tine::fill(items, items[3]); }); });
}

TEST_CASE("generate calls the generator once for each item") {
  in_pools([] {
    for (const std::size_t n : lengths) {
      CAPTURE(n);
      std::atomic<int> next{0};
      std::vector<int> v(n, -1);
      CHECK(tine::generate(v, [&next] { return next.fetch_add(1); }) == v.end());
      std::ranges::sort(v);
      CHECK(v == keys(n, pattern::sorted));
      CHECK(tine::generate(v.begin(), v.end(), [] { return 3; }) == v.end());
      CHECK(std::ranges::count(v, 3) == static_cast<long>(n));
    }
  });
}

TEST_CASE("tabulate gives the function the positions") {
  in_pools([] {
    for (const std::size_t n : lengths) {
      CAPTURE(n);
      std::vector<int> v(n);
      const auto as_int = [](std::size_t i) { return static_cast<int>(i); };
      CHECK(tine::tabulate(v, as_int) == v.end());
      CHECK(v == keys(n, pattern::sorted));
      std::vector<move_only> m(n);
      CHECK(tine::tabulate(m.begin(), m.end(), [](std::size_t i) { return move_only{static_cast<int>(i)}; }) ==
            m.end());
      CHECK(std::ranges::equal(m, v, {}, &move_only::key));
    }
  });
}

}  // namespace
