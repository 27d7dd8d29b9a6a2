// Follows the locks of the process. The listener runs on any thread of the program, in the middle of a call that uses a
// lock. It runs in scheduler time, and does not follow its own lock.
#include "augment/found_locks.hpp"

#include "augment/callers.hpp"
#include "augment/levels.hpp"
#include "augment/listen_to_locks.hpp"
#include "augment/lock_orders.hpp"
#include "augment/step_rows.hpp"

#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/scope.hpp>

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <mutex>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tine::detail {
namespace {

using trace::lock_problem;

constexpr std::size_t most_stacks = 1 << 16, most_findings = 10'000, most_locks = 1 << 20, most_steps = 64;

/// A thread or strand that has taken a lock.
struct lock_holder {
  std::uint64_t acquired;  ///< the number of the acquisition
  pid_t thread;
  std::uint32_t stack;
  bool is_shared;
  bool is_strand;
  unsigned depth = 1;  ///< of a recursive lock, or of one that is taken several times for reading
};

struct lock_state {
  lock_number number;
  lock_kind kind;
  bool is_of_strands;  ///< a lock of tine
  std::vector<lock_holder> holders = {};
  bool is_taken_by_strands = false;
};

/// A strand that waits.
struct lock_wait {
  const void* at;
  std::uint64_t began;
  std::uint32_t holder = trace::nothing;  ///< the call that took the lock
  std::uint32_t stack;
  bool is_condition, is_shared, is_suspended;
  lock_kind kind;
  labels::shared_path<lock_step> around;
  std::uint64_t branch;
};

using stack_addresses = std::array<std::uint64_t, 6>;
using finding_key = std::tuple<lock_problem, std::uint32_t, std::uint32_t>;

struct lock_book {
  std::mutex lock;
  std::uint64_t longer_than = 0;
  std::unordered_map<const void*, lock_state> locks;
  lock_number numbers = 0;
  std::uint64_t acquisitions = 0, roots = 0, moments = 0;
  std::map<std::uint64_t, std::uint64_t> ended;  ///< the moments at which roots ended
  std::map<const locked*, lock_wait> waits;      ///< by strand
  std::map<stack_addresses, std::uint32_t> stacks;
  std::map<finding_key, std::size_t> known;
  std::vector<trace::lock_finding> findings;
  step_rows steps;
  lock_orders orders;
  std::uint64_t taken = 0, locks_of_strands = 0, dropped = 0;
};
lock_book& book() {
  static lock_book& b = *new lock_book;  // never destroyed: locks are used until the end of the process
  return b;
}

/// True while this thread uses the book; locks that it takes then are not followed.
constinit thread_local bool is_in_book = false;

class book_guard {
 public:
  explicit book_guard(lock_book& b) noexcept : book_{b} {
    is_in_book = true;
    book_.lock.lock();
  }
  ~book_guard() {
    book_.lock.unlock();
    is_in_book = false;
  }
  book_guard(const book_guard&) = delete;
  book_guard& operator=(const book_guard&) = delete;

 private:
  lock_book& book_;
};

std::uint64_t nanoseconds() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

constexpr trace::lock_kind as_traced(lock_kind kind) noexcept { return static_cast<trace::lock_kind>(kind); }
static_assert(as_traced(lock_kind::condition) == trace::lock_kind::condition);

/// Returns the stack of a call that returns to `address`. `is_whole`: with the callers.
stack_addresses find_stack(std::uint64_t address, bool is_whole) {
  stack_addresses found{address};
  if (is_whole) find_callers(address, found);
  return found;
}

/// Returns the number of a stack, and adds it if it is new.
std::uint32_t number_of_stack(lock_book& b, stack_addresses found) {
  if (const auto known = b.stacks.find(found); known != b.stacks.end()) return known->second;
  if (b.stacks.size() == most_stacks) found = {found[0]};
  return b.stacks.try_emplace(found, static_cast<std::uint32_t>(b.stacks.size())).first->second;
}

std::uint32_t number_of_site(lock_book& b, sched::site where) {
  const bool is_coroutine = (where & sched::of_coroutine) != 0;
  where &= ~sched::of_coroutine;
  if (!has_number(where)) return number_of_stack(b, find_stack(where, !is_coroutine));
  stack_addresses found{address_of_site(where)};
  const std::vector<std::uint64_t> callers = callers_of_site(where);
  std::copy_n(callers.begin(), std::min(callers.size(), found.size() - 1), found.begin() + 1);
  return number_of_stack(b, found);
}

/// Returns the row of the steps to a strand. If the way is long, we keep the outermost and the innermost steps.
std::uint32_t row_of_way(lock_book& b, const labels::shared_path<lock_step>& around, std::uint64_t branch) {
  std::vector<std::pair<const lock_step*, std::uint64_t>> way;  // innermost first
  for (const auto* each = around.last(); each != nullptr; each = each->outer) {
    way.emplace_back(&each->level, branch);
    branch = each->level.branch;
  }
  std::uint32_t row = trace::nothing;
  for (std::size_t i = way.size(); i-- > 0;) {
    const bool is_cut = way.size() > most_steps && i + 1 == way.size();
    row = b.steps.number(row, way[i].first->where, way[i].first->is_loop, way[i].second, is_cut);
    if (is_cut) i = most_steps - 1;
  }
  return row;
}

/// Adds an instance of a finding. `describe` completes the row at the first one.
template <class Describe>
void add_finding(lock_book& b, lock_problem is, std::uint32_t taken, std::uint32_t event, std::uint64_t time,
                 Describe describe) {
  const auto [known, is_new] = b.known.try_emplace({is, taken, event}, b.findings.size());
  if (is_new && b.findings.size() == most_findings) {
    b.known.erase(known);
    ++b.dropped;
    return;
  }
  if (is_new) {
    trace::lock_finding row{.is = is, .taken = taken, .event = event};
    describe(row);
    b.findings.push_back(row);
  }
  trace::lock_finding& row = b.findings[known->second];
  ++row.count;
  row.longest = std::max(row.longest, time);
}

lock_state& state_of(lock_book& b, const lock_event& e) {
  const auto known = b.locks.find(e.lock);
  if (known != b.locks.end()) return known->second;
  // A program may make locks without end. So we forget free ones; they get a new number when they are used again.
  if (b.locks.size() == most_locks)
    std::erase_if(b.locks, [](const auto& each) { return each.second.holders.empty(); });
  return b.locks.try_emplace(e.lock, lock_state{b.numbers++, e.kind, e.is_of_strands}).first->second;
}

bool is_still_held(const lock_book& b, const held_lock& h) {
  const auto state = b.locks.find(h.at);
  if (state == b.locks.end() || state->second.number != h.use.lock) return false;
  return std::ranges::any_of(state->second.holders,
                             [&](const lock_holder& each) { return each.acquired == h.use.acquired; });
}

/// Removes what another thread has released.
void forget_released(const lock_book& b, std::vector<held_lock>& held) {
  std::erase_if(held, [&](const held_lock& h) { return !is_still_held(b, h); });
}

void add_orders(lock_book& b, locked& v, const lock_state& s, const lock_event& e, std::uint32_t stack) {
  std::vector<held_lock> held = v.all_held();
  if (held.empty()) return;
  forget_released(b, held);
  if (std::ranges::any_of(held, [&](const held_lock& h) { return h.use.lock == s.number; })) return;  // taken again
  b.orders.add(v, held, {s.number, e.is_shared}, e.lock, stack);
}

/// Returns the holder that is this strand or thread; null if there is none.
lock_holder* own_holder(lock_state& s, const locked* v, pid_t thread) {
  const auto is_own = [&](const lock_holder& each) {
    if (v == nullptr) return !each.is_strand && each.thread == thread;
    return std::ranges::any_of(v->held, [&](const held_lock& h) { return h.use.acquired == each.acquired; });
  };
  const auto at = std::ranges::find_if(s.holders, is_own);
  return at != s.holders.end() ? &*at : nullptr;
}

void take(lock_book& b, locked* v, const lock_event& e, std::uint32_t stack) {
  lock_state& s = state_of(b, e);
  const pid_t thread = gettid();
  b.taken += v != nullptr;
  if (v != nullptr && !std::exchange(s.is_taken_by_strands, true)) ++b.locks_of_strands;
  if (lock_holder* const own = own_holder(s, v, thread)) {
    ++own->depth;
    return;
  }
  // Holders that exclude this one must have released the lock, although we did not see it.
  std::erase_if(s.holders, [&](const lock_holder& each) { return !(each.is_shared && e.is_shared); });
  const std::uint64_t acquired = ++b.acquisitions;
  s.holders.push_back({acquired, thread, stack, e.is_shared, v != nullptr});
  if (v != nullptr) v->held.push_back({{s.number, e.is_shared, acquired}, e.lock, stack});
}

void release(lock_book& b, locked* v, const lock_event& e) {
  const auto state = b.locks.find(e.lock);
  if (state == b.locks.end() || state->second.holders.empty()) return;
  lock_state& s = state->second;
  const pid_t thread = gettid();
  lock_holder* holder = own_holder(s, v, thread);
  if (holder == nullptr) {
    const auto here = std::ranges::find(s.holders, thread, &lock_holder::thread);
    holder = here != s.holders.end() ? &*here : &s.holders.front();
  }
  if (!s.is_of_strands && holder->thread != thread && (v != nullptr || holder->is_strand)) {
    const std::uint32_t stack = number_of_stack(b, find_stack(base::to_word(e.caller), true));
    add_finding(b, lock_problem::released_elsewhere, holder->stack, stack, 0, [&](trace::lock_finding& row) {
      row.lock = base::to_word(e.lock);
      row.kind = as_traced(s.kind);
      row.is_shared = holder->is_shared;
      if (v != nullptr) row.step = row_of_way(b, v->around, v->branch);
    });
  }
  if (--holder->depth != 0) return;
  if (v != nullptr) std::erase_if(v->held, [&](const held_lock& h) { return h.use.acquired == holder->acquired; });
  s.holders.erase(s.holders.begin() + (holder - s.holders.data()));
}

/// A strand holds locks at `event`. It may hold tine's own over forks and waits, and others if it keeps its thread.
void add_held(lock_book& b, const locked& v, lock_problem is, std::uint32_t event) {
  if (sched::must_keep_thread()) return;
  for (const held_lock& h : v.held) {
    if (!is_still_held(b, h)) continue;
    const lock_state& s = b.locks.find(h.at)->second;
    if (s.is_of_strands) continue;
    add_finding(b, is, h.stack, event, 0, [&](trace::lock_finding& row) {
      row.lock = base::to_word(h.at);
      row.kind = as_traced(s.kind);
      row.is_shared = h.use.is_shared;
      row.step = row_of_way(b, v.around, v.branch);
    });
  }
}

void begin_wait(lock_book& b, locked& v, const lock_event& e, bool is_condition) {
  const std::uint32_t stack = number_of_stack(b, find_stack(base::to_word(e.caller), true));
  std::uint32_t holder = trace::nothing;
  if (e.kind < lock_kind::semaphore) {
    const lock_state& s = state_of(b, e);
    if (!is_condition && !s.holders.empty()) holder = s.holders.front().stack;
    add_orders(b, v, s, e, stack);
  }
  if (e.is_of_strands) add_held(b, v, lock_problem::held_at_wait, stack);
  b.waits.insert_or_assign(&v, lock_wait{e.lock, nanoseconds(), holder, stack, is_condition, e.is_shared,
                                         e.is_of_strands && !sched::must_keep_thread(), e.kind, v.around, v.branch});
}

void add_wait(lock_book& b, lock_problem is, const lock_wait& w, std::uint64_t time) {
  add_finding(b, is, w.holder, w.stack, time, [&](trace::lock_finding& row) {
    row.lock = base::to_word(w.at);
    row.is_condition = w.is_condition;
    row.is_shared = w.is_shared;
    row.is_suspended = w.is_suspended;
    row.kind = as_traced(w.kind);
    row.step = row_of_way(b, w.around, w.branch);
  });
}

/// Returns the call by which the strand waited, if it did, and adds a finding if the wait was long.
std::uint32_t end_wait(lock_book& b, const locked* v, const lock_event& e) {
  const auto at = b.waits.find(v);
  if (at == b.waits.end()) return trace::nothing;
  const std::uint32_t stack = at->second.stack;
  if (e.waited > b.longer_than) add_wait(b, lock_problem::long_wait, at->second, e.waited);
  b.waits.erase(at);
  return stack;
}

void note(lock_book& b, locked* v, const lock_event& e) {
  using enum lock_action;
  switch (e.action) {
    case waits:
      if (v != nullptr) begin_wait(b, *v, e, false);
      break;
    case taken:
    case tried:
    case woken: {
      std::uint32_t stack = end_wait(b, v, e);
      const bool has_waited = stack != trace::nothing;
      if (!has_waited) stack = number_of_stack(b, find_stack(base::to_word(e.caller), v != nullptr));
      if (v != nullptr && e.action == taken && !has_waited) {
        add_orders(b, *v, state_of(b, e), e, stack);
        if (e.is_of_strands) add_held(b, *v, lock_problem::held_at_wait, stack);
      }
      take(b, v, e, stack);
      break;
    }
    case not_taken:
      end_wait(b, v, e);
      break;
    case released:
      release(b, v, e);
      break;
    case waits_for_condition:
      release(b, v, e);
      if (v != nullptr) begin_wait(b, *v, e, true);
      break;
    case destroyed:
      b.locks.erase(e.lock);
      break;
  }
}

/// We don't follow the scheduler's own locks.
void on_lock(const lock_event& e) noexcept {
  const sched::hot_words& h = sched::hot::words();
  if (is_in_book || (h.self != nullptr && h.in_scheduler != 0)) return;
  auto* const v = h.self != nullptr ? static_cast<locked*>(find_vertex(allocating_kind<locked>)) : nullptr;
  const sched::scheduler_time here;
  lock_book& b = book();
  const book_guard guard{b};
  note(b, v, e);
}

trace::lock_stack row_of(const stack_addresses& s) { return {s[0], s[1], s[2], s[3], s[4], s[5]}; }

/// Adds the cycles behind the findings, with a row for each step.
void add_cycles(lock_book& b, std::vector<trace::lock_finding>& rows) {
  std::uint32_t number = 0;
  for (const std::vector<std::size_t>& cycle : b.orders.cycles(b.ended)) {
    for (const std::size_t i : cycle) {
      const recorded_order& o = b.orders.orders()[i];
      rows.push_back({.is = lock_problem::order,
                      .lock = base::to_word(o.from),
                      .other = base::to_word(o.to),
                      .taken = o.taken,
                      .event = o.event,
                      .step = row_of_way(b, o.around, o.branch),
                      .count = 1,
                      .cycle = number,
                      .is_shared = o.edge.from.is_shared});
    }
    ++number;
  }
}

}  // namespace

bool found_locks::open(std::uint64_t longer_than) noexcept {
  book().longer_than = longer_than;
  if (listen_to_locks(&on_lock)) return true;
  std::fputs(
      "tine: TINE_PROFILE: locks are not checked, because the program's functions of locks are not those of libtine_locks.so: run it by `tine doctor`; a program that is linked statically, or built with a sanitizer, cannot be checked.\n",
      stderr);
  return false;
}

void found_locks::begin_root(locked& v) noexcept {
  lock_book& b = book();
  const book_guard guard{b};
  v.root = ++b.roots;
  v.root_began = ++b.moments;
}

void found_locks::end_root(const locked& v) noexcept {
  lock_book& b = book();
  const book_guard guard{b};
  b.ended[v.root] = ++b.moments;
}

void found_locks::note_held(const locked& v, lock_problem what, sched::site where) noexcept {
  lock_book& b = book();
  const book_guard guard{b};
  if (b.waits.contains(&v)) return;  // the loop of a task group, whose wait has been reported
  add_held(b, v, what, number_of_site(b, where));
}

void found_locks::add_rows(trace::profile& to) {
  const sched::scheduler_time here;
  lock_book& b = book();
  const book_guard guard{b};
  const std::uint64_t now = nanoseconds();
  const std::size_t before = b.findings.size();
  for (auto& [strand, wait] : b.waits) {
    if (now - wait.began <= b.longer_than) continue;
    // the holder may have taken the lock a moment before this strand came, and reported it later
    if (const auto s = b.locks.find(wait.at); !wait.is_condition && s != b.locks.end() && !s->second.holders.empty())
      wait.holder = s->second.holders.front().stack;
    add_wait(b, lock_problem::waits, wait, now - wait.began);
  }
  to.lock_findings = b.findings;
  std::ranges::sort(to.lock_findings, [](const trace::lock_finding& x, const trace::lock_finding& y) {
    return std::tie(y.count, x.is, x.taken, x.event) < std::tie(x.count, y.is, y.taken, y.event);
  });
  add_cycles(b, to.lock_findings);
  b.findings.resize(before);  // waits that are in progress are not part of the next profile
  std::erase_if(b.known, [&](const auto& each) { return each.second >= before; });
  to.race_steps = b.steps.rows();
  to.lock_stacks.resize(b.stacks.size());
  for (const auto& [addresses, number] : b.stacks) to.lock_stacks[number] = row_of(addresses);
  to.lock = {{b.taken, b.locks_of_strands, b.orders.kinds(), b.dropped + b.orders.dropped(), b.orders.was_cut()}};
}

void found_locks::lock() noexcept {
  is_in_book = true;
  book().lock.lock();
}
void found_locks::unlock() noexcept {
  book().lock.unlock();
  is_in_book = false;
}

void found_locks::forget() noexcept {
  lock_book& b = book();
  b.findings.clear();
  b.known.clear();
  b.waits.clear();
  b.orders = {};
  b.taken = b.locks_of_strands = b.dropped = 0;
  for (auto& [at, state] : b.locks) state.is_taken_by_strands = false;
}

}  // namespace tine::detail
