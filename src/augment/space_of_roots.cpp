// The memory of roots, composed by their times. Roots in time form an interval order, which series and parallel
// compositions cannot express: b may follow a while c overlaps both.
#include "augment/space_of_roots.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace tine::detail {

void space_of_roots::add(base::ticks begin, base::ticks end, space_profile profile) {
  since_.push_back({begin, std::max(end, begin + 1), std::move(profile)});
}

void space_of_roots::settle() { settled_.follow(composed(std::exchange(since_, {}))); }

space_profile space_of_roots::whole() const {
  space_profile all = settled_;
  all.follow(composed(since_));
  return all;
}

/// Lemma: the most that a prefix of the roots holds is, for the begin t of some root, the sum of the bytes that the
/// roots hold that had ended by t, and of the worst peaks of the roots that ran at t. Proof: let t be the latest begin
/// of a root in the prefix. A root that had ended by t precedes that root, and is in the prefix as a whole. No other
/// root of the prefix precedes a root that has begun, so each may be in the prefix in part, with the part that holds
/// the most. Roots that begin after t are not in the prefix. Conversely, each such sum is that of a prefix.
space_profile space_of_roots::composed(std::vector<root> roots) {
  std::ranges::sort(roots, {}, &root::begin);
  using running_root = std::pair<base::ticks, std::size_t>;  // its end, and its index
  std::priority_queue<running_root, std::vector<running_root>, std::greater<>> running;
  std::int64_t held = 0, most = 0;
  base::ticks worst_moment = 0;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    for (; !running.empty() && running.top().first <= roots[i].begin; running.pop()) {
      const space_profile& ended = roots[running.top().second].profile;
      held += ended.held() - ended.worst_peak();
    }
    running.push({roots[i].end, i});
    held += roots[i].profile.worst_peak();
    if (held > most) most = held, worst_moment = roots[i].begin;
  }
  space_profile before, beside, after;
  for (root& r : roots) {
    if (r.end <= worst_moment) {
      before.follow(std::move(r.profile));
    } else if (r.begin <= worst_moment) {
      beside.beside(std::move(r.profile));
    } else {
      after.follow(std::move(r.profile));
    }
  }
  // The next two cannot rise above the peak in `beside`, because each prefix of this series is a prefix of the roots.
  before.follow(std::move(beside));
  before.follow(std::move(after));
  return before;
}

}  // namespace tine::detail
