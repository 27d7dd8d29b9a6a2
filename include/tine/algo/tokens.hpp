// tokens: the words of a text.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace tine {

/// Returns true for the characters that separate words: space, tab, line feed, vertical tab, form feed and carriage
/// return, in any locale.
struct is_whitespace {
  template <class Char>
  constexpr bool operator()(Char c) const noexcept {
    return c == Char{' '} || (c >= Char{'\t'} && c <= Char{'\r'});
  }
};

namespace detail {

/// The tokens of a series of characters.
template <class Char>
struct token_list {
  std::vector<std::basic_string_view<Char>> all;  ///< those that have ended
  const Char* begin = nullptr;                    ///< of the series; null: it is empty
  const Char* end = nullptr;
  const Char* open = nullptr;  ///< the start of the token that reaches the end of the series; null: none does

  /// Ends the open token at `at`.
  void close(const Char* at) {
    all.emplace_back(open, static_cast<std::size_t>(at - open));
    open = nullptr;
  }

  /// Appends the tokens of the characters that follow. This series's open token continues with the first one of
  /// `later`, if that one is at the start of `later`.
  void append(token_list&& later) {
    if (later.begin == nullptr) return;
    if (begin == nullptr) {
      *this = std::move(later);
      return;
    }
    auto first = later.all.begin();
    if (open != nullptr) {
      if (first != later.all.end() && first->data() == later.begin) {
        close(first->data() + first->size());
        ++first;
      } else if (later.open == later.begin) {
        later.open = open;
      } else {
        close(end);
      }
    }
    all.insert(all.end(), first, later.all.end());
    end = later.end;
    open = later.open;
  }
};

struct tokens_function {
  template <std::ranges::contiguous_range R, class IsSeparator = is_whitespace>
    requires std::ranges::sized_range<R> && std::predicate<IsSeparator&, std::ranges::range_value_t<R>>
  std::vector<std::basic_string_view<std::ranges::range_value_t<R>>> operator()(R&& chars,
                                                                                IsSeparator is_separator = {}) const {
    using character = std::ranges::range_value_t<R>;
    static_assert(
        std::is_lvalue_reference_v<R> || std::ranges::borrowed_range<R>,
        "tine: the tokens refer to the characters, so these must not be a temporary string: give it a name, or give tokens a std::string_view");
    static_assert(check_callable<IsSeparator, character>());
    using list = token_list<character>;
    const character* const text = std::ranges::data(chars);
    list found = fold_chunks(
        std::ranges::size(chars), [] { return list{}; },
        [text, is_separator](list& so_far, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
          const character *i = text + begin, *const stop = text + end;
          if (so_far.begin == nullptr) so_far.begin = i;
          so_far.end = stop;
          const character* open = so_far.open;
          for (; i != stop; ++i) {
            if (!std::invoke(is_separator, *i)) {
              if (open == nullptr) open = i;
            } else if (open != nullptr) {
              so_far.all.emplace_back(open, static_cast<std::size_t>(i - open));
              open = nullptr;
            }
          }
          so_far.open = open;
        },
        [](list& so_far, list&& later) { so_far.append(std::move(later)); });
    if (found.open != nullptr) found.close(found.end);
    return std::move(found.all);
  }
};

}  // namespace detail

/// Returns the tokens of `chars`, in order: the longest subranges without a character that `is_separator`. The views
/// refer to `chars`, a contiguous range of characters, e.g. a string or a mapped file.
///
///     tine::tokens(chars, is_separator = {})
///
/// On one worker this is the sequential loop. Other workers collect the tokens of what they take in vectors, which we
/// append. Work O(n), span O(log n) and the copies of these vectors. `is_separator` is called once for each character,
/// as const, on several workers at once. Exceptions and stop requests are as in `par_for`.
///
/// Source: ParlayLib (Blelloch, Anderson and Dhulipala 2020), `tokens`; here in one pass, as a reduction of token
/// lists.
inline constexpr detail::tokens_function tokens{};

}  // namespace tine
