// The steps of a managed fork for strands with any parties: a region, several vertices, or one vertex that has another
// vertex for each branch. They are the steps of `observed_fork`, which lies behind the storage of the parties:
//
//     [ storage of the parties | general_fork ] record of the second branch
//
// The strand that forks calls them, except for those of a thief.
#include "managed/observed_fork.hpp"

#include <tine/detail/base/object_at.hpp>
#include <tine/detail/managed/reported_fork.hpp>

#include <new>

namespace tine::detail {
namespace {

/// The second branch as `observed_fork` knows it. A thief doesn't call it: it runs the record of the program's type.
struct reported_branch {
  void* second;
  const sched::descriptor& kind;
  void* fork;
};

struct general_record : sched::reported_record_head {
  static general_record* at(sched::address where) noexcept { return base::object_at<general_record>(where); }
  static sched::address end(sched::address at) noexcept { return at + general_record::at(at)->what->size; }
  static general_record* write(sched::address where, const observed_branch<reported_branch>& b) noexcept {
    const reported_branch& second = *b.branch.target;
    reported_record_head::write(where, second.kind, {second.second, &general_fork_steps, second.fork});
    return at(where);
  }
};

/// A fork, and its steps.
struct general_fork {
  general_fork(sched::address at, sched::site where, void* branch, const sched::descriptor& kind) noexcept
      : second{branch, kind, this}, steps{at, where, bytes()} {
    steps.is_placed() ? steps.place(second) : steps.push(second);
  }

  static std::uint32_t bytes() noexcept { return (sizeof(general_fork) + 15) / 16 * 16; }
  static general_fork& of(void* fork) noexcept { return *base::object_at<general_fork>(fork); }

  static void* open(sched::address at, sched::site where, void* second, const sched::descriptor& kind) noexcept {
    const sched::address place = sched::storage_in(at) + sched::instrumentation::current().storage_bytes();
    const sched::address record = place + bytes();
    sched::check_observed_capacity(record + kind.size);
    base::begin_object<general_record>(record)->what = &kind;  // its size
    return ::new (static_cast<void*>(place)) general_fork{at, where, second, kind};
  }
  static sched::branch_end first_done(void* fork) noexcept {
    general_fork& f = of(fork);
    f.is_taken = f.steps.is_stolen();
    if (f.is_taken) return sched::branch_end::stolen;
    return f.steps.was_promoted() ? sched::branch_end::reclaimed : sched::branch_end::unpromoted;
  }
  static void join(void* fork) noexcept {
    of(fork).steps.join();
    if (!of(fork).is_taken) close(fork);
  }
  static void close(void* fork) noexcept { of(fork).~general_fork(); }
  static void abandon(void* fork, bool) noexcept { close(fork); }

  static sched::task& record(void* fork) noexcept { return of(fork).steps.record(); }
  static void begin_stolen(void* fork, sched::region_scope& scope) noexcept { of(fork).steps.begin_stolen(scope); }
  static void end_stolen(void* fork, sched::region_scope& scope) noexcept { of(fork).steps.end_stolen(scope); }

  reported_branch second;
  observed_fork<general_record> steps;
  bool is_taken = false;  ///< the second branch was stolen or placed
};

}  // namespace

constinit const sched::fork_steps general_fork_steps{
    &general_fork::open,    &general_fork::first_done, &general_fork::join,         &general_fork::close,
    &general_fork::abandon, &general_fork::record,     &general_fork::begin_stolen, &general_fork::end_stolen,
};

}  // namespace tine::detail
