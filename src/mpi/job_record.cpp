// Sums up the work of the teams of this process. Thread-safe.
#include "mpi/job_record.hpp"

#include <mutex>

namespace tine::mpi::detail {

job_record& job_record::instance() {
  static job_record& record = *new job_record;
  return record;
}

void job_record::begin(int rank, int ranks) {
  {
    const std::lock_guard guard{lock_};
    part_.rank = static_cast<std::uint32_t>(rank);
    part_.ranks = static_cast<std::uint32_t>(ranks);
  }
  sched::describe_job_part([] { return instance().part(); });
}

void job_record::add_call(const team_counters& before, const team_counters& after) {
  const std::lock_guard guard{lock_};
  part_.call_ns += after.call_ns - before.call_ns;
  part_.idle_ns += after.idle_ns - before.idle_ns;
  part_.steals += after.steals - before.steals;
  part_.requests += after.requests - before.requests + after.lifelines - before.lifelines;
  part_.given += after.given - before.given;
  part_.messages += after.messages_sent - before.messages_sent;
  part_.bytes += after.bytes_sent - before.bytes_sent;
}

void job_record::add_idle(base::ticks begin, base::ticks end) {
  const std::lock_guard guard{lock_};
  idle_.add(begin, end);
}

sched::job_part job_record::part() {
  const std::lock_guard guard{lock_};
  sched::job_part all = part_;
  all.idle = idle_.all();
  return all;
}

}  // namespace tine::mpi::detail
