// Finds the chain of a site, and gives each chain a number. It does so at every fork in a wrapper, so slow steps are
// done once. A table has the rule and the owner of each return address, another one has the number of each chain, and
// each thread keeps the walks that it has made.
#include "augment/callers.hpp"

#include "augment/frame_rule.hpp"
#include "augment/grow_only_table.hpp"
#include "augment/known_walks.hpp"
#include "augment/owner_of.hpp"
#include "sched/scheduler_time.hpp"

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/macros.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <mutex>
#include <set>

namespace tine::detail {
namespace {

base::atomic<unsigned> wanted{0};

constinit std::mutex lock_of_tables;  // of those who add to them

std::uint64_t mixed(std::uint64_t n) noexcept {
  n *= 0x9e3779b97f4a7c15U;
  return n ^ n >> 32;
}

// --- the code around return addresses ---

/// Our knowledge of a return address.
struct known_code {
  std::uintptr_t pc;
  frame_rule rule;
  owner of;

  bool is_of_program() const noexcept { return of == owner::program || of == owner::unnamed; }
};

constinit grow_only_table<known_code, 16384> all_code;

/// Returns null if we have not yet looked at it.
TINE_ALWAYS_INLINE const known_code* known_at(std::uintptr_t pc) noexcept {
  return all_code.find(mixed(pc), [pc](const known_code& c) { return c.pc == pc; });
}

TINE_NOINLINE known_code find_code(std::uintptr_t pc) noexcept {
  const sched::scheduler_time here;
  const std::lock_guard guard{lock_of_tables};
  if (const known_code* const known = known_at(pc)) return *known;
  const known_code found{pc, rule_for(pc), owner_of(pc - 1)};
  const auto* const kept = new known_code{found};
  if (!all_code.add(mixed(pc), kept)) delete kept;
  return found;
}

TINE_ALWAYS_INLINE known_code code_at(std::uintptr_t pc) noexcept {
  const known_code* const known = known_at(pc);
  return known != nullptr ? *known : find_code(pc);
}

TINE_NOINLINE bool is_unknown_of_program(std::uintptr_t pc) noexcept { return find_code(pc).is_of_program(); }

TINE_ALWAYS_INLINE bool is_of_program(std::uintptr_t pc) noexcept {
  const known_code* const known = known_at(pc);
  return known != nullptr ? known->is_of_program() : is_unknown_of_program(pc);
}

// --- chains ---

/// Return addresses, the site's own first and its callers behind it.
struct chain {
  static constexpr std::size_t most_wrappers = 8;
  static constexpr std::size_t most = most_wrappers + 2 + most_callers;

  std::array<std::uint64_t, most> of;  // the first `count` are set
  std::uint32_t count = 0;
  std::uint64_t outside = 0;  ///< the program's own, which called the wrappers; 0: not known

