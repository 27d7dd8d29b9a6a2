// A reduction over tasks that spawn tasks.
#pragma once

#include <tine/detail/mpi/level.hpp>
#include <tine/detail/mpi/partial_sum.hpp>
#include <tine/detail/mpi/team_call.hpp>
#include <tine/managed/sequential.hpp>
#include <tine/managed/spork.hpp>
#include <tine/mpi/codec.hpp>
#include <tine/mpi/spawner.hpp>
#include <tine/sched/event_source.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace tine::mpi::detail {

template <class Task, class R, class Body, class Combine>
class reduce_call final : public team_call {
 public:
  reduce_call(const pool& p, std::vector<Task>&& own, const R& identity, Body& body, Combine& combine)
      : team_call{p},
        own_{std::move(own)},
        identity_{identity},
        body_{body},
        combine_{combine},
        levels_{std::make_unique<std::unique_ptr<worker_levels>[]>(p.worker_slots())},
        sum_{identity} {}

  void run_own() override {
    level<Task> first;
    for (Task& t : own_) first.tasks.emplace_back(std::move(t));
    own_.clear();
    run_all(first);
  }

  void run(reader& work) override {
    level<Task> first;
    first.depth = codec<unsigned>::read(work);
    std::uint64_t n = codec<std::uint64_t>::read(work);
    while (n-- > 0) first.tasks.emplace_back(codec<Task>::read(work));
    run_all(first);
  }

  /// Gives half of the tasks that wait in the oldest level, as a thief would take them: they are the largest.
  std::size_t give(writer& to) override {
    level_links* const oldest = claim_oldest();
    return oldest == nullptr ? 0 : give_half(to, static_cast<level<Task>&>(*oldest));
  }

  unsigned depth_of_gift() override {
    level_links* const oldest = claim_oldest();
    if (oldest == nullptr) return no_gift;
    const unsigned depth = oldest->depth;
    oldest->release();
    return depth;
  }

  void write_result(writer& to) override { codec<R>::write(to, sum_.value()); }
  void merge(reader& from) override { sum_.add(codec<R>::read(from), combine_); }
  void take(reader& from) override { sum_.value() = codec<R>::read(from); }
  R result() { return std::move(sum_.value()); }

 private:
  /// Claims the oldest level of this worker that has a rest; null if there is none.
  level_links* claim_oldest() {
    worker_levels* const mine = levels_[this_worker().index()].get();
    if (mine == nullptr) return nullptr;
    for (level_links* l = mine->ends.newer; l != &mine->ends; l = l->newer) {
      if (!l->claim()) continue;
      if (l->end != l->next) return l;
      l->release();
    }
    return nullptr;
  }

  worker_levels& levels_here() {
    std::unique_ptr<worker_levels>& mine = levels_[this_worker().index()];
    if (mine == nullptr) mine = std::make_unique<worker_levels>();
    return *mine;
  }

  void run_all(level<Task>& first) {
    note_busy();
    first.open();
    sum_.add(run_level(levels_here(), first), combine_);
  }

  /// Runs the tasks of the level one after the other. The strand stays on the worker of `mine`, because team wants the
  /// policy same_thread.
  R run_level(worker_levels& mine, level<Task>& now) {
    const linked_level here{mine, now};
    R sum = identity_;
    while (now.next != now.end && !is_stopping()) {
      Task& task = now.tasks[now.next++];
      if (now.next == now.end) {
        poll();  // a chain of tasks does not fork
        level<Task> children;
        sum = combine_(std::move(sum), begin(mine, task, children));
        // The level has no task left, so that its children take its place: a chain of tasks needs no stack.
        now.tasks.replace_by(children.tasks);
        now.open();
        ++now.depth;
        continue;
      }
      R part = spork([&] { return run_task(mine, task, now.depth + 1); }, [&] { return run_rest(now); },
                     [](R first) { return first; },
                     [this](R first, R rest) { return combine_(std::move(first), std::move(rest)); },
                     [](R first) { return first; });
      sum = combine_(std::move(sum), std::move(part));
    }
    return sum;
  }

  R begin(worker_levels& mine, Task& task, level<Task>& children) {
    if (++mine.tasks % tasks_between_looks == 0) sched::look_if_due(look_gap());
    spawner<Task> to{children.tasks};
    return body_(task, to);
  }

  /// Runs a task and its children, whose level has that depth.
  R run_task(worker_levels& mine, Task& task, unsigned depth) {
    level<Task> children;
    children.depth = depth;
    R own = begin(mine, task, children);
    if (children.tasks.size() == 0) return own;
    children.open();
    R rest = run_level(mine, children);
    return combine_(std::move(own), std::move(rest));
  }

  /// A local thief takes the tasks that wait in the level. It keeps the claim, as the owner continues only after the
  /// join.
  R run_rest(level<Task>& from) {
    note_busy();
    if (!from.claim()) return identity_;
    level<Task> taken;
    taken.depth = from.depth;
    gift_depth(this_worker().index()).store(taken.depth, base::relaxed);  // relaxed: an estimate
    for (std::size_t i = from.next; i != from.end; ++i) taken.tasks.emplace_back(std::move(from.tasks[i]));
    from.end = from.next;
    taken.open();
    return run_level(levels_here(), taken);
  }

  /// Writes half of the level's rest, which is claimed, and releases the level.
  static std::size_t give_half(writer& to, level<Task>& from) {
    struct release_at_end {
      level<Task>& l;
      ~release_at_end() { l.release(); }
    } const guard{from};
    const std::size_t half = (from.end - from.next + 1) / 2;
    codec<unsigned>::write(to, from.depth);
    const std::size_t count_at = to.bytes().size();
    std::uint64_t n = 0;
    to.write(&n, sizeof n);
    while (n < half && to.bytes().size() < most_bytes) codec<Task>::write(to, from.tasks[from.end - ++n]);
    std::memcpy(to.bytes().data() + count_at, &n, sizeof n);
    from.end -= n;
    return n;
  }

  static constexpr std::size_t tasks_between_looks =
      64;  ///< reading the clock for each task would cost short ones too much
  static constexpr std::size_t most_bytes = std::size_t{1} << 26;  ///< a message with more gets no further task

  std::vector<Task> own_;
  const R& identity_;
  Body& body_;
  Combine& combine_;
  const std::unique_ptr<std::unique_ptr<worker_levels>[]> levels_;  ///< by worker; null: it has had none
  partial_sum<R> sum_;
};

}  // namespace tine::mpi::detail
