// The walk over a strand's native frames. It runs in the slow path of a fork, on the thread of that strand.
//
// Records come to lie on the shadow stack in the order of their forks. Lemma: among the forks that a walk finds, those
// that already have a record are the oldest. Proof: each walk writes a record for every fork that it finds (except for
// the newest ones, if there is no more space), and forks that are opened later are newer. So a walk that starts at the
// newest frame ends at the first fork with a record, and the space above the top is free for the records of the forks
// before it.
#include "managed/frames.hpp"

#include "base/arch/mapped_frames.hpp"
#include "managed/compiled_fork.hpp"
#include "managed/stack_maps.hpp"
#include "sched/process_lock.hpp"
#include "sched/worker.hpp"

#include <tine/detail/base/assert.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/observer.hpp>

#include <cstring>
#include <exception>
#include <mutex>
#include <ranges>

namespace tine::detail {
namespace {

/// An open fork in its frame.
struct found_fork {
  const mapped_fork* fork;
  base::mapped_frame frame;

  const std::byte* cell(const map_location& at) const noexcept {
    return (at.from == map_location::anchor::stack_pointer ? frame.stack_pointer : frame.frame_pointer) + at.value;
  }
  void*& slot() const noexcept { return *base::object_at<void*>(const_cast<std::byte*>(cell(fork->slot))); }
  void write_record(sched::address at) const noexcept {
    base::begin_objects(at, fork->kind->size);
    std::memcpy(at + tine_abi_kind_of_record, &fork->kind, sizeof fork->kind);
    std::size_t offset = tine_abi_payload;
    for (const map_location& a : fork->arguments) {
      const void* const from = a.from != map_location::anchor::none ? static_cast<const void*>(cell(a)) : &a.value;
      std::memcpy(at + offset, from, sizeof a.value);
      offset += sizeof a.value;
    }
    slot() = at;
  }
};

/// Calls `visit` with each open fork that has no record yet, newest first, until `visit` returns false.
template <class Visit>
void for_each_recordless(const stack_maps& maps, const std::byte* returns, Visit visit) noexcept {
  for (base::mapped_frame frame = base::caller_of_slow_path(returns);;) {
    const frame_shape shape = maps.at(frame.return_address);
    if (shape.bytes == 0) return;
    for (const mapped_fork& fork : shape.forks | std::views::reverse) {
      const found_fork found{&fork, frame};
      if (found.slot() != nullptr || !visit(found)) return;
    }
    frame = base::caller_of(frame, shape.bytes);
  }
}

void make_records(const stack_maps& maps, const std::byte* returns, sched::hot_words& h) noexcept {
  std::size_t bytes = 0;
  for_each_recordless(maps, returns, [&](const found_fork& f) { return bytes += f.fork->kind->size, true; });
  // relaxed: own word
  const sched::address top = h.top.load(base::relaxed), end = h.self->grow_up_to(top + bytes);
  sched::address at = top + bytes, new_top = top;
  for_each_recordless(maps, returns, [&](const found_fork& f) {
    if (at <= end && new_top == top) new_top = at;
    at -= f.fork->kind->size;
    if (new_top != top) f.write_record(at);
    return at != top;
  });
  sched::hot::set_top(new_top);
}

/// Opens the newest fork, which the frame of the polling call describes last.
void open_instrumented(const stack_maps& maps, const std::byte* returns) noexcept {
  require_place_of_site(returns);
  const base::mapped_frame frame = base::caller_of_slow_path(returns);
  const found_fork found{&maps.at(frame.return_address).forks.back(), frame};
  const sched::address at = sched::hot::top();
  const sched::address branch = place_for_branch(at, found.fork->kind->size);
  found.write_record(branch);
  found.slot() = &open_compiled_fork(at, branch, frame.return_address);
}

}  // namespace

void open_frames(tine_abi_frames& module) {
  const std::lock_guard guard{sched::process_lock};
  if (module.table != nullptr) return;
  try {
    module.table = new stack_maps{module};
  } catch (const std::exception& e) {
    base::fatal(e.what());
  }
}

void close_frames(tine_abi_frames& module) noexcept {
  delete static_cast<stack_maps*>(module.table);
  module.table = nullptr;
}

TINE_COLD void poll_frames(const tine_abi_frames& module, const std::byte* returns) noexcept {
  sched::hot_words& h = sched::hot::words();
  if (h.self == nullptr) return;
  if (sched::is_instrumented(h)) return open_instrumented(*static_cast<const stack_maps*>(module.table), returns);
  sched::hot::enter_scheduler();
  make_records(*static_cast<const stack_maps*>(module.table), returns, h);
  sched::hot::leave_scheduler();
  if (sched::plain::poll() == sched::polled::stopping) sched::plain::serve_requests();  // compiled code doesn't throw
}

}  // namespace tine::detail
