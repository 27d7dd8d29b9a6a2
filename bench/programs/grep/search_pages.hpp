// Parallel search: a filter over pages of the text.
#pragma once

#include "programs/grep/search.hpp"

#include <algorithm>
#include <vector>

namespace bench::grep {

/// Each page's search writes the lines that it finds into a room of its own. Prefix sums of their numbers then give the number
/// of lines before each page, and a second loop copies the lines of each page to their place.
template <class Algorithms>
void search_pages(problem& p, const Algorithms& algorithms) {
  const std::string& text = p.text;
  const std::size_t pages = p.pages();
  const auto room_of = [at = p.rooms.get()](std::size_t k) { return at + k * most_in_page; };
  std::vector<std::size_t> before(pages + 1);

  algorithms.for_each(std::size_t{0}, pages, [&text, room_of, counts = before.data() + 1](std::size_t k) {
    place* end = room_of(k);
    search(text, line_from(text, k * page), line_from(text, std::min(text.size(), (k + 1) * page)),
           [&end](place line) { *end++ = line; });
    counts[k] = static_cast<std::size_t>(end - room_of(k));
  });
  algorithms.sums(pages, before.data() + 1, [counts = before.data() + 1](std::size_t k) { return counts[k]; });
  p.found.resize(before[pages]);
  algorithms.for_each(std::size_t{0}, pages, [to = p.found.data(), room_of, before = before.data()](std::size_t k) {
    std::copy_n(room_of(k), before[k + 1] - before[k], to + before[k]);
  });
}

}  // namespace bench::grep
