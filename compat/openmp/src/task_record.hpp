// The record of a deferred task, and the fast paths that write and join it. Only the strand that owns a task
// touches its records, and the thief that runs a stolen one.
#pragma once

#include "record_head.hpp"
#include "team.hpp"

#include <array>
#include <cstring>

namespace tine::openmp {

/// A deferred task. Arguments that are small and plain follow the members.
struct task_record {
  record_head head;
  task_record* older;  ///< the record that the parent joins next
  function call;
  task* parent;  ///< null: a thief has given the task back
  const icvs* vars;
  taskgroup* group;
  std::uint64_t
      bytes;  ///< of the arguments; `elsewhere` if they are one word, the address of a block that the task frees

  static constexpr std::uint64_t elsewhere = ~std::uint64_t{0};
  std::byte* arguments() noexcept { return reinterpret_cast<std::byte*>(this + 1); }
  const std::byte* arguments() const noexcept { return reinterpret_cast<const std::byte*>(this + 1); }
  void* block() const noexcept {
    void* at;
    std::memcpy(&at, arguments(), sizeof at);
    return at;
  }
};

inline constexpr std::size_t most_plain_bytes = 256, few_plain_bytes = 32;

std::uint8_t run_stolen_task(void* record);

/// The runtime's descriptions of records, by the words of their arguments.
inline constexpr auto kinds_of_task = [] {
  std::array<tine_abi_kind, most_plain_bytes / 8 + 1> all{};
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = {&run_stolen_task, static_cast<std::uint32_t>(sizeof(task_record) + 8 * i), 0, 1};
  }
  return all;
}();

[[gnu::cold]] void note_observed(task& me) noexcept;
/// The join of a promoted record. Returns the record if it must be run here, or null if it has run.
[[gnu::noinline]] task_record* join_promoted(task& me);
[[gnu::noinline]] void run_larger(task& me, const task_record& r) noexcept;

/// Joins the newest record of a strand that a thief asks for work.
[[gnu::noinline, gnu::cold]] void join_when_asked(task& me);
[[gnu::noinline, gnu::cold]] void poll_task(task& me, task_record* r, const void* returns) noexcept;
[[gnu::noinline]] void defer_task(task& me, function call, const void* data, std::size_t bytes,
                                  const void* returns) noexcept;

/// Writes the record of a task whose arguments the caller copies.
[[gnu::always_inline]] inline task_record* write_task(const task& me, function call, const tine_abi_kind& kind,
                                                      std::size_t bytes) noexcept {
  auto* const r = next_record<task_record>();
  r->head.kind = &kind;
  r->older = me.newest;
  r->call = call;
  r->parent = const_cast<task*>(&me);
  r->vars = me.vars;
  r->group = me.group;
  r->bytes = bytes;
  return r;
}

inline void push_task(task& me, function call, const void* data, std::size_t bytes, const void* returns,
                      bool is_elsewhere = false) noexcept {
  const tine_abi_kind& kind = kinds_of_task[(bytes + 7) / 8];
  task_record* const r = write_task(me, call, kind, is_elsewhere ? task_record::elsewhere : bytes);
  std::memcpy(r->arguments(), data, bytes);
  me.newest = r;
  task_record* const known_as = push_record(r, kind.size, returns);
  if (known_as == r) return;
  me.newest = known_as;
  note_observed(me);
}

/// The fast path of a new task, whose arguments have 8 to 16 bytes: two words, which may overlap.
[[gnu::always_inline]] inline void push_small_task(task& me, function call, const void* data, std::size_t bytes,
                                                   const void* returns) noexcept {
  constexpr const tine_abi_kind& kind = kinds_of_task[2];
  task_record* const r = write_task(me, call, kind, bytes);
  std::uint64_t first, last;
  std::memcpy(&first, data, 8);
  std::memcpy(&last, static_cast<const std::byte*>(data) + bytes - 8, 8);
  std::memcpy(r->arguments(), &first, 8);
  std::memcpy(r->arguments() + bytes - 8, &last, 8);
  me.newest = r;
  if (publish_past_limit(r, sizeof(task_record) + 16)) [[unlikely]]
    poll_task(me, r, returns);
}

/// Runs a task whose record the caller has joined, on the strand of its parent. Its records go where that record was.
[[gnu::always_inline]] inline void run_joined(task& parent, const task_record& r, void* arguments) noexcept {
  task me{parent, r.vars, r.group, reinterpret_cast<std::uintptr_t>(&r)};
  set_current(&me);
  if (r.group == nullptr || !r.group->cancelled.load(std::memory_order_relaxed)) [[likely]]
    r.call(arguments);
  else
    drop_task(r.call, arguments);
  if (me.has_loose_ends()) [[unlikely]]
    end_task(me);
  set_current(&parent);
}

[[gnu::always_inline]] inline void join_unasked(task& me) {
  task_record* r = me.newest;
  if (pop_record(r)) [[unlikely]] {
    r = join_promoted(me);
    if (r == nullptr) return;
  } else {
    me.newest = r->older;
  }
  if (r->bytes > few_plain_bytes) [[unlikely]]
    return run_larger(me, *r);
  alignas(16) std::byte arguments[few_plain_bytes];
  std::memcpy(arguments, r->arguments(), few_plain_bytes);  // behind a shorter record there is more of the shadow stack
  run_joined(me, *r, arguments);
}

[[gnu::always_inline]] inline void join_newest(task& me) {
  if (hot::load<tine_abi_limit>() == 0) [[unlikely]]
    return join_when_asked(me);
  join_unasked(me);
}

/// Waits for the tasks that the current one has made.
[[gnu::always_inline]] inline void wait_for_tasks() {
  task* const me = current_or_null();
  if (me == nullptr) return;
  if (me->newest != nullptr) {
    join_newest(*me);
    if (me->newest != nullptr) return wait_for_children(*me);
  }
  if (me->children != nullptr || me->own_groups != 0) [[unlikely]]
    wait_for_children(*me);
}

}  // namespace tine::openmp
