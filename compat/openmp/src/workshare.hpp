// Loops, sections and the like, whose iterations the members of a team share. All iterations are counted from 0: number
// `i` stands for the value `start + i * step`, in arithmetic modulo 2^64, so signed and unsigned loops are alike.
//
// The constructs of a region form a list. The first member that meets one makes its `workshare`; the last one that
// leaves it for the next one deletes it.
#pragma once

#include "atomic.hpp"
#include "icvs.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace tine::openmp {

struct member;
struct team;

struct iteration_space {
  std::uint64_t start = 0, end = 0, step = 1;
  std::uint64_t count = 0;

  static iteration_space of(long start, long end, long step) noexcept {
    const auto distance = [](std::uint64_t from, std::uint64_t to, std::uint64_t by) {
      return (to - from + by - 1) / by;
    };
    std::uint64_t n = 0;
    if (step > 0 && start < end) n = distance(start, end, step);
    if (step < 0 && start > end) n = distance(end, start, -static_cast<std::uint64_t>(step));
    return {static_cast<std::uint64_t>(start), static_cast<std::uint64_t>(end), static_cast<std::uint64_t>(step), n};
  }
  static iteration_space of(bool up, std::uint64_t start, std::uint64_t end, std::uint64_t step) noexcept {
    std::uint64_t n = 0;
    if (step == 0) return {start, end, step, n};  // as in the loop over long
    if (up && start < end) n = (end - start - 1) / step + 1;
    if (!up && start > end) n = (start - end - 1) / (0 - step) + 1;
    return {start, end, step, n};
  }

  std::uint64_t value(std::uint64_t i) const noexcept { return i == count ? end : start + i * step; }
};

/// How far each iteration of a doacross loop has come: the flattened number of the inner dimensions.
struct progress_of_iterations {
  std::vector<std::uint64_t> extent;                                                      ///< of each dimension
  std::unique_ptr<atomic<std::uint64_t>[], void (*)(void*)> posted { nullptr, nullptr };  ///< one more than the number
};

struct workshare {
  atomic<workshare*> next{nullptr};
  atomic<unsigned> left{0};  ///< members that have not left it
  iteration_space space;
  schedule sched = schedule::dynamic;
  bool is_ordered = false;  ///< its chunks have turns; clang says so at the start of the loop only
  std::uint64_t chunk = 1;
  atomic<std::uint64_t> taken{0};
  atomic<bool> cancelled{false};
  atomic<std::uint64_t> turn{0};  ///< of an ordered loop: the first iteration of the chunk whose turn it is
  std::unique_ptr<progress_of_iterations> progress;
  std::uintptr_t* reductions = nullptr;
  std::unique_ptr<char[]> memory;  ///< that a loop asks for
};

/// The first member makes the workshare and calls `prepare` on it. `first` says whether it was this one.
workshare& enter_share(member& me, void (*prepare)(workshare&, void*), void* with, bool* first = nullptr);
template <class Prepare>
workshare& enter_share(member& me, Prepare prepare, bool* first = nullptr) {
  return enter_share(me, [](workshare& w, void* p) { (*static_cast<Prepare*>(p))(w); }, &prepare, first);
}
/// A member doesn't use it any more. The last one deletes it.
void leave_share(const team& of, workshare& w) noexcept;
/// At the end of the region.
void leave_last_share(member& me) noexcept;

/// Fills in a loop. `sched` may be runtime: then `vars` decide.
void prepare_loop(workshare& w, const iteration_space& space, schedule sched, std::uint64_t chunk,
                  const icvs& vars) noexcept;
void prepare_doacross(workshare& w, const std::uint64_t* counts, unsigned dimensions);

struct chunk_of_iterations {
  std::uint64_t first, last;
};
/// The part that member `i` gets if `n` iterations are divided evenly. The first members may have one more.
inline chunk_of_iterations part_of(std::uint64_t n, std::uint64_t i, std::uint64_t members) noexcept {
  const std::uint64_t each = n / members, more = n % members;
  const std::uint64_t first = each * i + (i < more ? i : more);
  return {first, first + each + (i < more ? 1 : 0)};
}
/// Takes the member's next chunk; returns false if there is none.
bool take_chunk(member& me, chunk_of_iterations& c) noexcept;
/// As `take_chunk`, in an ordered loop: first ends the turn of the chunk before.
bool take_ordered_chunk(member& me, chunk_of_iterations& c) noexcept;
/// Starts the ordered region of an iteration: waits until it is the turn of the member's chunk.
void begin_ordered(const member& me) noexcept;
void end_ordered(const member& me) noexcept;

/// An iteration of the doacross loop `w` has come this far.
void post_iteration(team& of, const workshare& w, const std::uint64_t* at) noexcept;
void wait_for_iteration(team& of, const workshare& w, const std::uint64_t* at) noexcept;

}  // namespace tine::openmp
