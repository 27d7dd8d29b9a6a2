// Turns the description of the job's part into rows of the profile. Called under the profiler's lock.
#include "augment/add_job_part.hpp"

#include <tine/sched/job_part.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace tine::detail {

void add_job_part(trace::profile& p, base::ticks began) {
  const auto describe = sched::description_of_job_part();
  if (describe == nullptr) return;
  const auto since_start = [&](base::ticks t) { return base::to_nanoseconds(t - began); };
  const sched::job_part all = describe();
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  p.rank.push_back(
      {.rank = all.rank,
       .ranks = all.ranks,
       .started = static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()) -
                  since_start(base::now()),
       .in_calls = all.call_ns,
       .without_work = all.idle_ns,
       .steals = all.steals,
       .requests = all.requests,
       .given = all.given,
       .messages = all.messages,
       .bytes = all.bytes});
  for (const sched::idle_period& row : all.idle) {
    const std::uint64_t begin = since_start(row.begin), end = since_start(row.end);
    const std::uint64_t without_work = std::min(base::to_nanoseconds(row.without_work), end - begin);
    p.idle_periods.push_back({begin, end - begin, without_work});
  }
}

}  // namespace tine::detail
