// The balancer: what a rank does with each message, and when it asks others for work.
#include "mpi/balancer.hpp"

#include <algorithm>
#include <cassert>

namespace tine::mpi::detail {

using kind = message::kind;

balancer::balancer(const balancer_settings& s, std::uint32_t call, network& by)
    : me_{s},
      call_{call},
      by_{&by},
      random_{s.seed * base::splitmix64::step + static_cast<unsigned>(s.rank) * 0xbf58476d1ce4e5b9U + call},
      tries_left_{s.random_tries},
      lifelines_{lifelines_of(s.rank, s.ranks, s.radix)},
      registered_(lifelines_.size()) {}

std::vector<int> balancer::lifelines_of(int rank, int ranks, unsigned radix) {
  std::vector<int> all;
  const auto n = static_cast<std::int64_t>(ranks);
  for (std::int64_t step = 1; step < n; step *= radix) {
    // the next number in the ring of this digit; numbers that no rank has are left out
    const std::int64_t digit = rank / step % radix;
    for (std::int64_t d = 1; d < radix; ++d) {
      const std::int64_t next = rank + ((digit + d) % radix - digit) * step;
      if (next >= n) continue;
      all.push_back(static_cast<int>(next));
      break;
    }
  }
  return all;
}

void balancer::send(int to, message&& m) {
  m.call = call_;
  by_->send(to, std::move(m));
}

int balancer::children() const noexcept { return std::clamp(me_.ranks - (2 * me_.rank + 1), 0, 2); }

void balancer::send_down(const message& m) {
  for (int i = 0; i < children(); ++i) send(2 * me_.rank + 1 + i, message{m});
}

// --- as a thief ------------------------------------------------------------------------------------------------------

int balancer::random_victim() {
  const int other = static_cast<int>(random_() % static_cast<unsigned>(me_.ranks - 1));
  return other < me_.rank ? other : other + 1;
}

void balancer::seek() {
  if (me_.ranks == 1 || asked_ >= 0 || is_stopping_ || is_finished_) return;
  if (tries_left_ > 0) {
    --tries_left_;
    ++requests_;
    asked_ = random_victim();
    send(asked_, kind::request);
    return;
  }
  for (std::size_t i = 0; i < lifelines_.size(); ++i) {
    if (registered_[i]) continue;
    registered_[i] = true;
    ++registrations_;
    send(lifelines_[i], kind::lifeline);
  }
}

payload balancer::accept(int from, message& m) {
  ++received_;
  tries_left_ = me_.random_tries;
  if (!m.flag) {
    asked_ = -1;
  } else {
    const auto at = std::find(lifelines_.begin(), lifelines_.end(), from);
    registered_[static_cast<std::size_t>(at - lifelines_.begin())] = false;
  }
  return is_stopping_ ? payload{} : std::move(m.data);
}

// --- as a victim -----------------------------------------------------------------------------------------------------

balancer::taker balancer::next_taker() {
  const taker t = takers_.front();
  takers_.erase(takers_.begin());
  return t;
}

void balancer::give(const taker& to, payload&& work) {
  send(to.rank, message{.what = kind::work, .flag = to.by_lifeline, .data = std::move(work)});
  ++sent_;
}

// --- failures --------------------------------------------------------------------------------------------------------

void balancer::fail(payload&& description) {
  if (is_root()) return hear_of_failure(std::move(description));
  ++sent_;  // counted like work, so that the team does not end before the failure has arrived
  send(0, message{.what = kind::failure, .data = std::move(description)});
}

void balancer::hear_of_failure(payload&& description) {
  if (has_failed_) return;
  has_failed_ = true;
  failure_ = std::move(description);
  is_stopping_ = true;
  send_down(message{.what = kind::stop});
}

// --- counting --------------------------------------------------------------------------------------------------------

void balancer::count(bool is_passive) {
  if (!is_root() || !is_passive || is_counting() || is_finished_) return;
  begin_count(is_passive);
}

/// The wave visits this rank.
void balancer::begin_count(bool is_passive) {
  ++waves_;
  missing_ = children() + 1;
  sum_ = {sent_, received_, is_passive};
  send_down(message{.what = kind::wave_down});
  end_count();
}

/// One of the missing counts has come.
void balancer::end_count() {
  if (--missing_ != 0) return;
  if (!is_root()) {
    send(parent(), message{.what = kind::wave_up, .flag = sum_.passive, .sent = sum_.sent, .received = sum_.received});
    return;
  }
  // See the proof in README.md. After the last wave nothing is sent or received any more, so the counts of both waves
  // are equal then.
  if (before_.passive && before_.received == sum_.sent) finish();
  before_ = sum_;
}

// --- the end ---------------------------------------------------------------------------------------------------------

void balancer::finish() {
  is_finished_ = true;
  missing_results_ = children();
  send_down(message{.what = kind::finish});
}

void balancer::offer_result(payload&& combined, bool is_failure) {
  has_offered_ = true;
  if (!is_failure && !has_failed_) {
    outcome_ = std::move(combined);
  } else if (!has_failed_) {
    has_failed_ = true;
    failure_ = std::move(combined);
  }
  payload& data = has_failed_ ? failure_ : outcome_;
  if (!is_root()) {
    send(parent(), message{.what = kind::result_up, .flag = has_failed_, .data = std::move(data)});
  } else {
    end(message{.what = kind::result_down, .flag = has_failed_, .data = std::move(data)});
  }
}

void balancer::end(message&& m) {
  send_down(m);
  has_failed_ = m.flag;
  outcome_ = std::move(m.data);
  has_ended_ = true;
}

payload balancer::receive(int from, message&& m, bool is_passive) {
  switch (m.what) {
    case kind::request:
    case kind::lifeline:
      takers_.push_back({from, m.what == kind::lifeline});
      break;
    case kind::refusal:
      asked_ = -1;
      break;
    case kind::work:
      return accept(from, m);
    case kind::failure:
      ++received_;
      hear_of_failure(std::move(m.data));
      break;
    case kind::stop:
      is_stopping_ = true;
      send_down(m);
      break;
    case kind::wave_down:
      begin_count(is_passive);
      break;
    case kind::wave_up:
      sum_.sent += m.sent;
      sum_.received += m.received;
      sum_.passive = sum_.passive && m.flag;
      end_count();
      break;
    case kind::finish:
      finish();
      break;
    case kind::result_up:
      if (!m.flag) {
        results_.push_back(std::move(m.data));
      } else if (!has_failed_) {
        has_failed_ = true;
        failure_ = std::move(m.data);
      }
      --missing_results_;
      break;
    case kind::result_down:
      end(std::move(m));
      break;
  }
  return {};
}

}  // namespace tine::mpi::detail
