// Reads the topology of this machine when the first pool starts, on any thread. Most machines have one NUMA node, and
// there a handful of Linux's files in /sys tell all that we need. hwloc loads plugins and reads many more files. We ask
// it about other machines, about files that we don't understand, and if one of its variables is set.
//
// Here a processor is a place in the list of allowed processors. The system's numbers are only in paths and files.
#include "base/file_text.hpp"
#include "sched/topology.hpp"
#include "sched/topology_builder.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace tine::sched {

namespace {

/// Divides the processors among the packages, say: `p[i]` is the first processor of the package that processor i is in.
/// Empty: the system doesn't tell.
using partition = std::vector<std::size_t>;

std::size_t parts_of(const partition& p) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < p.size(); ++i) count += p[i] == i;
  return count;
}

std::vector<std::size_t> sizes_of(const partition& p) {
  std::vector<std::size_t> sizes(p.size());
  for (const std::size_t first : p) ++sizes[first];
  return sizes;
}

bool have_a_part_in_common(const partition& a, const partition& b) {
  const std::vector<std::size_t> in_a = sizes_of(a), in_b = sizes_of(b);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (in_a[i] != 0 && in_a[i] == in_b[i]) return true;  // in nested partitions
  }
  return false;
}

/// Returns true if each part of `inner` lies in one part of `outer`.
bool are_nested(const partition& outer, const partition& inner) {
  for (std::size_t i = 0; i < outer.size(); ++i) {
    if (outer[i] != outer[inner[i]]) return false;
  }
  return true;
}

/// The numbers that Linux states about the speed of a core; 0: it states none.
struct core_kind {
  unsigned capacity = 0;
  unsigned base = 0;  ///< frequencies, in MHz
  unsigned max = 0;

  bool operator<(const core_kind& other) const noexcept {
    return std::tie(capacity, base, max) < std::tie(other.capacity, other.base, other.max);
  }
};

/// Calls `take(low, high)` for each range in a list such as "0-3,8,10-11". Returns false if it isn't one.
template <class Take>
bool for_ranges(std::string_view list, Take take) {
  const char* at = list.data();
  const char* const end = at + list.size();
  for (;;) {
    int low = -1;
    auto read = std::from_chars(at, end, low);
    int high = low;
    if (read.ec == std::errc{} && read.ptr != end && *read.ptr == '-') {
      read = std::from_chars(read.ptr + 1, end, high);
    }
    if (read.ec != std::errc{} || low < 0 || high < low) return false;
    take(low, high);
    if (read.ptr == end || *read.ptr == '\n') return true;
    if (*read.ptr != ',') return false;
    at = read.ptr + 1;
  }
}

class machine_files {
 public:
  machine_files(const std::vector<int>& allowed, const std::string& root)
      : allowed_{allowed},
        devices_{root + "/sys/devices/"},
        path_{devices_ + "system/cpu/cpu"},
        path_begin_{path_.size()} {}

  std::optional<topology> read() {
    if (allowed_.empty() || has_more_nodes() || !find_levels() || !find_speeds()) return std::nullopt;
    return built();
  }

 private:
  bool has_more_nodes() const {
    // A kernel without NUMA has no such file.
    const std::optional<std::string> nodes = base::file_text(devices_ + "system/node/online");
    return nodes && *nodes != "0\n";
  }

  const std::string& path_of(std::size_t processor, std::string_view name) {
    path_.resize(path_begin_);
    return path_.append(std::to_string(allowed_[processor])).append(name);
  }

  std::optional<std::string> file_of(std::size_t processor, std::string_view name) {
    return base::file_text(path_of(processor, name));
  }

  /// Reads the file of each processor that lists those with which it shares something. Leaves out the files of
  /// processors that an earlier list has named. Returns nothing if lists contradict each other.
  std::optional<partition> divided_by(std::string_view name) {
    constexpr std::size_t unknown = ~std::size_t{0};
    partition first(allowed_.size(), unknown);
    for (std::size_t i = 0; i < first.size(); ++i) {
      if (first[i] != unknown) continue;
      const std::optional<std::string> list = file_of(i, name);
      if (!list && i == 0) return partition{};
      if (!list) return std::nullopt;
      bool is_new = true;
      const auto take = [&](int low, int high) {
        const auto begin = std::lower_bound(allowed_.begin(), allowed_.end(), low);
        for (auto a = begin; a != allowed_.end() && *a <= high; ++a) {
          std::size_t& f = first[static_cast<std::size_t>(a - allowed_.begin())];
          is_new = is_new && f == unknown;
          f = i;
        }
      };
      if (!for_ranges(*list, take) || !is_new || first[i] != i) return std::nullopt;
    }
    return first;
  }

