// flatten and tokens against sequential loops.
#include <tine/algo/flatten.hpp>
#include <tine/algo/tokens.hpp>

#include <deque>
#include <ranges>
#include <string_view>

#include "unit/algo/laws.hpp"

namespace {

using namespace tine::test;

template <class T>
std::vector<T> joined(const std::vector<std::vector<T>>& ranges) {
  std::vector<T> all;
  for (const auto& r : ranges) all.insert(all.end(), r.begin(), r.end());
  return all;
}

/// Returns ranges with these sizes; the items are counted.
std::vector<std::vector<int>> ranges_of(const std::vector<int>& sizes) {
  std::vector<std::vector<int>> ranges;
  int next = 0;
  for (const int size : sizes) {
    ranges.emplace_back();
    for (int k = 0; k < size; ++k) ranges.back().push_back(next++);
  }
  return ranges;
}

std::vector<std::string_view> words_of(std::string_view text, const std::function<bool(char)>& is_separator) {
  std::vector<std::string_view> all;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && !is_separator(text[end])) ++end;
    if (end > at) all.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

/// Ranges whose sizes depend on the items and the variant.
template <bool Ours>
outcome flat(std::span<int> v, unsigned k) {
  constexpr std::array<int, variants> sizes{1, 2, 5, 40, 300, 1, 7, 3, 10};
  const bool is_long = k == 5 && !v.empty();
  std::vector<int> all{is_long ? static_cast<int>(v.size()) : 0, 3};
  for (const int x : is_long ? v.first(1) : v.first(v.size() / (k == 4 ? 10 : 1))) all.push_back(x % sizes[k]);
  const auto ranges = ranges_of(all);
  const auto items = Ours ? tine::flatten(ranges) : joined(ranges);
  return {items.begin(), items.end()};
}

/// The words of a text whose separators are few, many or none. A word counts by its place and its length.
template <bool Ours>
outcome words(std::span<int> v, unsigned k) {
  std::string text;
  const chosen is{v, k};
  for (const int x : v) text += is(x) ? 'x' : " \t\n\r\v\f"[x % 6];
  const std::function<bool(char)> is_x = [](char c) { return c == 'x'; };
  outcome found;
  const auto add = [&](const std::vector<std::string_view>& all) {
    for (const std::string_view w : all) found.insert(found.end(), {w.data() - text.data(), std::ssize(w)});
  };
  add(Ours ? tine::tokens(text) : words_of(text, tine::is_whitespace{}));
  add(Ours ? tine::tokens(std::string_view{text}, is_x) : words_of(text, is_x));
  return found;
}

TEST_CASE("flatten returns all items in order, and tokens finds the words that a sequential loop finds") {
  check_laws({TINE_LAW(flat), TINE_LAW(words)});
}

/// An item without a default value.
struct numbered {
  explicit numbered(int k) : number{k} {}
  int number;
  friend bool operator==(const numbered&, const numbered&) = default;
};

TEST_CASE("flatten takes strings, views, and items without a default value") {
  in_pools([] {
    std::vector<std::string> texts;
    std::vector<std::vector<std::string>> words;
    std::vector<std::deque<numbered>> numbers;
    std::vector<std::vector<bool>> flags;
    std::vector<numbered> right;
    for (int k = 0; k < 10'000; ++k) {
      texts.push_back(std::to_string(k));
      words.push_back({"a long text that a string keeps on the heap", std::to_string(k)});
      numbers.emplace_back(static_cast<std::size_t>(k % 5), numbered{k});
      right.insert(right.end(), static_cast<std::size_t>(k % 5), numbered{k});
      flags.push_back({true, false, k % 3 == 0});
    }
    std::string text;
    for (const std::string& t : texts) text += t;
    const std::vector<char> found = tine::flatten(texts);
    CHECK(std::string(found.begin(), found.end()) == text);
    CHECK(tine::flatten(words) == joined(words));
    CHECK(tine::flatten(numbers) == right);
    CHECK(tine::flatten(flags) == joined(flags));
    const auto squares =
        std::views::iota(0, 2000) | std::views::transform([](int k) { return std::views::iota(0, k); });
    std::vector<int> items;
    for (auto&& r : squares) items.insert(items.end(), r.begin(), r.end());
    CHECK(tine::flatten(squares) == items);
  });
}

TEST_CASE("exceptions of copies leave flatten, and nothing leaks") {
  const long before = throwing::alive;
  in_pools([] {
    const std::vector<std::vector<throwing>> ranges(2000, std::vector<throwing>(10));
    for (const long uses : {1L, 2L, 1000L, 10'001L, 19'999L, 20'000L}) {
      throwing::throw_after(uses);
      CHECK_THROWS_AS(tine::flatten(ranges), std::runtime_error);
    }
    throwing::throw_after(0);
  });
  CHECK(throwing::alive == before);
}

TEST_CASE("tokens of long texts, and of other characters") {
  in_pools([] {
    const std::string one(300'000, 'x'), none(300'000, ' ');
    CHECK(tine::tokens(one) == std::vector<std::string_view>{one});
    CHECK(tine::tokens(none).empty());
    CHECK(tine::tokens(std::u32string_view{U"ein  Wort "}) == std::vector<std::u32string_view>{U"ein", U"Wort"});
  });
}

TEST_CASE("tokens touches nothing outside of the range, and the first exception wins") {
  in_pools([] {
    const at_page_end<char> text{100'001};
    std::ranges::fill(text.begin(), text.end(), 'x');
    text.begin()[50'000] = ' ';
    CHECK(tine::tokens(std::string_view{text.begin(), text.size()}).size() == 2);
    std::string digits;
    for (int k = 0; k < 20'000; ++k) digits += std::to_string(k) + ' ';
    CHECK_THROWS_WITH(tine::tokens(digits,
                                   [](char c) -> bool {
                                     if (c == '7') throw std::runtime_error{"seven"};
                                     return c == ' ';
                                   }),
                      "seven");
  });
}

}  // namespace
