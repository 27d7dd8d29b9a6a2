// A loop of a team: its iterations travel in ranges. Workers of the rank run pieces of it at once.
#pragma once

#include <tine/detail/mpi/iteration_ranges.hpp>
#include <tine/detail/mpi/partial_sum.hpp>
#include <tine/detail/mpi/team_call.hpp>
#include <tine/managed/par_reduce.hpp>
#include <tine/managed/sequential.hpp>
#include <tine/mpi/codec.hpp>
#include <tine/sched/event_source.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace tine::mpi::detail {

template <class Index, class R, class Map, class Combine>
class loop_call final : public team_call {
 public:
  /// `own`: this rank's ranges at the start. `may_give`: other ranks may get a part of them.
  loop_call(const pool& p, std::vector<iteration_range> own, bool may_give, Index first, const R& identity, Map& map,
            Combine& combine)
      : team_call{p},
        workers_{p.workers()},
        own_{std::move(own)},
        may_give_{may_give},
        first_{first},
        identity_{identity},
        map_{map},
        combine_{combine},
        sum_{identity} {}

  void run_own() override { run_ranges(own_); }
  void run(reader& work) override {
    std::vector<iteration_range> given;
    while (!work.rest().empty()) given.push_back(codec<iteration_range>::read(work));
    run_ranges(given);
  }
  std::size_t give(writer& to) override {
    if (!may_give_) return 0;
    const iteration_range given = waiting_.take_half();
    if (given.size() != 0) codec<iteration_range>::write(to, given);
    return given.size();
  }

  void write_result(writer& to) override { codec<R>::write(to, sum_.value()); }
  void merge(reader& from) override { sum_.add(codec<R>::read(from), combine_); }
  void take(reader& from) override { sum_.value() = codec<R>::read(from); }
  R result() { return std::move(sum_.value()); }
  /// Returns the ranges that this rank has run, in order.
  std::vector<iteration_range> ran() { return ran_.in_order(); }

 private:
  void run_ranges(const std::vector<iteration_range>& some) {
    for (const iteration_range& r : some) waiting_.add(r);
    // A strand for each worker takes pieces until none is left.
    sum_.add(par_reduce(0U, workers_, identity_, [this](unsigned) { return run_pieces(); }, combine_), combine_);
  }

  R run_pieces() {
    note_busy();
    R sum = identity_;
    piece_length length;
    for (;;) {
      const iteration_range piece = is_stopping() ? iteration_range{} : waiting_.take_front(length.next(), workers_);
      if (piece.size() == 0) return sum;
      // The worker looks when it has a piece, so that it doesn't give all that it has to others.
      poll();  // a piece of one iteration does not fork
      sched::look_if_due(look_gap());
      const base::ticks began = base::now();
      sum = combine_(std::move(sum), par_reduce(
                                         piece.begin, piece.end, identity_,
                                         [this](std::uint64_t i) {
                                           return map_(static_cast<Index>(static_cast<std::uint64_t>(first_) + i));
                                         },
                                         combine_));
      length.learn(piece.size(), base::now() - began);
      ran_.add(piece);
    }
  }

  const unsigned workers_;
  const std::vector<iteration_range> own_;
  const bool may_give_;
  const Index first_;
  const R& identity_;
  Map& map_;
  Combine& combine_;
  waiting_ranges waiting_;
  waiting_ranges ran_;
  partial_sum<R> sum_;
};

}  // namespace tine::mpi::detail
