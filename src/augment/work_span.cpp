// Work and span over forks and loops.
#include <tine/augment/work_span.hpp>

namespace tine {

void work_span::add_counts(const work_span& other) noexcept {
  work += other.work;
  forks += other.forks;
  offered += other.offered;
  taken += other.taken;
  loops += other.loops;
  iterations += other.iterations;
}

void work_span::join(const work_span& left, const work_span& right, work_span& after,
                     sched::branch_end how) const noexcept {
  after = *this;
  after.add_counts(left);
  after.add_counts(right);
  after.span_low += std::max(left.span_low, right.span_low);
  after.span_high += std::max(left.span_high, right.span_high);
  after.burdened_span += std::max(left.burdened_span, right.burdened_span) + fork_burden();
  ++after.forks;
  after.offered += how != sched::branch_end::unoffered;
  after.taken += how == sched::branch_end::stolen;
}

void work_span::end_chunk(std::uint64_t count) noexcept {
  longest_.low = std::max(longest_.low, span_low / count);
  longest_.high = std::max(longest_.high, span_high);
  longest_.burdened = std::max(longest_.burdened, burdened_span);
  span_low = span_high = burdened_span = 0;
}

void work_span::chunk(std::uint64_t count, base::ticks now) noexcept {
  run_for(now - since_);
  since_ = now;
  end_chunk(count);
  ++longest_.chunks;
  iterations += count;
}

void work_span::append(work_span& next, bool was_taken) noexcept {
  add_counts(next);
  ++offered;
  taken += was_taken;
  end_chunk(1);  // what an exception has cut short, if anything
  next.end_chunk(1);
  longest_.low = std::max(longest_.low, next.longest_.low);
  longest_.high = std::max(longest_.high, next.longest_.high);
  longest_.burdened = std::max(longest_.burdened, next.longest_.burdened);
  longest_.chunks += next.longest_.chunks;
}

void work_span::join_loop(work_span& piece, work_span& after) const noexcept {
  piece.end_chunk(1);
  after = *this;
  after.add_counts(piece);
  after.span_low += piece.longest_.low;
  after.span_high += piece.longest_.high;
  const auto levels = static_cast<base::ticks>(std::bit_width(std::max<std::uint64_t>(piece.longest_.chunks, 1) - 1));
  after.burdened_span += piece.longest_.burdened + 2 * fork_burden() * levels;
  ++after.loops;
}

}  // namespace tine
