// A call of a team on one rank: work, messages and the end.
#include "mpi/running_call.hpp"

#include "mpi/job_record.hpp"

#include <tine/coro/fork.hpp>
#include <tine/coro/join.hpp>

#include <algorithm>
#include <exception>
#include <mutex>
#include <string>

namespace tine::mpi::detail {
namespace {

using moment = sched::event_source::moment;

/// Time for which a worker with little work leaves a thief to another worker with more.
constexpr double politeness_us = 200;
/// A busy worker looks after an eighth of the time since the last message, but not sooner than this, nor later than
/// after `team_call::most_look_gap_us`: messages come in bursts.
constexpr double least_look_gap_us = 30;
/// Time after which a rank that has found no work for a random thief refuses it.
constexpr double patience_us = 500;
/// Time for which a worker has to be without work before its rank asks others, while the rank has some.
constexpr double hunger_us = 50;
constexpr double least_wave_gap_us = 100;
constexpr double request_gap_us = 50;

payload bytes_of(const std::string& text) {
  payload bytes;
  writer{bytes}.write(text.data(), text.size());
  return bytes;
}

}  // namespace

// --- work ------------------------------------------------------------------------------------------------------------

running_call::running_call(team_state& team, team_call& call)
    : team_{team},
      call_{call},
      balancer_{
          {team.rank, team.size, team.options.random_tries, team.options.radix, team.options.seed}, team.call, *this},
      before_{team.totals},
      began_{base::now()},
      last_message_{began_} {
  queue_.push_back({.what = work::kind::own});
  active_.store(1, base::relaxed);  // relaxed: no other thread knows the call
  progress::instance().add(*this);
}

/// Awaits the next work; empty if the call has ended.
class running_call::next_work {
 public:
  explicit next_work(running_call& of) noexcept : of_{of} {}
  bool await_ready() {
    const std::lock_guard guard{of_.lock_};
    return take();
  }
  void await_suspend(resumption r) {
    {
      const std::lock_guard guard{of_.lock_};
      if (!take()) {
        waiting_ = r;
        of_.waiting_ = this;
        return;
      }
    }
    r.resume();
  }
  std::optional<work> await_resume() noexcept { return std::move(taken_); }

  /// The task waits, and gets this work; if there is none, the call has ended. Afterwards the object may be gone.
  void resume_with(std::optional<work>&& w) {
    taken_ = std::move(w);
    waiting_->resume();
  }

 private:
  bool take() {
    if (of_.queue_.empty()) return of_.has_ended_;
    taken_ = std::move(of_.queue_.front());
    of_.queue_.pop_front();
    return true;
  }

