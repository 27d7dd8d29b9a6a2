// The fork of compiled code on an instrumented strand. The strand opens and closes it; a thief only runs its branch. On
// the shadow stack, from the start of the fork, lies a storage block, and then the record that thieves see. The block
// holds
//
//     [ storage of the parties | compiled_fork | record of the branch as compiled code wrote it ]
//
// The branch always runs inside of the fork: on another strand, or at the join. For compiled code both are alike,
// because its two ways out of a join lead to the same results. So observers learn where the branch ends, which compiled
// code doesn't say. And the steps that they see don't depend on whether the branch was promoted.
#include "managed/compiled_fork.hpp"

#include "managed/observed_fork.hpp"
#include "sched/worker.hpp"

#include <tine/detail/base/assert.hpp>
#include <tine/detail/base/object_at.hpp>

#include <sys/mman.h>
#include <unistd.h>
#include <cstdio>
#include <cstring>
#include <new>

namespace tine::detail {
namespace {

/// The branch as `observed_fork` calls it.
struct compiled_branch {
  sched::address record;

  const tine_abi_kind& kind() const noexcept {
    return *base::from_word<const tine_abi_kind>(base::word_at(record + tine_abi_kind_of_record));
  }
  void operator()() const noexcept { kind().run(record); }
};

/// The record that thieves see. Compiled code doesn't throw, and doesn't stop.
struct compiled_record : sched::task {
  using branch = observed_branch<const compiled_branch>;

  static compiled_record* at(sched::address where) noexcept { return base::object_at<compiled_record>(where); }
  static sched::address end(sched::address at) noexcept { return at + sizeof(compiled_record); }
  static compiled_record* write(sched::address at, const branch& b) noexcept;
  static bool run(sched::task& t) noexcept {
    const branch b = static_cast<compiled_record&>(t).branch_;
    b();
    return false;
  }
  void drop() noexcept {}

  union {
    branch branch_;
  };
};

constexpr sched::descriptor kind_of_half{&compiled_record::run, sizeof(compiled_record)};
constexpr sched::descriptor kind_of_all{&compiled_record::run, sizeof(compiled_record), false, token_sharing::all};

compiled_record* compiled_record::write(sched::address at, const branch& b) noexcept {
  auto* const r = base::begin_object<compiled_record>(at);
  const bool shares_all = b.branch.target->kind().sharing == static_cast<std::uint8_t>(token_sharing::all);
  r->what = shares_all ? &kind_of_all : &kind_of_half;
  ::new (static_cast<void*>(&r->branch_)) branch{b};
  return r;
}

constexpr std::size_t round_up(std::size_t bytes) { return (bytes + 15) / 16 * 16; }

/// No record starts with an odd word.
constexpr std::uintptr_t mark_of_fork = 1;

}  // namespace

struct compiled_fork {
  std::uintptr_t mark;
  sched::address begin;
  compiled_branch branch;
  observed_fork<compiled_record> steps;

  compiled_fork(sched::address at, sched::address branch_at, sched::site where) noexcept
      : mark{mark_of_fork},
        begin{at},
        branch{branch_at},
        steps{at, where, round_up(sizeof(compiled_fork)) + round_up(branch.kind().size)} {
    const compiled_branch& second = branch;
    steps.is_placed() ? steps.place(second) : steps.push(second);
  }
};

namespace {

/// Returns the place for the compiled_fork of a fork that starts at `at`.
sched::address place_for_fork(sched::address at) noexcept {
  return sched::storage_in(at) + sched::instrumentation::current().storage_bytes();
}

}  // namespace

void require_place_of_site(const void* returns) noexcept {
  const std::uintptr_t at = base::to_word(returns);
  if (at % sizeof(void*) == 0 && at != 0) {
    if (sched::hot::self()->running()->holds_frame(returns)) return;
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    unsigned char resident = 0;
    if (mincore(base::from_word<void>(at & ~(page - 1)), 1, &resident) == 0) return;
  }
  char text[256];
  std::snprintf(
      text, sizeof text,
      "tine_abi_poll got %p for `returns`, where no return address can lie: give it the address of the stack slot that holds the return address of a call in the fork, not that return address itself.",
      returns);
  base::fatal(text);
}

sched::address place_for_branch(sched::address at, std::size_t bytes) noexcept {
  const sched::address place = place_for_fork(at) + round_up(sizeof(compiled_fork));
  sched::check_observed_capacity(place + round_up(bytes) + sizeof(compiled_record));
  return place;
}

compiled_fork& open_compiled_fork(sched::address at, sched::address branch, sched::site where) noexcept {
  return *::new (static_cast<void*>(place_for_fork(at))) compiled_fork{at, branch, where};
}

compiled_fork* compiled_fork_at(sched::address at) noexcept {
  return base::word_at(at) == mark_of_fork ? base::object_at<compiled_fork>(at) : nullptr;
}

sched::address begin_of(const compiled_fork& f) noexcept { return f.begin; }

void close_compiled_fork(compiled_fork& f, sched::address results) noexcept {
  const sched::address record = f.branch.record;
  const std::size_t bytes = f.branch.kind().size - tine_abi_payload;
  sched::hot::set_top(compiled_record::end(base::bytes_of(f.steps.record())));
  if (!f.steps.is_stolen()) f.branch();
  f.steps.join();
  f.~compiled_fork();
  std::memmove(results + tine_abi_payload, record + tine_abi_payload, bytes);
}

}  // namespace tine::detail
