// Dependences between the children of a task. Everything is done under the lock, except that children start outside of
// it, because a checker of races runs them at once.
#include "dependences.hpp"

#include "fail.hpp"
#include "icvs.hpp"
#include "task.hpp"
#include "task_record.hpp"
#include "team.hpp"
#include "thread_numbers.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

namespace tine::openmp {

struct dependences::child {
  dependences* of;
  function call;
  void* block;  ///< its arguments; freed when it has run, if the child is deferred
  const icvs* vars;
  taskgroup* group;
  taskgroup* counted_in;  ///< the parent's own group, if it is in one
  bool is_final;
  bool is_deferred;
  bool has_ended = false;
  unsigned waits_for = 0;  ///< predecessors that have not ended
  const void* site;        ///< the return address in the program, at the construct
  unsigned parts = 1;      ///< its body, and its event, as far as they have not ended
  bool is_fulfilled = false;
  bool is_dropped = false;  ///< it was cancelled, and its event doesn't count
  std::vector<std::shared_ptr<child>> after;
  std::shared_ptr<child> self;  ///< until it has ended
  // of children that take turns
  bool has_dependences = false;
  std::uint32_t set = 0;                 ///< that it belongs to; 0: it is not deferred
  std::vector<std::uint32_t> follows{};  ///< the sets of its predecessors, and of theirs
};

bool dependences::takes_turns() const noexcept { return parent_.team->turns != nullptr; }

void dependences::wait_for_ends_of(const std::vector<std::shared_ptr<child>>& others, child& c) {
  for (const auto& other : others) {
    if (other.get() == &c) continue;
    if (takes_turns()) {
      c.follows.insert(c.follows.end(), other->follows.begin(), other->follows.end());
      if (other->set != 0) c.follows.push_back(other->set);
    }
    if (other->has_ended) continue;
    other->after.push_back(c.self);
    ++c.waits_for;
  }
}

void dependences::connect(const std::shared_ptr<child>& c, depend_item item) {
  if (item.address == nullptr) {
    wait_for_ends_of(all_memory_, *c);
    for (const auto& [address, g] : at_) {
      wait_for_ends_of(g.before, *c);
      wait_for_ends_of(g.now, *c);
    }
    at_.clear();
    all_memory_ = {c};
    return;
  }
  const auto [found, is_new] = at_.try_emplace(item.address);
  generation& g = found->second;
  if (is_new) g.now = all_memory_;
  const bool shares = item.kind == depend_kind::in || item.kind == depend_kind::inoutset;
  if (!shares || g.kind != item.kind || g.now.empty()) {
    g.before = std::exchange(g.now, {});
    g.kind = item.kind;
  }
  wait_for_ends_of(g.before, *c);
  if (std::find(g.now.begin(), g.now.end(), c) == g.now.end()) g.now.push_back(c);
}

std::shared_ptr<dependences::child> dependences::add(const task_request& q, const std::vector<depend_item>& items,
                                                     bool is_final, bool is_deferred, void* block) {
  auto c = std::make_shared<child>(child{.of = this,
                                         .call = q.call,
                                         .block = block,
                                         .vars = parent_.vars,
                                         .group = parent_.group,
                                         .counted_in = is_in_own_group(parent_) ? parent_.group : nullptr,
                                         .is_final = is_final,
                                         .is_deferred = is_deferred,
                                         .site = *static_cast<const void* const*>(q.returns),
                                         .after = {},
                                         .self = {}});
  c->self = c;
  if ((q.flags & flag_detach) != 0) {
    c->parts = 2;
    *q.event = c.get();
    if (block != nullptr) std::memcpy(block, q.event, sizeof(void*));  // the first variable of its data is the handle
  }
  lock guard{lock_};
  if (open_ == 0 && !takes_turns()) {  // whatever is in the tables has ended
    at_.clear();
    all_memory_.clear();
  }
  c->has_dependences = !items.empty();
  for (const depend_item& item : items) connect(c, item);
  std::ranges::sort(c->follows);
  c->follows.erase(std::unique(c->follows.begin(), c->follows.end()), c->follows.end());
  ++open_;
  if (c->counted_in != nullptr) ++c->counted_in->open;
  const bool starts = is_deferred && c->waits_for == 0;
  guard.unlock();
  if (starts) start(*c);
  return c;
}

/// A team of one has no other strand that may run it.
void dependences::start(child& c) {
  if (takes_turns()) return run_in_turn(c.self);
  if (is_observed() || !parent_.team->takes_thieves) return leave_to_parent(c);
  group_.run([this, &c] { run(c); });
}

/// Children without dependences share a set, until the parent waits for them or another taskgroup begins.
void dependences::run_in_turn(const std::shared_ptr<child>& c) {
  if (plain_group_ != c->group) plain_set_ = 0;
  plain_group_ = c->group;
  const bool is_first = c->has_dependences || plain_set_ == 0;
  std::uint32_t set = c->has_dependences ? 0 : plain_set_;
  const auto run_child = [](void* at) noexcept {
    child& one = *static_cast<child*>(at);
    for (const std::uint32_t before : one.follows) tine_race_follow_tasks(before);
    one.of->end_body(one, one.of->run_under(one.of->parent_.number, one));
  };
  const std::shared_ptr<child> kept = c;
  if (tine_race_add_task(&set, reinterpret_cast<std::uintptr_t>(c->site), run_child, kept.get()) == 0) {
    run_child(kept.get());
    return;
  }
  const unchecked_scope here;
  kept->set = set;
  if (!kept->has_dependences) plain_set_ = set;
  if (!is_first) return;
  sets_.push_back(set);
  if (kept->group != nullptr && kept->group != parent_.team->group) {
    kept->group->sets.push_back(set);
  } else {
    parent_.team->turns->add_set(set);
  }
}

void dependences::leave_to_parent(child& c) {
  const lock guard{lock_};
  ready_.push_back(&c);
  changed_.notify_all();
}

bool dependences::is_observed() const noexcept {
  return parent_.team->is_observed.load(std::memory_order_relaxed);  // relaxed: the region set it before it forked
}

/// On the strand of any worker, or on that of the parent while it waits. Without a thread number the worker gives the
/// child back.
void dependences::run(child& c) {
  thread_numbers& numbers = parent_.team->numbers;
  thread_numbers::loan number{};
  if (!numbers.try_to_borrow(parent_, number)) return leave_to_parent(c);
  const bool has_run = run_under(number.number, c);
  numbers.give_back(number);
  end_body(c, has_run);
}

bool dependences::run_under(int number, child& c) {
  const bool has_run = run_task(parent_, number, c.is_final, c.vars, c.group, c.call, c.block);
  if (c.is_deferred) std::free(c.block);
  return has_run;
}

/// Runs a child as the task of a record. It ends when its own children have ended.
void dependences::run_recorded(void* arguments) {
  child& c = **static_cast<child**>(arguments);
  task& me = current();
  me.vars = c.vars;
  me.group = c.group;
  if (c.is_final) {
    me.is_final = true;
    me.defer_below = 0;
  }
  const bool has_run = c.group == nullptr || !c.group->cancelled.load(std::memory_order_relaxed);  // relaxed: a hint
  if (has_run) {
    c.call(c.block);
  } else {
    drop_task(c.call, c.block);
  }
  if (me.has_loose_ends()) end_task(me);
  std::free(c.block);
  c.of->end_body(c, has_run);
}

/// Forks the children that can start, and joins them. An analysis or a schedule sees each at its own line. The parent
/// may be outside of every pool if its team has no other thread. Then there is nothing to fork for.
void dependences::run_ready(lock& guard) {
  const std::vector<child*> ready = std::exchange(ready_, {});
  guard.unlock();
  const auto own = thread_numbers::of(parent_);
  parent_.team->numbers.reclaim(parent_.number, own);
  task_record* const before = parent_.newest;
  taskgroup* const group = std::exchange(parent_.group, nullptr);  // run_recorded looks whether a child is cancelled
  for (child* const c : ready) {
    if (parent_.team->takes_thieves) {
      push_task(parent_, &run_recorded, &c, sizeof c, &c->site);
    } else {
      end_body(*c, run_under(parent_.number, *c));
    }
  }
  join_records(parent_, before);
  parent_.group = group;
  parent_.team->numbers.lend(parent_.number, own);
  guard.lock();
}

/// A cancelled child has ended without its event: the code that would have fulfilled it may be its own.
void dependences::end_body(child& c, bool has_run) {
  if (!has_run) {
    const lock guard{lock_};
    if (c.parts == 2 && !c.is_fulfilled) {
      c.parts = 1;
      c.is_dropped = true;
      dropped_.push_back(c.self);
    }
  }
  end_part(c);
}

void dependences::end_part(child& c) {
  lock guard{lock_};
  if (--c.parts != 0) return;
  c.has_ended = true;
  std::vector<std::shared_ptr<child>> ready;
  for (const auto& next : c.after) {
    if (--next->waits_for == 0 && next->is_deferred) ready.push_back(next);
  }
  c.after.clear();
  guard.unlock();
  for (const auto& next : ready) start(*next);
  guard.lock();
  --open_;
  if (c.counted_in != nullptr) --c.counted_in->open;
  const std::shared_ptr<child> last = std::move(c.self);
  changed_.notify_all();
}

/// The parent lends its thread number meanwhile.
template <class Condition>
void dependences::sleep_until(lock& guard, Condition is_met) {
  const auto own = thread_numbers::of(parent_);
  parent_.team->numbers.lend(parent_.number, own);
  while (!is_met()) {
    if (!ready_.empty()) {
      run_ready(guard);
      continue;
    }
    const std::size_t open = open_;
    if (!is_observed()) {
      guard.unlock();
      group_.wait();
      guard.lock();
    }
    while (!is_met() && open_ == open && ready_.empty()) changed_.wait(guard);
  }
  guard.unlock();
  parent_.team->numbers.reclaim(parent_.number, own);
}

void dependences::run_here(child& c) {
  {
    lock guard{lock_};
    if (c.waits_for != 0) sleep_until(guard, [&] { return c.waits_for == 0; });
  }
  for (const std::uint32_t set : c.follows) tine_race_wait_for_tasks(set);
  end_body(c, run_under(parent_.number, c));
}

void dependences::wait_for(const std::vector<depend_item>& items) {
  const auto c = std::make_shared<child>(child{.of = this,
                                               .call = nullptr,
                                               .block = nullptr,
                                               .vars = nullptr,
                                               .group = nullptr,
                                               .counted_in = nullptr,
                                               .is_final = false,
                                               .is_deferred = false,
                                               .site = nullptr,
                                               .after = {},
                                               .self = {}});
  c->self = c;
  lock guard{lock_};
  if (open_ == 0 && !takes_turns()) return c->self.reset();
  for (const depend_item& item : items) connect(c, item);
  c->has_ended = true;  // later tasks need not wait for it, but for those before it: this caller has waited for them
  if (c->waits_for != 0) sleep_until(guard, [&] { return c->waits_for == 0; });
  for (const std::uint32_t set : c->follows) tine_race_wait_for_tasks(set);
  c->self.reset();
}

void dependences::wait_for(taskgroup& g) {
  lock guard{lock_};
  if (g.open != 0) sleep_until(guard, [&] { return g.open == 0; });
}

void dependences::wait_for_all() {
  {
    lock guard{lock_};
    if (open_ != 0) sleep_until(guard, [&] { return open_ == 0; });
  }
  group_.wait();  // the bodies have ended; the group must know it
  for (const std::uint32_t set : sets_) tine_race_wait_for_tasks(set);
  sets_.clear();
  plain_set_ = 0;
  if (takes_turns()) at_.clear();
}

void dependences::fulfil(child& c) {
  {
    const lock guard{c.of->lock_};
    if (c.is_dropped) return;
    if (std::exchange(c.is_fulfilled, true)) fail("omp_fulfill_event: the event was fulfilled before.");
  }
  c.of->end_part(c);
}

void fulfil_event(void* handle) {
  if (handle == no_event) return;
  if ((reinterpret_cast<std::uintptr_t>(handle) & 1) != 0) {
    const std::unique_ptr<early_event> event{reinterpret_cast<early_event*>(static_cast<char*>(handle) - 1)};
    if (event->is_dropped) return;
    handle = event->child;
    if (handle == nullptr) fail("omp_fulfill_event: the event's task has not been made.");
  }
  dependences::fulfil(*static_cast<dependences::child*>(handle));
}

std::vector<depend_item> read_depend(void** depend) {
  std::vector<depend_item> items;
  const auto count = [](void* word) { return reinterpret_cast<std::uintptr_t>(word); };
  std::size_t all = count(depend[0]), out = 0, mutually = 0, in = 0;
  void** addresses = nullptr;
  if (all != 0) {
    out = count(depend[1]);
    in = all - out;
    addresses = depend + 2;
  } else {
    all = count(depend[1]);
    out = count(depend[2]);
    mutually = count(depend[3]);
    in = count(depend[4]);
    addresses = depend + 5;
  }
  for (std::size_t i = 0; i < all; ++i) {
    if (i < out) {
      items.push_back({addresses[i], depend_kind::out});
    } else if (i < out + mutually) {
      items.push_back({addresses[i], depend_kind::mutexinoutset});
    } else if (i < out + mutually + in) {
      items.push_back({addresses[i], depend_kind::in});
    } else {  // omp_depend_t: an address and a kind
      auto** const object = static_cast<void**>(addresses[i]);
      const std::uintptr_t kind = count(object[1]);
      if (kind < 1 || kind > 5)
        fail("a depend clause has an omp_depend_t of unknown kind %zu.", static_cast<std::size_t>(kind));
      items.push_back({object[0], static_cast<depend_kind>(kind)});
    }
  }
  return items;
}

bool make_dependent_task(task& me, const task_request& q, bool is_final, const std::vector<depend_item>& items) {
  const bool has_event = (q.flags & flag_detach) != 0;
  const bool is_deferred =
      q.is_deferrable && !is_final && (me.team->takes_thieves || has_event || me.children != nullptr);
  // A task that runs at once has ended when the next one is made. It need not be known to its siblings.
  if (!is_deferred && !has_event && me.children == nullptr) return false;
  if (me.children == nullptr) me.children = new dependences{me};
  announce_task(*me.team);
  void* block = q.data;
  if (is_deferred || q.copy != nullptr) {
    const std::size_t align = std::max<std::size_t>(q.align, 16);
    block = std::aligned_alloc(align, (std::max<std::size_t>(q.size, 1) + align - 1) / align * align);
    if (block == nullptr) fail("there is no memory for %zu bytes of a task's arguments.", q.size);
    if (q.copy != nullptr) {
      q.copy(block, q.data);
    } else {
      std::memcpy(block, q.data, q.size);
    }
  }
  if (q.bounds != nullptr) std::memcpy(block, q.bounds, 16);
  const auto c = me.children->add(q, items, is_final, is_deferred, block);
  if (is_deferred) return true;
  me.children->run_here(*c);
  if (block != q.data) std::free(block);
  return true;
}

}  // namespace tine::openmp
