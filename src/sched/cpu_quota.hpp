// The processor time that control groups grant this process, for the default number of workers.
#pragma once

#include <optional>
#include <string>

namespace tine::sched {

/// The smallest quota among the control groups that a process is in.
struct cpu_quota {
  double processors;   ///< quota divided by period: above 0
  std::string source;  ///< the file and its content, for people: "/sys/fs/cgroup/app/cpu.max 150000/100000"
};

/// Returns true if the quota grants less time than that of so many processors.
inline bool limits(const std::optional<cpu_quota>& q, unsigned processors) noexcept {
  return q && q->processors < processors;
}

/// Returns the quota of this process, by the files below `root`, which tests give. Looks at every group from that of
/// the process up to the one that is mounted, for both versions of control groups. Returns no quota where there is
/// none, or where none can be read. Takes a few dozen microseconds; thread-safe.
std::optional<cpu_quota> find_cpu_quota(const std::string& root = "");

}  // namespace tine::sched