  void add(std::uint64_t address) noexcept {
    if (address != 0 && count < most) of[count++] = address;
  }
  std::span<const std::uint64_t> all() const noexcept { return std::span{of}.first(count); }
  std::uint64_t hash() const noexcept {
    std::uint64_t h = count;
    for (const std::uint64_t each : all()) h = mixed(h ^ each);
    return h;
  }
  bool operator==(const chain& other) const noexcept {
    return outside == other.outside && std::ranges::equal(all(), other.all());
  }
};

struct numbered_chain {
  chain addresses;
  std::uint64_t number;
};

/// No address has this bit, nor is it one of those that mark kinds of constructs.
constexpr sched::site numbered = trace::chain_number;
static_assert((numbered & (sched::of_coroutine | sched::of_halving)) == 0);

using table_of_chains = grow_only_table<numbered_chain, 32768>;
constinit table_of_chains all_chains;
constinit std::array<const numbered_chain*, table_of_chains::most>
    by_number{};                          // a thread that has a number sees its own
constinit std::uint64_t chain_count = 0;  // under the lock

const chain& chain_of(sched::site number) noexcept { return by_number[number & (numbered - 1)]->addresses; }

TINE_NOINLINE sched::site add_chain(const chain& c) noexcept {
  const sched::scheduler_time here;
  const std::lock_guard guard{lock_of_tables};
  const auto is_this = [&c](const numbered_chain& n) { return n.addresses == c; };
  if (const numbered_chain* const known = all_chains.find(c.hash(), is_this)) return numbered | known->number;
  if (chain_count == table_of_chains::most) return c.outside != 0 ? c.outside : c.of[0];
  const auto* const kept = new numbered_chain{c, chain_count};
  by_number[chain_count] = kept;  // before a search can find it
  all_chains.add(c.hash(), kept);
  return numbered | chain_count++;
}

sched::site number_of(const chain& c) noexcept {
  const auto is_this = [&c](const numbered_chain& n) { return n.addresses == c; };
  const numbered_chain* const known = all_chains.find(c.hash(), is_this);
  return known != nullptr ? numbered | known->number : add_chain(c);
}

/// Adds the addresses of wrappers in `outer`. Each of them may have inlined code of the program, but the outermost is
/// the likeliest, so we leave out those in the middle if there are too many. Chains must not grow with the depth of a
/// recursion.
void inherit_wrappers(chain& c, const chain& outer) noexcept {
  constexpr unsigned most_inherited = 4;
  const std::span all = outer.all();
  const auto end = std::ranges::find(all, outer.outside);
  unsigned added = 0;
  for (auto each = all.begin(); each != end; ++each) {
    const bool is_known = std::ranges::find(c.all(), *each) != c.all().end();
    const bool is_outermost = std::next(each) == end;
    if (is_known || (added == most_inherited - 1 && !is_outermost)) continue;
    c.add(*each);
    ++added;
  }
}

/// Continues a chain with the site of the construct around it. The root's site has the frames of the thread that
/// brought the root. If the site itself is among them, because a fork outside of all pools has brought it, we continue
/// behind it.
void inherit(chain& c, sched::site around) noexcept {
  if (around == 0 || around == c.of[0]) return;
  if (!has_number(around)) {
    c.add(around);
    if (c.outside == 0 && code_at(around).is_of_program()) c.outside = around;
    return;
  }
  const chain& outer = chain_of(around);
  const auto own = std::ranges::find(outer.all(), c.of[0]);
  if (c.count == 1 && own != outer.all().end()) {
    for (const std::uint64_t each : std::span{own + 1, outer.all().end()}) c.add(each);
  } else {
    inherit_wrappers(c, outer);
    c.add(outer.outside);
  }
  if (c.outside == 0) c.outside = outer.outside;
}

constexpr unsigned most_frames = 200;  // of a walk: tine's own, and those of a recursion in a wrapper

/// Adds the words on which a walk depends to a known walk, or to none.
struct notes {
  known_walk* of = nullptr;
  TINE_ALWAYS_INLINE void operator()(std::uintptr_t at, std::uintptr_t word) const noexcept {
    if (of != nullptr) of->note(at, word);
  }
};

/// Adds the callers of `f`, whose own address is in the chain unless it is tine's, and `more` of those that called the
/// program. `own`: the owner of its code. The walk ends with the program's first function, or with the construct
/// around, whose frames are above those of the branch unless it was stolen.
void add_callers(chain& c, calling_frame f, const known_code& own, sched::site around, unsigned more,
                 notes read) noexcept {
  const std::uintptr_t end = address_of_site(around);
  known_code here = own;
  for (unsigned frames = 0; frames < most_frames && (c.outside == 0 || more > 0); ++frames) {
    const bool was_tine = here.of == owner::runtime;
    if (!step(f, here.rule, read) || f.pc == 0 || f.pc == end) break;
    here = code_at(f.pc);
    if (c.outside != 0) {
      if (here.of == owner::runtime) return;  // it has called the program
      c.add(f.pc);
      --more;
    } else if (here.is_of_program()) {
      c.add(f.pc);
      c.outside = f.pc;
    } else if (!(was_tine && here.of == owner::runtime) && c.count < chain::most_wrappers) {
      c.add(f.pc);  // code of the program may be inlined there, also into the first of tine's frames
    }
  }
  if (c.outside == 0) inherit(c, around);
}

/// Returns `f` or the first frame above it that continues at `pc`; one without a caller if there is none.
calling_frame frame_at(std::uintptr_t pc, calling_frame f, notes read) noexcept {
  for (unsigned frames = 0; f.pc != pc && f.pc != 0; ++frames) {
    if (frames == most_frames || !step(f, code_at(f.pc).rule, read)) return {0, 0, 0};
  }
  return f;
}

/// As `site_with_callers`, without the marks of coroutines. Above a coroutine is the frame of its driver or of its
/// caller: this depends on steals. But without optimisation clang makes functions without a symbol of the expressions
/// behind co_await. The coroutine is above these.
sched::site callers_of_coroutine(sched::site where, sched::site around) noexcept {
  known_code own = code_at(where);
  if (own.of == owner::unnamed) {
    calling_frame f = frame_at(where, frame_here(), {});
    if (f.pc == 0 || !step(f, own.rule) || f.pc == 0 || code_at(f.pc).of == owner::runtime) return where;
    own = code_at(f.pc);
    where = f.pc;
  }
  if (own.is_of_program()) return where;
  chain c;
  c.add(where);
  inherit(c, around);
  return c.count == 1 ? where : number_of(c);
}

TINE_NOINLINE sched::site site_in_coroutine(sched::site where, sched::site around) noexcept {
  return callers_of_coroutine(where & ~sched::of_coroutine, around & ~sched::of_coroutine) | sched::of_coroutine;
}

/// Walks from `here`, a frame of this thread.
TINE_NOINLINE sched::site walk(const known_walk::start& from, const calling_frame& here, notes read) noexcept {
  const known_code own = code_at(from.where);
  chain c;
  c.add(from.where);
  if (own.is_of_program()) c.outside = from.where;
  const calling_frame f = frame_at(from.where, here, read);
  const sched::site around = from.around & ~sched::of_coroutine;
  f.pc != 0 ? add_callers(c, f, own, around, from.more, read) : inherit(c, around);
  return c.count == 1 ? from.where : number_of(c);
}

TINE_NOINLINE sched::site site_in_wrapper(sched::site where, sched::site around, unsigned more) noexcept {
  const calling_frame here = frame_here();
  const known_walk::start from{here.stack_pointer, where, around, more};
  walk_set* const known = walks_like(from);
  if (known == nullptr) return walk(from, here, {});
  for (const known_walk& each : known->of) {
    if (each.leads_from(from, here.frame_pointer)) return each.found();
  }
  known_walk& newest = known->oldest();
  newest.begin();
  const sched::site found = walk(from, here, {&newest});
  newest.end(from, found);
  return found;
}

}  // namespace

TINE_NOINLINE sched::site site_with_callers(sched::site where, sched::site around) noexcept {
  if ((where & sched::of_halving) != 0) [[unlikely]]
    return where;
  if ((where & sched::of_coroutine) != 0) [[unlikely]]
    return site_in_coroutine(where, around);
  const unsigned more = wanted.load(base::relaxed);  // relaxed: it was set before the first root
  if (more == 0 && is_of_program(where)) return where;
  return site_in_wrapper(where, around, more);
}

TINE_NOINLINE sched::site site_of_root(sched::site around) noexcept {
  const calling_frame f = frame_here();
  chain c;
  const unsigned more = wanted.load(base::relaxed);  // relaxed: as in site_with_callers
  if (f.pc != 0) add_callers(c, f, code_at(f.pc), around & ~sched::of_coroutine, more, {});
  return c.count > 1 ? number_of(c) : c.count == 1 ? c.of[0] : 0;
}

bool has_number(sched::site site) noexcept { return (site & numbered) != 0; }

sched::site address_of_site(sched::site site) noexcept { return has_number(site) ? chain_of(site).of[0] : site; }

std::vector<std::uint64_t> callers_of_site(sched::site site) {
  if (!has_number(site)) return {};
  const auto all = chain_of(site).all();
  return {all.begin() + 1, all.end()};
}

void add_chains(trace::profile& p) {
  std::set<std::uint64_t> numbers;
  for (const trace::race_step& each : p.race_steps) numbers.insert(each.address);
  for (const trace::timeline_event& each : p.timeline_events) {
    if (each.is == trace::timeline_event::kind::begins) numbers.insert(each.subject);
  }
  for (const std::uint64_t number : numbers) {
    if (!has_number(number)) continue;
    for (const std::uint64_t address : chain_of(number).all()) p.chains.push_back({number, address});
  }
}

TINE_NOINLINE void find_callers(std::uint64_t from, std::span<std::uint64_t> into) noexcept {
  std::ranges::fill(into, 0);
  into[0] = from;
  calling_frame f = frame_at(from, frame_here(), {});
  for (std::size_t i = 0; i < into.size() && f.pc != 0; ++i) {
    into[i] = f.pc;
    if (!step(f, code_at(f.pc).rule)) break;
  }
}

void record_callers(unsigned how_many) noexcept { wanted.store(std::min(how_many, most_callers), base::relaxed); }

void prepare_callers() noexcept {
  const calling_frame f = frame_here();
  code_at(f.pc);
}

void lock_callers() noexcept { lock_of_tables.lock(); }
void unlock_callers() noexcept { lock_of_tables.unlock(); }

}  // namespace tine::detail
