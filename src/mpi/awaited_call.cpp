// How a strand waits for calls of MPI, and how the wait ends. The strand starts the wait; a thread that may call MPI
// ends it.
#include <tine/detail/mpi/awaited_call.hpp>

#include "mpi/description.hpp"
#include "mpi/progress.hpp"

#include <tine/managed/isolate.hpp>
#include <tine/mpi/error.hpp>

#include <unistd.h>
#include <stdexcept>
#include <string>

namespace tine::mpi::detail {
namespace {

constexpr unsigned call_has_ended = 1;
constexpr unsigned task_waits = 2;

}  // namespace

bool may_suspend() noexcept { return this_worker() && !is_sequential() && !is_isolated(); }

bool awaited_call::begin() {
  progress& p = progress::instance();
  if (!p.has_begun()) throw std::logic_error{std::string{name_} + ": make a tine::mpi::environment first"};
  if (p.may_call() && p.start_here(*this)) {
    facts_.store(call_has_ended, base::relaxed);  // relaxed: no other thread knows the call
    return true;
  }
  p.add(*this);
  return false;
}

void awaited_call::wait(resumption r) noexcept {
  who_ = r;
  // pairs with the exchange in end: the second of the two sees what the first has written
  if ((facts_.fetch_or(task_waits, base::acq_rel) & call_has_ended) != 0) r.resume();
}

void awaited_call::end() noexcept {
  // pairs with the exchange in wait, and with the load in block
  if ((facts_.fetch_or(call_has_ended, base::acq_rel) & task_waits) != 0) who_->resume();
}

void awaited_call::block() {
  if (begin()) return;
  progress& p = progress::instance();
  // pairs with the exchange in end
  while ((facts_.load(base::acquire) & call_has_ended) == 0) {
    if (p.may_call()) {
      p.look(sched::event_source::moment::idle);
      sched_yield();
    } else {
      usleep(50);
    }
  }
}

void awaited_call::check() const {
  if (error_ != MPI_SUCCESS) throw error{std::string{"tine::mpi: "} + name_ + " failed: " + description_of(error_)};
}

}  // namespace tine::mpi::detail
