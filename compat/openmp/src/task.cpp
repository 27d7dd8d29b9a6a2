// Tasks: their records, and what happens at a join. All of it runs on the strand that owns the task, except
// `run_stolen`, which a thief calls.
#include "task.hpp"

#include "dependences.hpp"
#include "fork_record.hpp"
#include "messages.hpp"
#include "team.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace tine::openmp {

/// A deferred task. Arguments that are small and plain lie in the record; for others it has their address.
struct task_record {
  record_head head;
  task_record* older;  ///< the record that the parent joins next
  function call;
  task* parent;
  const icvs* vars;
  taskgroup* group;
  std::uint32_t bytes;
  std::uint32_t is_elsewhere;  ///< 1: the arguments are one word, the address of a block that the task frees

  /// The arguments follow the members.
  std::uint64_t* arguments() noexcept { return reinterpret_cast<std::uint64_t*>(this + 1); }
  const std::uint64_t* arguments() const noexcept { return reinterpret_cast<const std::uint64_t*>(this + 1); }
};

namespace {

constexpr std::size_t most_bytes = 256;
constexpr unsigned most_observed = 64;

std::uint8_t run_stolen(void* at) {
  auto& r = *static_cast<task_record*>(at);
  task& parent = *r.parent;
  const thread_numbers::loan number = parent.team->numbers.borrow(parent);
  void* const elsewhere = r.is_elsewhere != 0 ? reinterpret_cast<void*>(r.arguments()[0]) : nullptr;
  run_task(parent, number.number, false, r.vars, r.group, r.call, elsewhere != nullptr ? elsewhere : r.arguments());
  std::free(elsewhere);
  parent.team->numbers.give_back(number);
  return 0;
}

/// The runtime's descriptions of records, by the words of their arguments.
constexpr auto kinds = [] {
  std::array<tine_abi_kind, most_bytes / 8 + 1> all{};
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = {&run_stolen, static_cast<std::uint32_t>(sizeof(task_record) + 8 * i), 0, 1};
  }
  return all;
}();

[[gnu::always_inline]] inline void copy_words(void* to, const void* from, std::size_t bytes) noexcept {
  if (bytes % 8 != 0) [[unlikely]] {
    std::memcpy(to, from, bytes);
    return;
  }
  auto* const t = static_cast<char*>(to);
  const auto* const f = static_cast<const char*>(from);
  for (std::size_t i = 0; i != bytes; i += 8) {
    std::uint64_t word;
    std::memcpy(&word, f + i, 8);
    std::memcpy(t + i, &word, 8);
  }
}

[[gnu::noinline, gnu::cold]] void note_observed(task& me) noexcept {
  me.room = ++me.open_observed < most_observed ? ~std::uintptr_t{0} : 1;
}

[[gnu::always_inline]] inline void push_task(task& me, function call, const void* data, std::size_t bytes, bool elsewhere, const void* returns) noexcept {
  auto* const r = next_record<task_record>();
  const tine_abi_kind& kind = kinds[(bytes + 7) / 8];
  r->head.kind = &kind;
  r->older = me.newest;
  r->call = call;
  r->parent = &me;
  r->vars = me.vars;
  r->group = me.group;
  r->bytes = static_cast<std::uint32_t>(bytes);
  r->is_elsewhere = elsewhere ? 1 : 0;
  copy_words(r->arguments(), data, bytes);
  task_record* const known_as = push_record(r, kind.size, returns);
  me.newest = known_as;
  if (known_as != r) [[unlikely]] note_observed(me);
}

/// Returns true if the task may keep one more record. Records that thieves have taken don't count, so a task that makes
/// many children makes as many as thieves take. The decision is the same in every run of an instrumented strand.
[[gnu::noinline]] bool has_room(task& me) noexcept {
  if (me.room == 0) return false;
  if (me.open_observed != 0) return me.open_observed < most_observed;
  const std::uintptr_t bot = hot::load<tine_abi_bot>();
  me.room = std::max(me.room, bot + most_open_bytes);
  return hot::load<tine_abi_top>() < me.room;
}

template <std::size_t Capacity>
[[gnu::noinline]] void run_copied(task& me, const task_record& r) noexcept {
  alignas(16) std::uint64_t arguments[Capacity / 8];
  copy_words(arguments, r.arguments(), r.bytes);
  run_task(me, me.number, false, r.vars, r.group, r.call, arguments);
}

[[gnu::noinline]] void run_larger(task& me, const task_record& r) noexcept {
  if (r.is_elsewhere == 0) return run_copied<most_bytes>(me, r);
  void* const arguments = reinterpret_cast<void*>(r.arguments()[0]);
  run_task(me, me.number, false, r.vars, r.group, r.call, arguments);
  std::free(arguments);
}

