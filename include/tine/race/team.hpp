// Reports to the race detector of a runtime with teams and tasks of its own, such as that of OpenMP (compat/openmp).
// Its threads take turns: only the one whose turn it is runs code of the program. All functions are weak, so their
// addresses are null in a program without libtine_race. Call them on the thread whose turn it is.
//
// A *team* consists of members that run in parallel from barrier to barrier; the stretch between two barriers is a
// *phase*. In each phase, let the members run one after the other, each from its start to the barrier:
//
//     tine_race_open_team(site);
//     for each phase:
//       for each member i, on its own stack:
//         tine_race_begin_member(i, frame);   // in later phases tine_race_resume_member(i)
//         ... the code of the member up to the barrier, or to its end
//         // in front of a wait for others:  tine_race_pause_member(i); others run; tine_race_continue_member(i);
//       tine_race_end_phase();                // not after the last one
//     tine_race_close_team();
#pragma once

#include <cstdint>

extern "C" {

/// Returns 1 if all roots of the process are checked (`tine race`), otherwise 0.
[[gnu::weak]] int tine_race_is_process_checked() noexcept;

/// The running strand opens a team. `site`: the return address of the construct in the program. `let_others_run`: the
/// detector calls it when the running member seems to wait for another one, because it takes locks or reads atomic
/// words again and again. It lets other members run, and returns when it is this one's turn again. It may be null.
[[gnu::weak]] void tine_race_open_team(std::uint64_t site, void (*let_others_run)() noexcept) noexcept;
/// A member starts: it has its variables below `frame`, the address of a frame on the running stack.
[[gnu::weak]] void tine_race_begin_member(std::uint64_t number, const void* frame) noexcept;
/// A member that has started continues in the next phase.
[[gnu::weak]] void tine_race_resume_member(std::uint64_t number) noexcept;
/// The running member stops in the midst of a phase, so that others run meanwhile. Call it in front of
/// `tine_race_leave_thread`.
[[gnu::weak]] void tine_race_pause_member(std::uint64_t number) noexcept;
/// A member continues that has paused in this phase. Call it behind `tine_race_enter_thread`.
[[gnu::weak]] void tine_race_continue_member(std::uint64_t number) noexcept;
/// All members have come to the barrier. Everything that they do from here on comes after everything before it.
[[gnu::weak]] void tine_race_end_phase() noexcept;
/// All members have ended.
[[gnu::weak]] void tine_race_close_team() noexcept;

/// The turn goes from this native thread to another one. The result is for the next call of `tine_race_enter_thread` by
/// the same member.
[[gnu::weak]] std::uint32_t tine_race_leave_thread() noexcept;
/// The turn has come to this native thread, after it has left another one. A new member passes 0.
[[gnu::weak]] void tine_race_enter_thread(std::uint32_t member) noexcept;

/// Adds a task to a set: `run(task)` is called on the running stack, at once or when the strand has released its locks.
/// The task is parallel to everything until some strand waits for the set. `set` is 0 before its first task, and then
/// gets its number. Returns 0, and does nothing, if the strand is not checked.
[[gnu::weak]] int tine_race_add_task(std::uint32_t* set, std::uint64_t site, void (*run)(void*) noexcept,
                                     void* task) noexcept;
/// The running strand waits for all tasks of the set: those have run, and it comes after them.
[[gnu::weak]] void tine_race_wait_for_tasks(std::uint32_t set) noexcept;
/// The running task of a set comes after all tasks of that other set, as by a dependence. Call it before the task has
/// done anything else. A strand that waits for the task, or follows it, says so of the other set, too.
[[gnu::weak]] void tine_race_follow_tasks(std::uint32_t set) noexcept;

/// Something happens that the detector can't follow. The rest of the run is not checked, and the report says so:
/// "…, because `why`".
[[gnu::weak]] void tine_race_give_up(const char* why) noexcept;

/// The running strand releases something that a later strand will acquire under the same address, as by an atomic word:
/// that strand then comes after this one.
[[gnu::weak]] void tine_race_note_release(const void* word) noexcept;
/// The running strand acquires what was released under this address.
[[gnu::weak]] void tine_race_note_acquire(const void* word) noexcept;
/// Accesses of the running thread are not checked until `tine_race_ignore_end`: for the runtime's own data. Such pairs
/// of calls nest.
[[gnu::weak]] void tine_race_ignore_begin() noexcept;
/// Ends what `tine_race_ignore_begin` has begun.
[[gnu::weak]] void tine_race_ignore_end() noexcept;
/// Accesses to this memory are not checked until it is freed.
[[gnu::weak]] void tine_race_ignore_memory(const void* where, std::uint64_t bytes) noexcept;
/// The running strand has taken a lock, as a reader if `shared` is not 0.
[[gnu::weak]] void tine_race_note_lock(const void* lock, int shared) noexcept;
/// The running strand is about to release a lock.
[[gnu::weak]] void tine_race_note_unlock(const void* lock) noexcept;
/// The running strand has released a lock.
[[gnu::weak]] void tine_race_note_unlocked() noexcept;

}  // extern "C"
