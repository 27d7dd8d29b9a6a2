// Holds the function that describes this process in its job. Any thread may set and read it.
#include <tine/sched/job_part.hpp>

#include <tine/detail/base/atomic.hpp>

namespace tine::sched {
namespace {

base::atomic<job_part (*)()> description{nullptr};

}  // namespace

void describe_job_part(job_part (*describe)()) noexcept {
  // pairs with the load below, so that the function sees what its library has prepared
  description.store(describe, base::release);
}

auto description_of_job_part() noexcept -> job_part (*)() {
  return description.load(base::acquire);  // pairs with the store above
}

}  // namespace tine::sched
