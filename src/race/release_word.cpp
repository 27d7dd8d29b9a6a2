// The strands that others know by atomic operations. A word remembers what the strand knew that has released it, and
// a strand remembers what it has acquired, until its branch ends.
#include "race/release_word.hpp"

#include "race/access.hpp"
#include "race/found_races.hpp"
#include "race/open_construct_at.hpp"
#include "race/reserved.hpp"

#include "race/detector_time.hpp"

#include <algorithm>
#include <iterator>

namespace tine::detail {
namespace {

/// The word of a release, and what its strand knew.
struct released_word {
  std::uintptr_t address;  ///< 0: none
  known_strands known;
};

/// The words that share a hash, the oldest one first. A further word takes the place of that, whose order is lost then.
struct released_words {
  static constexpr std::size_t most = 4;
  released_word all[most];

  released_word* find(std::uintptr_t address) noexcept {
    for (released_word& w : all) {
      if (w.address == address) return &w;
    }
    return nullptr;
  }
  released_word& make(std::uintptr_t address) noexcept {
    if (released_word* const at = find(address)) return *at;
    released_word* const empty = find(0);
    std::move((empty != nullptr ? empty : all) + 1, std::end(all), empty != nullptr ? empty : all);
    return all[most - 1] = {address, {}};
  }
};
constexpr unsigned table_bits = 14;
released_words* table = nullptr;

released_words& words_like(std::uintptr_t address) noexcept {
  return table[address * 0x9e3779b97f4a7c15 >> (64 - table_bits)];
}

constexpr bool acquires(int order) noexcept { return order != 0 && order != 3; }
constexpr bool releases(int order) noexcept { return order >= 3; }

}  // namespace

known_strands known_here(const context& c, bool only_certain) noexcept {
  known_strands all;
  all.end = c.order.last() + 1;
  // Beyond those for which there is space, the lowest gaps become one.
  const growing_list<order::interval>& open = c.order.all();
  std::size_t at = 0;
  if (open.size() > known_strands::most_gaps) {
    at = open.size() - known_strands::most_gaps;
    all.add_gap({open[0].lo, open[at].hi});
    ++at;
  }
  for (; at < open.size(); ++at) all.add_gap({open[at].lo, open[at].hi});
  for (const acquired& a : c.acquired) {
    if (!a.is_reopened && (a.place == 0 || !only_certain)) all = united(all, a.known);
  }
  return all;
}

void acquire(context& c, const known_strands& known, std::uintptr_t place) noexcept {
  const detector_time here;
  const known_strands before = known_here(c, place == 0);
  if (before.gaps == 0 || united(before, known) == before) return;
  constexpr std::size_t most = 64;
  const auto inside = static_cast<std::uint32_t>(c.open.size());
  if (c.acquired.size() >= most && c.acquired.back().inside == inside && !c.acquired.back().is_reopened) {
    acquired& newest = c.acquired.back();
    newest.known = united(newest.known, known);
    if (place != 0) newest.place = place;
  } else if (!c.acquired.push({known, inside, false, place})) {
    found_races::give_up("no memory was left for the order of atomic operations");
  }
  next_strand(c);  // so that the next iteration sees that something has happened
}

void forget_former_word(std::uintptr_t word) noexcept {
  if (table == nullptr) return;
  released_word* const at = words_like(word).find(word);
  if (at != nullptr && !has_atomic_write(word)) at->address = 0;
}

void acquire_word(context& c, std::uintptr_t word, int order, word_change change, std::uintptr_t place) noexcept {
  if (table == nullptr || !acquires(order) || change == word_change::replaced) return;
  if (const released_word* const at = words_like(word).find(word)) acquire(c, at->known, place);
}

/// The strand gets another number, because its later accesses are not known to those who acquire the word.
void release_word(context& c, std::uintptr_t word, int order, word_change change) noexcept {
  if (change == word_change::none) return;
  if (c.open.empty() && c.order.all().empty() && c.postponed.empty()) return;  // nothing is parallel
  if (!releases(order)) {
    released_word* const at = table != nullptr ? words_like(word).find(word) : nullptr;
    if (at != nullptr && change == word_change::replaced) at->address = 0;
    return;
  }
  if (table == nullptr) table = static_cast<released_words*>(reserve(sizeof(released_words) << table_bits));
  if (table == nullptr) return found_races::give_up("no memory was left for the order of atomic operations");
  const detector_time here;
  released_word& at = words_like(word).make(word);
  const known_strands known = known_here(c);
  at.known = change == word_change::continued ? united(at.known, known) : known;
  renumber(c);
  c.latest_release = c.strand;
}

const acquired* acquired_of(const context& c, strand_number earlier) noexcept {
  const acquired* found = nullptr;
  for (const acquired& a : c.acquired) {
    if (a.is_reopened || !a.known.has(earlier)) continue;
    if (a.place == 0) return &a;
    if (found == nullptr) found = &a;
  }
  return found;
}

void reopen_acquired(context& c) noexcept {
  const detector_time here;
  acquired* all = nullptr;  // of the siblings that have ended
  std::size_t kept = 0;
  for (std::size_t i = 0; i < c.acquired.size(); ++i) {
    acquired a = c.acquired[i];
    const bool is_known_here = a.inside == c.open.size();
    if (is_known_here && all != nullptr) {
      all->known = united(all->known, a.known);
      if (all->place == 0) all->place = a.place;
      continue;
    }
    a.is_reopened = a.is_reopened || is_known_here;
    c.acquired[kept] = a;
    if (is_known_here) all = &c.acquired[kept];
    ++kept;
  }
  while (c.acquired.size() > kept) c.acquired.pop();
}

void hand_over_acquired(context& c, interval_owner group) noexcept {
  const detector_time here;
  for (; !c.acquired.empty() && c.acquired.back().inside >= c.open.size(); c.acquired.pop()) {
    const acquired& a = c.acquired.back();
    const auto same = std::find_if(c.acquired_by_tasks.begin(), c.acquired_by_tasks.end(),
                                   [group](const acquired_by_task& t) { return t.group == group; });
    if (same == c.acquired_by_tasks.end()) {
      c.acquired_by_tasks.push({group, a.known, a.place});
    } else {
      same->known = united(same->known, a.known);
      if (same->place == 0) same->place = a.place;
    }
  }
}

void acquire_from_tasks(context& c, interval_owner group, bool again) noexcept {
  const detector_time here;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < c.acquired_by_tasks.size(); ++i) {
    const acquired_by_task t = c.acquired_by_tasks[i];
    if (t.group == group) acquire(c, t.known, t.place);
    if (t.group != group || again) c.acquired_by_tasks[kept++] = t;
  }
  while (c.acquired_by_tasks.size() > kept) c.acquired_by_tasks.pop();
}

void keep_acquired(context& c, std::uint32_t construct) noexcept {
  const detector_time here;
  std::size_t kept = 0;
  for (acquired a : c.acquired) {
    if (a.inside > construct) {
      a.inside = construct;
      a.is_reopened = false;
    }
    if (construct != 0 || !c.order.all().empty()) c.acquired[kept++] = a;
  }
  while (c.acquired.size() > kept) c.acquired.pop();
}

}  // namespace tine::detail
