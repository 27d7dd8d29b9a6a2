// The strands that others know by atomic operations. A word remembers what the strand knew that has released it, and
// a strand remembers what it has acquired, until its branch ends.
#include "race/ordered_by_release.hpp"

#include "race/access.hpp"
#include "race/found_races.hpp"
#include "race/open_construct_at.hpp"
#include "race/reserved.hpp"

namespace tine::detail {
namespace {

/// The word of a release, and what its strand knew. Words share the places of a table: a newer one takes the place of
/// an older one, whose order is lost then.
struct released_word {
  std::uintptr_t address;
  known_strands known;
};
constexpr std::size_t table_size = 1 << 16;
released_word* table = nullptr;

released_word& place_of(std::uintptr_t word) noexcept { return table[(word >> 2) * 0x9e3779b97f4a7c15 >> 48]; }

constexpr bool acquires(int order) noexcept { return order != 0 && order != 3; }
constexpr bool releases(int order) noexcept { return order >= 3; }

/// The strand gets another number, because its later accesses are not known to those who acquire the word.
void release(context& c, released_word& to, std::uintptr_t word, word_change change) noexcept {
  const known_strands known = known_here(c);
  to.known = change == word_change::continued && to.address == word ? united(to.known, known) : known;
  to.address = word;
  renumber(c);
  c.latest_release = c.strand;
}

}  // namespace

known_strands known_here(const context& c, bool only_certain) noexcept {
  known_strands all;
  all.end = c.order.last() + 1;
  for (const order::interval& i : c.order.all()) all.add_gap({i.lo, i.hi});
  for (const acquired& a : c.acquired) {
    if (!a.is_reopened && (a.place == 0 || !only_certain)) all = united(all, a.known);
  }
  return all;
}

void acquire(context& c, const known_strands& known, std::uintptr_t place) noexcept {
  const known_strands before = known_here(c);
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

void begin_atomic(std::uintptr_t word) noexcept {
  if (table == nullptr) return;
  released_word& at = place_of(word);
  if (at.address == word && !has_atomic_write(word)) at.address = 0;
}

void end_atomic(context& c, std::uintptr_t word, int order, word_change change, std::uintptr_t place) noexcept {
  if (c.open.empty() && c.order.all().empty()) return;  // nothing is parallel
  if (table == nullptr) table = static_cast<released_word*>(reserve(table_size * sizeof(released_word)));
  if (table == nullptr) return found_races::give_up("no memory was left for the order of atomic operations");
  released_word& at = place_of(word);
  if (at.address == word && acquires(order) && change != word_change::replaced) acquire(c, at.known, place);
  if (change == word_change::none) return;
  if (releases(order)) {
    release(c, at, word, change);
  } else if (change == word_change::replaced && at.address == word) {
    at.address = 0;
  }
}

const acquired* acquired_of(const context& c, strand_number earlier) noexcept {
  for (const acquired& a : c.acquired) {
    if (!a.is_reopened && a.known.has(earlier)) return &a;
  }
  return nullptr;
}

void reopen_acquired(context& c) noexcept {
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

void forget_acquired(context& c) noexcept {
  while (!c.acquired.empty() && c.acquired.back().inside >= c.open.size()) c.acquired.pop();
}

void keep_acquired(context& c, std::uint32_t construct) noexcept {
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
