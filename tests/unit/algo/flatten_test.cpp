// flatten and tokens against sequential loops.
#include <tine/algo/flatten.hpp>
#include <tine/algo/tokens.hpp>

#include <rapidcheck.h>

#include <deque>
#include <ranges>
#include <sstream>
#include <string_view>

#include "unit/algo/inputs.hpp"
#include "unit/algo/observed.hpp"

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

TEST_CASE("flatten returns all items in order") {
  in_pools([] {
    for (const std::vector<int>& sizes : {std::vector<int>{},
                                          {0},
                                          {0, 0, 0},
                                          {1},
                                          {large_length / 2},
                                          {3, 0, large_length * 2 / 5, 1, large_length / 5, 0, 7}}) {
      const auto ranges = ranges_of(sizes);
      CHECK(tine::flatten(ranges) == joined(ranges));
    }
    for (const int size : {0, 1, 5, 40}) {
      const auto ranges = ranges_of(std::vector<int>(5'000, size));
      CHECK(tine::flatten(ranges) == joined(ranges));
    }
    std::vector<int> sizes = keys(3000, pattern::random);
    for (int& s : sizes) s %= 300;
    CHECK(tine::flatten(ranges_of(sizes)) == joined(ranges_of(sizes)));
  });
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

/// Returns a text of words and spaces, with such lengths on average.
std::string text_of(std::size_t n, unsigned word, unsigned space) {
  std::mt19937 random{word * 1000 + space};
  std::string text;
  while (text.size() < n) {
    text.append(random() % (2 * word), static_cast<char>('a' + random() % 26));
    text.append(random() % (2 * space), " \t\n\r\v\f"[random() % 6]);
  }
  text.resize(n);
  return text;
}

bool are_same(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) {
  return std::ranges::equal(
      a, b, [](std::string_view x, std::string_view y) { return x.data() == y.data() && x.size() == y.size(); });
}

TEST_CASE("tokens finds the words that a sequential loop finds") {
  in_pools([] {
    for (const std::size_t n : lengths) {
      for (const auto& [word, space] : {std::pair{1U, 1U}, {5U, 1U}, {1U, 50U}, {1000U, 1U}, {40'000U, 3U}}) {
        CAPTURE(n);
        CAPTURE(word);
        const std::string text = text_of(n, word, space);
        CHECK(are_same(tine::tokens(text), words_of(text, tine::is_whitespace{})));
        CHECK(are_same(tine::tokens(std::string_view{text}, [](char c) { return c == 'a'; }),
                       words_of(text, [](char c) { return c == 'a'; })));
      }
    }
    const std::string text = text_of(large_length, 5, 1);
    CHECK(are_same(tine::tokens(text), words_of(text, tine::is_whitespace{})));
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

TEST_CASE("any input: flatten and tokens, also observed, recorded and replayed") {
  in_pools([] {
    CHECK(
        rc::check("flatten, tokens", [](const std::vector<std::vector<int>>& ranges, const std::vector<bool>& letters) {
          std::string text;
          for (const bool is_letter : letters) text += is_letter ? 'x' : ' ';
          const auto run = [&] {
            RC_ASSERT(tine::flatten(ranges) == joined(ranges));
            RC_ASSERT(are_same(tine::tokens(text), words_of(text, tine::is_whitespace{})));
          };
          run_in_all_ways(run);
        }));
  });
}

}  // namespace