/// The join of a promoted record. Returns the record if it must be run here, or null if it has run. A wait lends the
/// thread number to the children that are waited for.
[[gnu::noinline]] task_record* join_promoted(task& me) {
  const auto own = thread_numbers::of(me);
  if (me.open_observed != 0 && --me.open_observed < most_observed) me.room = ~std::uintptr_t{0};
  me.team->numbers.lend(me.number, own);
  const bool has_run = tine_abi_join(me.newest) != 0;
  auto* const r = next_record<task_record>();
  me.newest = r->older;
  me.team->numbers.take_back(me.number, own);
  return has_run ? nullptr : r;
}

[[gnu::always_inline]] inline void join_newest(task& me) {
  task_record* r = me.newest;
  if (pop_record(r)) [[unlikely]] {
    r = join_promoted(me);
    if (r == nullptr) return;
  } else {
    me.newest = r->older;
  }
  if (r->bytes <= 64 && r->is_elsewhere == 0) [[likely]] {
    run_copied<64>(me, *r);
  } else {
    run_larger(me, *r);
  }
}

/// Copies the arguments to a block of their own.
void* copy_elsewhere(const task_request& q) {
  const std::size_t align = std::max<std::size_t>(q.align, 16);
  void* const block = std::aligned_alloc(align, (std::max<std::size_t>(q.size, 1) + align - 1) / align * align);
  if (block == nullptr) fail("there is no memory for %zu bytes of a task's arguments.", q.size);
  if (q.copy != nullptr) {
    q.copy(block, q.data);
  } else {
    std::memcpy(block, q.data, q.size);
  }
  if (q.bounds != nullptr) std::memcpy(block, q.bounds, 16);
  return block;
}

/// An included task has the data of the construct itself, unless they need a constructor.
void run_included(task& me, const task_request& q, bool is_final) {
  if (q.copy == nullptr) {
    if (q.bounds != nullptr) std::memcpy(q.data, q.bounds, 16);
    return run_task(me, me.number, is_final, me.vars, me.group, q.call, q.data);
  }
  void* const block = copy_elsewhere(q);
  run_task(me, me.number, is_final, me.vars, me.group, q.call, block);
  std::free(block);
}

}  // namespace

void run_task(task& parent, int number, bool is_final, const icvs* vars, taskgroup* group, function call,
              void* data) noexcept {
  const auto before = hot::load<tine_abi_own>();
  task me{parent.team, &parent, number, false, is_final, vars, group};
  set_current(&me);
  if (group == nullptr || !group->cancelled.load(std::memory_order_relaxed)) [[likely]] call(data);
  end_children(me);
  hot::store<tine_abi_own>(before);
}

bool defer_plain_task(function call, const void* data, std::size_t size, const void* returns) {
  task& me = current();
  if (hot::load<tine_abi_top>() >= me.room || size > most_bytes) [[unlikely]] return false;
  push_task(me, call, data, size, false, returns);
  return true;
}

void make_task(const task_request& q) {
  task& me = current();
  const bool is_final = me.is_final || (q.flags & flag_final) != 0;
  if (me.group != nullptr && me.group->cancelled.load(std::memory_order_relaxed)) return;
  if ((q.flags & (flag_depend | flag_detach)) != 0 && make_dependent_task(me, q, is_final)) return;
  if (!q.is_deferrable || is_final || !(hot::load<tine_abi_top>() < me.room || has_room(me))) {
    run_included(me, q, is_final);
  } else if (q.copy == nullptr && q.bounds == nullptr && q.size <= most_bytes && q.align <= 8) {
    push_task(me, q.call, q.data, q.size, false, q.returns);
  } else {
    void* const block = copy_elsewhere(q);
    push_task(me, q.call, &block, sizeof block, true, q.returns);
  }
}

void join_records(task& of, task_record* until) {
  while (of.newest != nullptr && of.newest != until) join_newest(of);
}

void wait_for_children(task& of) {
  join_records(of, nullptr);
  if (of.children != nullptr) of.children->wait_for_all();
  // Groups that are still open have no task from before their start any more.
  for (taskgroup* g = of.group; g != of.own_groups_above; g = g->outer) g->before = nullptr;
}

void yield_to_child() {
  task& me = current();
  if (me.newest != nullptr && (!is_in_own_group(me) || me.newest != me.group->before)) join_newest(me);
}

taskgroup& start_group(task& of) {
  of.group = new taskgroup{.outer = of.group, .before = of.newest, .reductions = of.group == nullptr ? nullptr : of.group->reductions};
  return *of.group;
}

void end_group(task& of) {
  if (!is_in_own_group(of)) fail("GOMP_taskgroup_end: this task has started no taskgroup.");
  taskgroup* const g = of.group;
  join_records(of, g->before);
  if (of.children != nullptr) of.children->wait_for(*g);
  of.group = g->outer;
  delete g;
}

void task::clean_up() noexcept {
  delete std::exchange(children, nullptr);
  while (own_vars != nullptr) delete std::exchange(own_vars, own_vars->replaced);
}

member& current_member(const char* construct) {
  task& t = current();
  if (!t.is_implicit) {
    fail("%s is in an explicit task: it belongs directly into a parallel region, where all threads of the team reach it.", construct);
  }
  return static_cast<member&>(t);
}

}  // namespace tine::openmp
