// Finds the way to an earlier strand when a race is reported.
#include "race/history.hpp"

#include "augment/step_rows.hpp"

#include <tine/detail/base/assert.hpp>

#include <algorithm>
#include <utility>

namespace tine::detail {

void history::begin() noexcept {
  entries_ = static_cast<entry*>(reserve(capacity * sizeof(entry)));
  if (entries_ == nullptr) base::fatal("no memory is left for the history of the race detector.");
}

// The numbers of the entries never fall. So the constructs around a strand are those that are open behind the last
// entry that is not after the strand.
strand_way history::way(strand_number to, std::uint64_t from) const {
  strand_way found{{}, false};
  const std::uint64_t oldest = std::max(from, count_ > capacity ? count_ - capacity : 0);
  found.is_cut = oldest != from;
  std::uint64_t low = oldest, high = count_;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    at(middle).first <= to ? low = middle + 1 : high = middle;
  }
  unsigned closed = 0;
  bool is_second = false, has_iteration = false;
  std::uint64_t iteration = 0;
  for (std::uint64_t i = low; i-- > oldest;) {
    const entry& e = at(i);
    switch (e.what) {
      case event::join:
      case event::loop_end:
        ++closed;
        break;
      case event::fork:
      case event::halving:
      case event::loop:
        if (closed != 0) {
          --closed;
          break;
        }
        if (e.what == event::fork)
          found.steps.push_back({e.of, false, (e.of & of_task) != 0 ? e.first : std::uint64_t{is_second}});
        if (e.what == event::loop) found.steps.push_back({e.of, true, has_iteration ? iteration : to - e.first});
        is_second = false;
        if (e.what != event::halving) has_iteration = false;
        to = e.around;  // the strand of the next outer step
        break;
      case event::second:
        is_second = is_second || closed == 0;
        break;
      case event::iterations:
      case event::leaf:
        if (closed == 0 && !std::exchange(has_iteration, true)) iteration = e.of + (to - e.first);
        break;
    }
  }
  std::ranges::reverse(found.steps);
  return found;
}

}  // namespace tine::detail
