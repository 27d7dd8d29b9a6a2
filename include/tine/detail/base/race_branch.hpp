// Reports of tine's headers to the race detector, in code that is instrumented for it (TINE_RACE). Other code has none
// of this. Each strand reports for itself, on its thread.
//
// The detector must know which accesses to a native stack are those of the running strand to its own frames. Compilers
// inline the branches of a fork into the function that forks, where the variables of both share memory. So in
// instrumented code each branch and each iteration has a frame of its own, and reports where its frames start.
#pragma once

#include <tine/detail/base/macros.hpp>

#include <cstdint>

#if TINE_RACE

extern "C" {
/// A fork has been reported to the observer. Until one of its branches starts, or it is joined, the fork itself runs,
/// and is not checked.
void tine_race_leave_branch() noexcept;
/// A branch of the innermost open fork starts. Its frames lie below the return address of the function whose frame
/// address is `frame`.
void tine_race_enter_branch(const void* frame) noexcept;
/// A coroutine starts, with its arguments in its frame. If it is the branch of the innermost open fork that is about to
/// start, that branch starts.
void tine_race_begin_child() noexcept;
/// The iterations that follow have their frames there. Until one of them starts, or the loop ends, the loop itself
/// runs, and is not checked.
void tine_race_enter_iterations(const void* frame) noexcept;
/// Iteration `i` of the innermost open loop starts. Returns at once if the strand is not checked.
void tine_race_begin_iteration(std::uint64_t i) noexcept;
void tine_race_leave_iterations() noexcept;
/// Accesses to this memory are not checked until it is freed.
void tine_race_ignore_memory(const void* where, std::uint64_t bytes) noexcept;
/// A pool of memory gives these bytes to the running strand, or gets them back.
void tine_race_memory_acquired(const void* where, std::uint64_t bytes) noexcept;
void tine_race_memory_released(const void* where, std::uint64_t bytes) noexcept;
/// The running strand has chosen this memory by the number of its worker.
void tine_race_choose_slot(const void* where, std::uint64_t bytes) noexcept;
/// Accesses of the running thread are not checked between these two calls, which nest.
void tine_race_ignore_begin() noexcept;
void tine_race_ignore_end() noexcept;
/// The running strand has locked a mutex of tine, as a reader if `shared` is not 0; is about to unlock it; or has
/// unlocked it.
void tine_race_note_lock(const void* lock, int shared) noexcept;
void tine_race_note_unlock(const void* lock) noexcept;
void tine_race_note_unlocked() noexcept;
}

namespace tine::detail {

/// A branch of a fork, while it runs in the function whose frame address is `frame`.
class race_branch {
 public:
  explicit race_branch(const void* frame) noexcept { tine_race_enter_branch(frame); }
  ~race_branch() { tine_race_leave_branch(); }
  race_branch(const race_branch&) = delete;
  race_branch& operator=(const race_branch&) = delete;
};

/// Calls `pass(i, i + 1)` for each i from `begin` up to `end`. Each call is a strand. Inline it only into a function
/// that has no other variables of the program than those of the calls.
template <class Pass>
TINE_ALWAYS_INLINE void pass_one_by_one(std::uint64_t begin, std::uint64_t end, Pass pass) {
  tine_race_enter_iterations(__builtin_frame_address(0));
  for (std::uint64_t i = begin; i != end; ++i) {
    tine_race_begin_iteration(i);
    pass(i, i + 1);
  }
  tine_race_leave_iterations();
}

}  // namespace tine::detail

#endif
