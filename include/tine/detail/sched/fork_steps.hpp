// The steps of a managed fork on an instrumented strand, behind a table, so that the code of a fork has a few calls and
// no more. The strand that forks calls them, except for those of a thief.
//
// Two tables have these steps. The general one calls all parties of the strand (src/managed/observed_fork.cpp). A
// vertex that continues in the branches of its forks has one of its own (detail/augment/continued_fork.hpp).
#pragma once

#include <tine/detail/sched/hot_words.hpp>
#include <tine/detail/sched/observer.hpp>
#include <tine/detail/sched/scope.hpp>
#include <tine/detail/sched/task.hpp>

namespace tine::sched {

struct fork_steps {
  /// The strand forks at the top of the shadow stack, `at`, where the fast path may have written a record. Makes the
  /// second branch, which `second` points to, stealable by a record with the descriptor `kind`. Returns what the other
  /// steps get as `fork`.
  void* (*open)(address at, site where, void* second, const descriptor& kind) noexcept;
  /// The first branch has ended. Unless this returns `stolen`, the second one runs on this strand.
  branch_end (*first_done)(void* fork) noexcept;
  /// Both branches have ended. If the second one was stolen, its record stays until `close`.
  void (*join)(void* fork) noexcept;
  void (*close)(void* fork) noexcept;
  /// An exception leaves the first branch, or the second one after `first_done`: joins the fork and closes it.
  void (*abandon)(void* fork, bool in_second) noexcept;

  /// Returns the record of a branch that was stolen.
  task& (*record)(void* fork) noexcept;
  /// A thief starts and ends the second branch. It keeps `scope` meanwhile.
  void (*begin_stolen)(void* fork, region_scope& scope) noexcept;
  void (*end_stolen)(void* fork, region_scope& scope) noexcept;
};

/// The head of the record of a branch that is forked by such steps.
struct reported_record_head : task {
  struct branch {
    void* second;
    const fork_steps* steps;
    void* fork;
  };
  union {
    branch second;
    /// Once the branch has ended on another strand: destroys its value or its exception.
    void (*drop_outcome)(reported_record_head&) noexcept;
  };

  static reported_record_head* at(address where) noexcept { return base::object_at<reported_record_head>(where); }
  /// Writes the record that `open` makes.
  TINE_ALWAYS_INLINE static void write(address where, const descriptor& kind, const branch& b) noexcept {
    auto* const r = base::begin_object<reported_record_head>(where);
    r->what = &kind;
    r->write_position(nullptr);
    ::new (static_cast<void*>(&r->second)) branch{b};
  }
  void drop() noexcept { drop_outcome(*this); }
};

/// The second branch of a fork, while a thief runs it.
class stolen_branch {
 public:
  explicit stolen_branch(const reported_record_head::branch& b) noexcept : of_{b} {
    of_.steps->begin_stolen(of_.fork, scope_);
  }
  ~stolen_branch() { of_.steps->end_stolen(of_.fork, scope_); }
  stolen_branch(const stolen_branch&) = delete;
  stolen_branch& operator=(const stolen_branch&) = delete;

 private:
  const reported_record_head::branch of_;
  region_scope scope_;
};

}  // namespace tine::sched
