// The contexts that a thread has left for fibers and that it comes back to, one for each pool that it works for. The
// thread's own words; a garbage collector reads them while the thread is stopped.
#pragma once

#include "sched/fiber.hpp"

#include <tine/sched/stack_range.hpp>

#include <utility>

namespace tine::sched {

struct left_context;

struct thread_stacks {
  const hot_words* words = nullptr;
  const left_context* newest = nullptr;
};
extern constinit thread_local thread_stacks stacks_of_thread;

/// While it lives, its thread leaves `native` for the fibers of a pool. The thread is the same at both ends.
struct left_context {
  explicit left_context(context& native) noexcept : left{native}, outer{stacks_of_thread.newest} {
    left.point = nullptr;  // it is set when the context is left
    stacks_of_thread.newest = this;
  }
  ~left_context() { stacks_of_thread.newest = outer; }
  left_context(const left_context&) = delete;
  left_context& operator=(const left_context&) = delete;

  context& left;
  const left_context* const outer;
};

/// Calls the function that listens to threads, if there is one, for a thread that begins to work for a pool.
void announce_thread() noexcept;

/// Counts each begin and each end of a collection, so it is odd while a collector stops threads: then a thread that
/// blocks all signals and sleeps may be one that the collector has stopped.
extern constinit base::atomic<unsigned> collections_begun_and_ended;

}  // namespace tine::sched
