// Work and span over loops; forks are in the header. Only the strand of a vertex touches it.
#include <tine/augment/work_span.hpp>

#include <utility>

namespace tine {

void work_span::end_chunk(std::uint64_t count) noexcept {
  longest_.low = std::max(longest_.low, span_low() / count);
  longest_.high = std::max(longest_.high, span_high());
  longest_.burdened = std::max(longest_.burdened, burdened_span());
  begin_chunk();
}

void work_span::continue_after(open_fork& f, const work_span& other, sched::branch_end how) noexcept {
  const auto first = static_cast<length>(work - f.work), second = static_cast<length>(other.work);
  beside_low_ = lesser(first + f.low + other.beside_low_, second + beside_low_);
  beside_high_ = lesser(first + f.high + other.beside_high_, second + beside_high_);
  beside_burdened_ = lesser(first + f.burdened + other.beside_burdened_, second + beside_burdened_) -
                     static_cast<length>(fork_burden());
  add_counts(other);
  end_fork(f, how);
}

void work_span::chunk(std::uint64_t count, base::ticks now) noexcept {
  stop(now);
  start(now);
  end_chunk(count);
  ++longest_.chunks;
}

void work_span::append(work_span& next, sched::branch_end how) noexcept {
  end_chunk(1);  // the chunk that an exception has cut short, if there is one
  next.end_chunk(1);
  add_counts(next);
  begin_chunk();
  promoted += how != sched::branch_end::unpromoted;
  stolen += how == sched::branch_end::stolen;
  longest_.low = std::max(longest_.low, next.longest_.low);
  longest_.high = std::max(longest_.high, next.longest_.high);
  longest_.burdened = std::max(longest_.burdened, next.longest_.burdened);
  longest_.chunks += next.longest_.chunks;
}

void work_span::join_loop(work_span& subrange) noexcept {
  subrange.end_chunk(1);
  add_counts(subrange);
  const auto levels =
      static_cast<base::ticks>(std::bit_width(std::max<std::uint64_t>(subrange.longest_.chunks, 1) - 1));
  const base::ticks burdened = subrange.longest_.burdened + 2 * fork_burden() * levels;
  beside_low_ += static_cast<length>(subrange.work - subrange.longest_.low);
  beside_high_ += static_cast<length>(subrange.work - subrange.longest_.high);
  beside_burdened_ += static_cast<length>(subrange.work - burdened);
  ++loops;
  iterations += subrange.longest_.of;
}

/// Called when a strand with short loops has stopped. The more iterations of these loops run beside each other, the
/// less time the loops would take. If no loop is open at either end of the `last` stretch, the time inside the loops is
/// at most the estimate. Otherwise we don't know it, and share the whole stretch, or everything since the start of the
/// stretch in which the open loop began.
void work_span::share_span_plainly(base::ticks last) noexcept {
  const base::ticks most_inside = time_inside();
  inside = 0;
  loops += std::exchange(begun, 0);
  iterations += std::exchange(short_loops::iterations, 0);
  const base::ticks shared = unshared_ != none_open ? span_low() - static_cast<base::ticks>(unshared_)
                             : open == 0            ? std::min(last, most_inside)
                                                    : last;
  beside_low_ += static_cast<length>(shared - (shared >> std::min<std::uint64_t>(deepest, 63)));
  deepest = open;
  unshared_ = open == 0 ? none_open : static_cast<length>(span_low());
}

}  // namespace tine