  /// Reads files that have had another name before Linux 5.3.
  std::optional<partition> divided_by(std::string_view name, std::string_view old_name) {
    std::optional<partition> p = divided_by(name);
    return p && p->empty() ? divided_by(old_name) : p;
  }

  /// Fills `levels_`. Each level divides the processors of the one before. A level that divides nothing is left out,
  /// because it would lengthen every path. Returns false if the levels are not nested.
  bool find_levels() {
    const std::optional<partition> cores = divided_by("/topology/core_cpus_list", "/topology/thread_siblings_list");
    const std::optional<partition> packages = divided_by("/topology/package_cpus_list", "/topology/core_siblings_list");
    if (!cores || !packages || cores->empty() || packages->empty() || has_compute_units(*cores)) return false;
    levels_ = {partition(allowed_.size(), 0), *cores, *packages};
    if (!find_caches(*cores)) return false;
    for (const std::string_view name : {"/topology/die_cpus_list", "/topology/cluster_cpus_list"}) {
      const std::optional<partition> p = divided_by(name);
      if (!p || !add_group(*p)) return false;
    }
    const auto has_fewer = [](const partition& a, const partition& b) { return parts_of(a) < parts_of(b); };
    std::sort(levels_.begin(), levels_.end(), has_fewer);
    levels_.erase(std::unique(levels_.begin(), levels_.end()), levels_.end());
    if (levels_.back() != *cores) return false;
    for (std::size_t i = 1; i < levels_.size(); ++i) {
      if (!are_nested(levels_[i - 1], levels_[i])) return false;
    }
    return true;
  }

  /// The threads of a compute unit, of AMD's family 15h, have cores of their own and share only the unit.
  bool has_compute_units(const partition& cores) {
    for (std::size_t i = 0; i < cores.size(); ++i) {
      if (cores[i] != i) return file_of(i, "/topology/core_id") != file_of(cores[i], "/topology/core_id");
    }
    return false;
  }

  bool find_caches(const partition& cores) {
    const auto name_of = [](char index) { return std::string{"/cache/index"} + index + "/shared_cpu_list"; };
    char end = '0';
    while (end <= '9' && access(path_of(0, name_of(end)).c_str(), F_OK) == 0) ++end;
    // From the outermost in. Caches inside of a cache that one core has for itself are the core's, too.
    for (char index = end; index-- > '0';) {
      std::optional<partition> p = divided_by(name_of(index));
      if (!p || p->empty()) return false;
      if (*p == cores) return true;
      levels_.push_back(std::move(*p));
    }
    return true;
  }

  /// Adds the level of dies or clusters. Systems that don't have them call a package or a core one. Returns false if
  /// this holds for some of them only: hwloc then leaves out those.
  bool add_group(const partition& p) {
    if (p.empty() || std::find(levels_.begin(), levels_.end(), p) != levels_.end()) return true;
    for (const partition& level : levels_) {
      if (have_a_part_in_common(level, p)) return false;
    }
    levels_.push_back(p);
    return true;
  }

  /// Reads a number of each core into that member of its kind, in units of `unit`. Returns false if some cores state it
  /// and others don't.
  bool read_numbers(std::string_view name, unsigned unit, unsigned core_kind::* member) {
    const partition& cores = levels_.back();
    for (std::size_t i = 0; i < cores.size(); ++i) {
      unsigned number = kind_[cores[i]].*member;
      if (cores[i] == i) {
        const std::optional<std::string> text = file_of(i, name);
        if (!text && i == 0) return true;
        if (!text || std::from_chars(text->data(), text->data() + text->size(), number).ec != std::errc{} ||
            number < unit) {
          return false;
        }
        number /= unit;
      }
      kind_[i].*member = number;
    }
    return true;
  }

