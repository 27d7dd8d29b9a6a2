// Testing the requests for which strands wait, and calling the teams.
#include "mpi/progress.hpp"

#include <sched.h>
#include <algorithm>
#include <functional>
#include <mutex>
#include <span>
#include <stdexcept>

namespace tine::mpi::detail {

progress& progress::instance() noexcept {
  static progress* const only = new progress;
  return *only;
}

void progress::begin(threads allowed, pool& p) {
  if (pool_ != nullptr)
    throw std::logic_error{"tine::mpi::environment: there is one already; a process has one at a time"};
  allowed_ = allowed;
  owner_ = pthread_self();
  p.attach(*this);
  pool_ = &p;
}

bool progress::is_open() const noexcept {
  if (!may_call()) return false;
  note_home();
  // pairs with the additions in add, as include/tine/sched/event_source.hpp wants it
  return open_.load(base::seq_cst) != 0;
}

void progress::look(moment when) noexcept {
  if (open_.load(base::relaxed) == 0) return;  // relaxed: a glance
  const std::unique_lock guard =
      may_call() ? std::unique_lock{lock_, std::try_to_lock} : std::unique_lock<base::mutex>{};
  if (guard.owns_lock()) {
    note_home();
    admit_incoming();
    test_some();
    test_any();
  }
  let_correspondents_look(guard.owns_lock(), when);
}

// --- calls -----------------------------------------------------------------------------------------------------------

bool progress::start_here(awaited_call& c) noexcept {
  c.has_begun_ = true;
  set_current_call(c.name_);
  c.error_ = c.start();
  const bool has_ended = c.error_ != MPI_SUCCESS || test_whole(c);
  set_current_call(nullptr);
  return has_ended;
}

/// Tests all requests of a call together. Returns true if the wait has ended.
bool progress::test_whole(awaited_call& c) noexcept {
  const int n = static_cast<int>(c.count_);
  int ended = 0;
  if (c.how_ == awaited_call::until::all) {
    c.error_ = MPI_Testall(n, c.requests_, &ended, c.statuses_);
    for (std::size_t i = 0; i < c.count_ && c.error_ == MPI_ERR_IN_STATUS; ++i) {
      const int error = c.statuses_[i].MPI_ERROR;
      if (error != MPI_SUCCESS && error != MPI_ERR_PENDING) c.error_ = error;
    }
  } else {
    int index = MPI_UNDEFINED;
    c.error_ = MPI_Testany(n, c.requests_, &index, &ended, c.statuses_);
    c.first_ended_ = index == MPI_UNDEFINED ? c.count_ : static_cast<std::size_t>(index);
  }
  return ended != 0 || c.error_ != MPI_SUCCESS;
}

void progress::add(awaited_call& c) {
  {
    const std::lock_guard guard{incoming_lock_};
    incoming_.push_back(&c);
    // relaxed, here and below: the lock publishes the call
    has_incoming_.store(true, base::relaxed);
  }
  open_.fetch_add(1, base::seq_cst);  // pairs with the load in is_open
  if (!may_call() || allowed_ == threads::multiple) request_look_of_owner();
}

void progress::admit_incoming() {
  if (!has_incoming_.load(base::relaxed)) return;
  std::vector<awaited_call*> some;
  {
    const std::lock_guard guard{incoming_lock_};
    some.swap(incoming_);
    has_incoming_.store(false, base::relaxed);
  }
  for (awaited_call* c : some) {
    if (!c->has_begun_ && start_here(*c)) {
      end_wait(*c);
    } else {
      admit(*c);
    }
  }
}

void progress::admit(awaited_call& c) {
  // MPI_Testsome frees each request that has ended, and only one of these may end
  if (c.how_ == awaited_call::until::one) return any_calls_.push_back(&c);
  for (std::size_t i = 0; i < c.count_; ++i) {
    if (c.requests_[i] == MPI_REQUEST_NULL) continue;
    ++c.missing_;
    requests_.push_back(c.requests_[i]);
    entries_.push_back({&c, i});
  }
  if (c.missing_ == 0) end_wait(c);
}

void progress::test_any() {
  for (std::size_t i = any_calls_.size(); i-- > 0;) {
    awaited_call& c = *any_calls_[i];
    if (!test_whole(c)) continue;
    any_calls_.erase(any_calls_.begin() + static_cast<std::ptrdiff_t>(i));
    end_wait(c);
  }
}

void progress::test_some() {
  if (requests_.empty()) return;
  ended_.resize(requests_.size());
  statuses_.resize(requests_.size());
  int n = 0;
  set_current_call("MPI_Testsome");
  const int error =
      MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &n, ended_.data(), statuses_.data());
  set_current_call(nullptr);
  if (n == MPI_UNDEFINED || n <= 0) return;
  const std::span<int> ended{ended_.data(), static_cast<std::size_t>(n)};
  for (std::size_t k = 0; k < ended.size(); ++k) {
    end_request(static_cast<std::size_t>(ended[k]), error == MPI_ERR_IN_STATUS ? statuses_[k].MPI_ERROR : error,
                statuses_[k]);
  }
  // The last entries are removed first, because each one that is removed gets the last one in its place.
  std::ranges::sort(ended, std::greater<>{});
  for (const int i : ended) remove_entry(static_cast<std::size_t>(i));
}