  running_call& of_;
  std::optional<work> taken_;
  std::optional<resumption> waiting_;
};

task<void> running_call::run_all() {
  // While the worker runs work, an idle worker may take the rest of this task, and so the next work.
  while (std::optional<work> w = co_await next_work{*this}) {
    co_await fork([](running_call& self, work mine) -> task<void> { return self.run_one(std::move(mine)); }, *this,
                  std::move(*w));
  }
  co_await join;
}

task<void> running_call::run_one(work w) {
  run(w);
  co_return;
}

void running_call::run(work& w) noexcept {
  if (w.what == work::kind::results) return combine(w.results);
  try {
    if (call_.is_stopping()) {
      // dropped
    } else if (w.what == work::kind::own) {
      call_.run_own();
    } else {
      reader from{w.bytes};
      call_.run(from);
    }
  } catch (...) {
    fail(description_of_exception());
  }
  active_.fetch_sub(1, base::release);  // pairs with the load in is_passive
}

/// Combines the results of the subtree, unless the call has failed. The functions of the program run on a strand, where
/// they may fork.
void running_call::combine(const std::vector<payload>& results) noexcept {
  std::pair<payload, bool> combined;
  try {
    for (const payload& p : results) {
      reader part{p};
      call_.merge(part);
    }
    writer to{combined.first};
    call_.write_result(to);
    post::check_length(combined.first);
  } catch (...) {
    combined = {with_rank(description_of_exception()), true};
  }
  {
    const std::lock_guard guard{lock_};
    combined_ = std::move(combined);
  }
  progress::instance().request_look_of_owner();
}

payload running_call::description_of_exception() noexcept {
  std::string text;
  try {
    throw;
  } catch (const std::exception& e) {
    text = e.what();
  } catch (...) {
    text = "an exception that is no std::exception";
  }
  return bytes_of(text);
}

payload running_call::with_rank(payload&& description) const {
  payload whole = bytes_of(std::to_string(team_.rank) + " ");
  whole.insert(whole.end(), description.begin(), description.end());
  return whole;
}

/// Any thread. The rank is not passive until the failure is reported.
void running_call::fail(payload&& description) noexcept {
  call_.stop();
  active_.fetch_add(1, base::relaxed);  // relaxed: the rank is not passive now
  {
    const std::lock_guard guard{lock_};
    failures_.push_back(std::move(description));
  }
  progress::instance().request_look_of_owner();
}

void running_call::add_work(work&& w) {
  next_work* waiter = nullptr;
  {
    const std::lock_guard guard{lock_};
    waiter = std::exchange(waiting_, nullptr);
    if (waiter == nullptr) {
      queue_.push_back(std::move(w));
      return;
    }
  }
  waiter->resume_with(std::move(w));
}

void running_call::drop_work() noexcept {
  const std::lock_guard guard{lock_};
  active_.fetch_sub(static_cast<int>(queue_.size()), base::relaxed);  // relaxed: as in receive
  queue_.clear();
}

// --- looking ---------------------------------------------------------------------------------------------------------

void running_call::look(bool may_call, moment when) noexcept {
  try {
    note_idle(when);
    if (taker_count_.load(base::relaxed) != 0) offer();  // relaxed: a glance
    if (may_call) exchange();
  } catch (...) {
    fail(description_of_exception());
  }
}

void running_call::note_idle(moment when) noexcept {
  const worker_ref me = this_worker();
  if (!me || me.index() >= call_.slots()) return;
  base::atomic<base::ticks>& since = call_.idle_since(me.index());
  // relaxed, here and below: an estimate
  call_.gift_depth(me.index()).store(when == moment::busy ? call_.depth_of_gift() : team_call::no_gift, base::relaxed);
  if (when == moment::busy) {
    since.store(0, base::relaxed);
  } else if (since.load(base::relaxed) == 0) {
    since.store(base::now(), base::relaxed);
  }
}

/// Gives work of this worker to a rank that waits for some. Returns true if it had some.
bool running_call::offer() {
  std::optional<waiting_taker> t;
  {
    const std::lock_guard guard{lock_};
    if (takers_.empty()) return false;
    t = takers_.front();
    takers_.pop_front();
    taker_count_.fetch_sub(1, base::relaxed);
    active_.fetch_add(1, base::relaxed);  // relaxed: a worker that has work to give is active already
  }
  const auto put_back = [&] {
    const std::lock_guard guard{lock_};
    takers_.push_front(*t);
    taker_count_.fetch_add(1, base::relaxed);
    active_.fetch_sub(1, base::release);  // pairs with the load in is_passive
  };
  bool has_given = false;
  try {
    has_given = !call_.is_stopping() && give_to(*t);
  } catch (...) {  // of a codec of the program
    put_back();
    throw;
  }
  if (!has_given) put_back();
  return has_given;
}

/// Returns true if no other worker seems to have more work to give than this one.
bool running_call::has_largest_gift() noexcept {
  const unsigned me = this_worker().index();
  if (me >= call_.slots()) return true;
  const unsigned mine = call_.depth_of_gift();
  for (unsigned i = 0; i < call_.slots(); ++i) {
    if (i != me && call_.gift_depth(i).load(base::relaxed) < mine) return false;  // relaxed: an estimate
  }
  return true;
}

bool running_call::give_to(waiting_taker& t) {
  payload bytes;
  std::size_t n = 0;
  {
    // work that no worker has begun travels as it came
    const std::lock_guard guard{lock_};
    if (!queue_.empty() && queue_.back().what == work::kind::given) {
      bytes = std::move(queue_.back().bytes);
      queue_.pop_back();
      active_.fetch_sub(1, base::relaxed);  // relaxed: the taker counts
      n = 1;
    }
  }
  writer to{bytes};
  if (n == 0 && this_worker() && (has_largest_gift() || base::now() - t.since > base::to_ticks(politeness_us)))
    n = call_.give(to);
  if (n == 0) return false;
  {
    const std::lock_guard guard{lock_};
    given_ += n;
    gifts_.emplace_back(t.who, std::move(bytes));
  }
  if (!progress::instance().may_call()) progress::instance().request_look_of_owner();
  return true;
}

/// The part of a look that calls MPI.
void running_call::exchange() {
  receive_all();
  report_failures();
  send_gifts();
  serve_takers();
  seek_and_count();
  end_if_all_has_ended();
}

void running_call::receive_all() {
  const base::ticks now = base::now();
  while (!team_.early.empty() && team_.early.front().second.call <= team_.call) {
    auto [from, m] = std::move(team_.early.front());
    team_.early.pop_front();
    receive(from, std::move(m));
  }
  team_.mail.look();
  int from = 0;
  for (message m; team_.mail.take(from, m); last_message_ = now) receive(from, std::move(m));
  const base::ticks quiet = now - last_message_;
  call_.set_look_gap(
      std::clamp(quiet / 8, base::to_ticks(least_look_gap_us), base::to_ticks(team_call::most_look_gap_us)));
}

void running_call::receive(int from, message&& m) {
  if (m.call > team_.call || balancer_.has_ended()) {
    if (m.call > team_.call) team_.early.emplace_back(from, std::move(m));
    return;
  }
  if (m.call < team_.call) return;  // of a call that has ended: a request, or the answer to one
  const bool is_work = m.what == message::kind::work;
  if (m.what == message::kind::refusal) ++team_.totals.refusals;
  if (is_work) ++team_.totals.steals;
  payload bytes = balancer_.receive(from, std::move(m), is_passive());
  if (!bytes.empty()) {
    active_.fetch_add(1, base::relaxed);  // relaxed: this thread reports the state
    add_work({.bytes = std::move(bytes)});
  }
  if (balancer_.is_stopping() && !call_.is_stopping()) call_.stop();
}

void running_call::report_failures() {
  std::vector<payload> some;
  {
    const std::lock_guard guard{lock_};
    some.swap(failures_);
  }
  for (payload& p : some) {
    balancer_.fail(with_rank(std::move(p)));
    active_.fetch_sub(1, base::relaxed);  // relaxed: this thread reports the state
  }
  if (call_.is_stopping()) drop_work();
}

void running_call::send_gifts() {
  std::vector<std::pair<balancer::taker, payload>> some;
  {
    const std::lock_guard guard{lock_};
    some.swap(gifts_);
  }
  for (auto& [to, bytes] : some) {
    try {
      balancer_.give(to, std::move(bytes));
    } catch (...) {  // the work is too long for MPI
      fail(description_of_exception());
    }
    active_.fetch_sub(1, base::relaxed);  // relaxed: as above
  }
}

void running_call::serve_takers() {
  const base::ticks now = base::now();
  while (balancer_.has_taker()) {
    const std::lock_guard guard{lock_};
    takers_.push_back({balancer_.next_taker(), now});
    taker_count_.fetch_add(1, base::relaxed);  // relaxed: a glance follows
  }
  if (taker_count_.load(base::relaxed) == 0) return;
  while (offer()) {
  }
  send_gifts();
  request_looks();
  // The only worker of the rank has just looked; others have some time.
  const base::ticks patience = team_.in.pool().workers() == 1 || is_passive() ? 0 : base::to_ticks(patience_us);
  const std::lock_guard guard{lock_};
  const auto is_refused = [&](const waiting_taker& t) { return !t.who.by_lifeline && now - t.since >= patience; };
  for (const waiting_taker& t : takers_) {
    if (is_refused(t)) balancer_.refuse(t.who);
  }
  std::erase_if(takers_, is_refused);
  taker_count_.store(static_cast<int>(takers_.size()), base::relaxed);  // relaxed: as above
}

/// Has the other workers look that have work. Each of them gives some if it can.
void running_call::request_looks() noexcept {
  if (taker_count_.load(base::relaxed) == 0 || team_.in.pool().workers() == 1 || is_passive())
    return;  // relaxed: as above
  const base::ticks now = base::now();
  if (now < next_request_) return;
  next_request_ = now + base::to_ticks(request_gap_us);
  sched::request_looks(team_.in.pool());
}

/// Returns true if a worker of this rank has no work, and finds none here.
bool running_call::is_hungry() noexcept {
  if (is_passive()) return true;
  const base::ticks now = base::now();
  for (unsigned i = 0; i < call_.slots(); ++i) {
    const base::ticks since = call_.idle_since(i).load(base::relaxed);  // relaxed: an estimate
    if (since != 0 && now > since && now - since > base::to_ticks(hunger_us)) return true;
  }
  return false;
}

void running_call::add_idle(base::ticks begin, base::ticks end) {
  idle_ += end - begin;
  job_record::instance().add_idle(begin, end);
}

void running_call::seek_and_count() {
  const base::ticks now = base::now();
  if (is_passive()) {
    if (passive_since_ == 0) passive_since_ = now;
  } else if (passive_since_ != 0) {
    add_idle(std::exchange(passive_since_, 0), now);
  }
  if (is_hungry()) balancer_.seek();
  if (was_counting_ && !balancer_.is_counting()) {
    // The next wave comes after a pause as long as this one, so that waves take no more than half of the time.
    next_wave_ = now + std::max(now - wave_began_, base::to_ticks(least_wave_gap_us));
  }
  was_counting_ = balancer_.is_counting();
  if (was_counting_ || !is_passive() || (now < next_wave_ && team_.size > 1)) return;
  wave_began_ = now;
  balancer_.count(true);
  was_counting_ = balancer_.is_counting();
}

void running_call::end_if_all_has_ended() {
  if (balancer_.wants_result() && !is_combining_) {
    is_combining_ = true;
    if (balancer_.is_stopping()) {
      combined_.emplace();  // no strand adds or combines any more
    } else {
      add_work({.what = work::kind::results, .results = balancer_.take_results()});
    }
  }
  if (is_combining_ && balancer_.wants_result()) {
    const std::lock_guard guard{lock_};
    if (combined_) balancer_.offer_result(std::move(combined_->first), combined_->second);
  }
  if (!balancer_.has_ended()) return;
  next_work* waiter = nullptr;
  {
    const std::lock_guard guard{lock_};
    if (has_ended_) return;
    has_ended_ = true;
    const base::ticks now = base::now();
    if (passive_since_ != 0) add_idle(passive_since_, now);
    team_counters& t = team_.totals;
    t.messages_sent = team_.mail.messages();
    t.bytes_sent = team_.mail.bytes();
    t.requests += balancer_.requests();
    t.lifelines += balancer_.registrations();
    t.given += given_;
    t.waves += balancer_.waves();
    t.idle_ns += base::to_nanoseconds(idle_);
    t.call_ns += base::to_nanoseconds(now - began_);
    job_record::instance().add_call(before_, t);
    waiter = std::exchange(waiting_, nullptr);
  }
  if (waiter != nullptr) waiter->resume_with(std::nullopt);
}

}  // namespace tine::mpi::detail