  /// Fills `speed_`, in the way of hwloc.
  bool find_speeds() {
    kind_.resize(allowed_.size());
    if (!read_numbers("/cpu_capacity", 1, &core_kind::capacity) ||
        !read_numbers("/cpufreq/cpuinfo_max_freq", 1000, &core_kind::max) ||
        !read_numbers("/cpufreq/base_frequency", 1000, &core_kind::base)) {
      return false;
    }
    if (kind_[0].base != 0) level_favoured_cores();
    std::vector<core_kind> kinds = kind_;
    std::sort(kinds.begin(), kinds.end());
    const auto is_same = [](const core_kind& a, const core_kind& b) { return !(a < b); };
    kinds.erase(std::unique(kinds.begin(), kinds.end(), is_same), kinds.end());
    speed_.assign(allowed_.size(), 0);
    // Newer versions of hwloc know by these folders which cores are slower.
    if (kinds.size() == 1) return access((devices_ + "cpu_atom").c_str(), F_OK) != 0;
    if (!is_order(kinds, &core_kind::capacity)) {
      const auto frequency = kinds[0].base != 0 ? &core_kind::base : &core_kind::max;
      std::sort(kinds.begin(), kinds.end(), [=](const auto& a, const auto& b) { return a.*frequency < b.*frequency; });
      if (!is_order(kinds, frequency)) return true;  // hwloc cannot say either which are faster
    }
    std::vector<double> stated;
    for (const core_kind& k : kinds) stated.push_back(k.capacity != 0 ? k.capacity : k.max);
    const std::vector<int> speeds = topology_builder::speeds(stated);
    for (std::size_t i = 0; i < speed_.size(); ++i) {
      const auto same = [&](const core_kind& k) { return !(k < kind_[i]) && !(kind_[i] < k); };
      const auto kind = std::find_if(kinds.begin(), kinds.end(), same);
      speed_[i] = speeds[static_cast<std::size_t>(kind - kinds.begin())];
    }
    return true;
  }

  static bool is_order(const std::vector<core_kind>& kinds, unsigned core_kind::* member) {
    const auto is_not_less = [=](const core_kind& a, const core_kind& b) { return a.*member >= b.*member; };
    return std::adjacent_find(kinds.begin(), kinds.end(), is_not_less) == kinds.end();
  }

  /// Cores with the same base frequency whose maximum differs by less than a tenth are alike.
  void level_favoured_cores() {
    std::map<unsigned, std::pair<unsigned, unsigned>> range;
    for (const core_kind& k : kind_) {
      const auto [at, is_new] = range.try_emplace(k.base, k.max, k.max);
      at->second = {std::min(at->second.first, k.max), std::max(at->second.second, k.max)};
    }
    for (core_kind& k : kind_) {
      const auto [least, most] = range.at(k.base);
      if (10 * (most - least) < least) k.max = least;
    }
  }

  topology built() {
    std::vector<std::size_t> order(allowed_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
      for (const partition& level : levels_) {
        if (level[a] != level[b]) return level[a] < level[b];
      }
      return a < b;
    });
    topology_builder result;
    std::vector<std::size_t> part(levels_.size(), allowed_.size());  // of the processor before, at each level
    std::vector<int> resource(levels_.size());
    for (const std::size_t i : order) {
      for (std::size_t l = 0; l < levels_.size(); ++l) {
        if (part[l] == levels_[l][i]) continue;
        part[l] = levels_[l][i];
        resource[l] = result.add_resource(l == 0 ? -1 : resource[l - 1]);
      }
      result.add({allowed_[i], 0, resource.back()}, speed_[i]);
    }
    return std::move(result).finished(1);
  }

  const std::vector<int>& allowed_;
  const std::string devices_;
  std::string path_;  // "…/cpu", and behind it the number of a processor and the name of a file
  const std::size_t path_begin_;
  std::vector<partition> levels_;  // from the machine in to the cores
  std::vector<core_kind> kind_;    // of each processor; 0: not stated
  std::vector<int> speed_;         // of each processor
};

/// Returns true if the user has set one of hwloc's variables: it may describe another machine.
bool has_hwloc_variable() noexcept {
  for (char** v = environ; v != nullptr && *v != nullptr; ++v) {
    if (std::strncmp(*v, "HWLOC_", 6) == 0) return true;
  }
  return false;
}

}  // namespace

/// Never destroyed: a worker's thread may start while the process ends.
const topology& topology::of_machine() {
  static const topology& machine = *new topology{load()};
  return machine;
}

topology topology::load() {
  const std::vector<int> allowed = processors_of_this_thread();
#if defined(__x86_64__) || defined(__aarch64__)  // others have files of their own, such as those of s390's drawers
  if (!has_hwloc_variable()) {
    if (std::optional<topology> machine = of_one_node(allowed)) return *std::move(machine);
  }
#endif
  return by_hwloc(allowed);
}

std::optional<topology> topology::of_one_node(const std::vector<int>& allowed, const std::string& root) {
  return machine_files{allowed, root}.read();
}

}  // namespace tine::sched
