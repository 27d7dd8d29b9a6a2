// Counted forks for models: the product's counted_fork (detail/managed/counted_fork.hpp), the promotion of its record
// and the begin of its thief, in a region that checks the positions.
#pragma once

#include "model/pool_suite.hpp"

#include "managed/counted_fork.cpp"

namespace tine::model {

/// A region in which every fork is counted. It claims that each stolen branch has the position of its own fork.
class counting_region final : public sched::region {
 public:
  counting_region() noexcept : region{0, false} {
    strand_.in = this;
    root_.around = root_bit;
    root_.record = nullptr;
    root_.next = 0;
    scope_.enter(*this);
    sched::enter_region(strand_, root_);
  }
  ~counting_region() {
    claim(sched::position::current() == &root_, "a region does not end at its own position");
    sched::leave_region();
    scope_.leave();
  }

  void begin_stolen(sched::position& forked, sched::region_strand& thief, sched::position& first) noexcept override {
    claim(forked.in == this, "a stolen branch is in another region");
    claim(!forked.is_in_second(), "a second branch was stolen after its strand had begun it");
    int depth = 0;
    for (const sched::position* p = &forked; (p->around & root_bit) == 0; p = p->up())
      claim(++depth < 8, "positions form no chain");
    thief.in = this;
    thief.outer = nullptr;
    first.begin_second_of(forked);
    sched::enter_region(thief, first);
  }
  void end_stolen() noexcept override { sched::leave_region(); }
  void pause() noexcept override {}
  void resume_after(sched::position& forked) noexcept override {
    claim(forked.in == this, "a join is in another region");
  }
  bool counts_next(const sched::position&, const sched::region_strand&) const noexcept override { return true; }
  bool counts_all(const sched::position&, const sched::region_strand&) const noexcept override { return true; }

  void wait_begins() noexcept override { unused(); }
  void wait_is_over() noexcept override { unused(); }
  void wait_ends() noexcept override { unused(); }

  // Only counted forks come here.
  void fork(void*) noexcept override { unused(); }
  bool is_placed(void*) noexcept override { return unused(), false; }
  void place(void*, sched::task*) noexcept override { unused(); }
  void first_done(void*) noexcept override { unused(); }
  void first_done_suspended(void*) noexcept override { unused(); }
  void begin(void*, bool) noexcept override { unused(); }
  void end(void*) noexcept override { unused(); }
  void join(void*, sched::branch_end, bool, bool) noexcept override { unused(); }
  void* storage_of_first(sched::position&) noexcept override { return unused(), nullptr; }
  void wait(void*) noexcept override { unused(); }
  sched::join_counter& join_counter_of(void*) noexcept override { std::abort(); }
  void* open_run() noexcept override { return unused(), nullptr; }
  sched::join_counter& join_counter_of_run(void*) noexcept override { std::abort(); }
  bool is_rest_placed(void*) noexcept override { return unused(), false; }
  void strand_blocked(void*) noexcept override { unused(); }
  void strand_unblocked(void*) noexcept override { unused(); }
  void close_run(void*, bool) noexcept override { unused(); }
  void open_loop(void*, std::uint64_t) noexcept override { unused(); }
  void close_loop(void*) noexcept override { unused(); }
  sched::position& begin_subrange(void*, std::uint64_t, bool) noexcept override { return root_; }
  void chunk(sched::position&, std::uint64_t) noexcept override { unused(); }
  void end_subrange(sched::position&) noexcept override { unused(); }
  unsigned subranges(void*) noexcept override { return unused(), 0; }
  std::uint64_t subrange_begin(void*, unsigned) noexcept override { return unused(), 0; }
  bool is_subrange_placed(void*, unsigned) noexcept override { return unused(), false; }
  void place_subrange(void*, unsigned, sched::task&) noexcept override { unused(); }
  void hint_worker(int) override { unused(); }
  void hint_partition(const sched::placement_hint&) override { unused(); }
  void forget_hint(sched::region_strand&) noexcept override { unused(); }

 private:
  static constexpr std::uintptr_t root_bit = sched::position::cursor_bit;
  static void unused() noexcept { claim(false, "a counted fork calls the region"); }

  sched::region_strand strand_{};
  sched::position root_{};
  sched::region_scope scope_;
};

/// The model's record in the form in which the product's fork takes it.
struct counted_record : record {
  static counted_record* at(sched::address where) noexcept { return reinterpret_cast<counted_record*>(where); }
};

/// One counted fork and its join, in the order of managed/par.hpp: the usual path writes the record and moves the top
/// before it finds that the strand is in a region.
template <class First>
int counted_fork_of(First first, branch second, int argument) noexcept {
  namespace hot = sched::hot;
  const sched::address at = hot::top();
  record& r = write_record(at, second, argument);
  claim(sched::fork_protocol::push(at, record::end(at)) && sched::forks_otherwise(),
        "a strand in a region takes the usual path");
  int result = 0;
  {
    sched::position own;
    detail::counted_fork<counted_record> fork{own, at};
    fork.serve();
    first();
    const bool stolen = fork.is_stolen();
    claim(r.runs == (stolen ? 1 : 0), "a record that no thief stole has run, or a stolen one has not");
    if (stolen) result = r.result.get();
    const bool promoted = stolen || fork.was_promoted();
    forget_record(r, promoted);
    if (!stolen) result = second(argument);
    fork.join();
  }
  claim(hot::top() == at && !hot::is_promoted(at), "what a fork wrote is left on the shadow stack");
  return result;
}

}  // namespace tine::model