/// The request of an entry has ended.
void progress::end_request(std::size_t i, int error, const MPI_Status& s) noexcept {
  awaited_call& c = *entries_[i].of;
  const std::size_t index = entries_[i].index;
  c.requests_[index] = requests_[i];  // null, or inactive
  c.statuses_[index] = s;
  if (error != MPI_SUCCESS) c.error_ = error;
  if (--c.missing_ == 0) end_wait(c);
}

void progress::remove_entry(std::size_t i) noexcept {
  requests_[i] = requests_.back();
  entries_[i] = entries_.back();
  requests_.pop_back();
  entries_.pop_back();
}

/// Afterwards the call may be gone.
void progress::end_wait(awaited_call& c) noexcept {
  open_.fetch_sub(1, base::relaxed);  // relaxed: a look too many does no harm
  c.end();
}

// --- correspondents --------------------------------------------------------------------------------------------------

void progress::add(correspondent& c) {
  for (slot& s : slots_) {
    correspondent* none = nullptr;
    // release: pairs with the load in let_correspondents_look
    if (!s.who.compare_exchange_strong(none, &c, base::release, base::relaxed)) continue;
    correspondents_.fetch_add(1, base::relaxed);  // relaxed: a glance follows
    open_.fetch_add(1, base::seq_cst);            // pairs with the load in is_open
    request_look_of_owner();
    return;
  }
  throw std::length_error{"tine::mpi::team: a process may have 32 calls of teams at once, and there are more"};
}

void progress::remove(correspondent& c) noexcept {
  for (slot& s : slots_) {
    if (s.who.load(base::relaxed) != &c) continue;  // relaxed: it is stored by this strand
    open_.fetch_sub(1, base::relaxed);              // relaxed: as in end_wait
    correspondents_.fetch_sub(1, base::relaxed);
    // pairs with the addition and the load in let_correspondents_look: a thread that is not seen below does not see the
    // correspondent
    s.who.store(nullptr, base::seq_cst);
    while (s.users.load(base::seq_cst) != 0) sched_yield();
  }
}

void progress::let_correspondents_look(bool may_call, moment when) noexcept {
  if (correspondents_.load(base::relaxed) == 0) return;  // relaxed: a glance
  for (slot& s : slots_) {
    if (s.who.load(base::relaxed) == nullptr) continue;
    s.users.fetch_add(1, base::seq_cst);  // pairs with the store and the load in remove
    if (correspondent* const c = s.who.load(base::seq_cst)) c->look(may_call, when);
    s.users.fetch_sub(1, base::release);  // pairs with the load in remove: the correspondent may be gone then
  }
}

}  // namespace tine::mpi::detail
