// Reads hwloc's tree into plain vectors, orders processors, builds victim tables. Cold: pools call it when they start.
// The only file that includes hwloc.
#include "sched/topology.hpp"

#include <tine/detail/base/object_at.hpp>

#include <hwloc.h>
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace tine::sched {

namespace {

struct destroy {
  void operator()(hwloc_topology_t t) const noexcept { hwloc_topology_destroy(t); }
  void operator()(hwloc_bitmap_t b) const noexcept { hwloc_bitmap_free(b); }
  void operator()(cpu_set_t* s) const noexcept { CPU_FREE(s); }
};
using machine_pointer = std::unique_ptr<hwloc_topology, destroy>;
using bitmap_pointer = std::unique_ptr<hwloc_bitmap_s, destroy>;
using set_pointer = std::unique_ptr<cpu_set_t, destroy>;  // sized by hand: a plain cpu_set_t ends at 1024 processors

// Returns an hwloc object that is set up but not loaded.
machine_pointer fresh_machine() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) throw std::bad_alloc{};
  machine_pointer machine{raw};
  // Levels that divide nothing would lengthen every path, so that r of eq. 6 would count private caches instead of
  // shared resources. Cores are kept in any case, because they are the leaves.
  hwloc_topology_set_all_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_STRUCTURE);
  hwloc_topology_set_type_filter(raw, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL);
  // By default hwloc binds the calling thread to each processor in turn, to ask it for its kind; on Linux /sys has this
  // information already: capacities and frequencies. Distances between NUMA nodes are kept: hwloc groups them by
  // distance.
  hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING | HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS);
  return machine;
}

// Returns the processors that the calling thread may run on; null if the system does not tell. This asks the system and
// not hwloc, which tries for ever where a sandbox forbids the question.
bitmap_pointer affinity_of_this_thread() {
  for (std::size_t processors = CPU_SETSIZE; processors <= std::size_t{1} << 20; processors *= 2) {
    const std::size_t bytes = CPU_ALLOC_SIZE(processors);
    const set_pointer set{CPU_ALLOC(processors)};
    bitmap_pointer result{hwloc_bitmap_alloc()};
    if (!set || !result) throw std::bad_alloc{};
    if (sched_getaffinity(0, bytes, set.get()) == 0) {
      for (std::size_t i = 0; i < processors; ++i) {
        if (CPU_ISSET_S(i, bytes, set.get())) hwloc_bitmap_set(result.get(), static_cast<unsigned>(i));
      }
      return result;
    }
    if (errno != EINVAL) break;  // EINVAL: the system has more processors than that
  }
  return nullptr;
}

// Returns the processors of `machine` that this thread may be pinned to; null if `machine` is not this machine or
// nothing is known: then all of its processors are used, unpinned.
bitmap_pointer allowed_processors(hwloc_topology_t machine) {
  if (hwloc_topology_is_thissystem(machine) == 0) return nullptr;
  bitmap_pointer allowed = affinity_of_this_thread();
  // HWLOC_THISSYSTEM can pass a foreign machine off as this one.
  if (allowed && hwloc_bitmap_intersects(allowed.get(), hwloc_topology_get_topology_cpuset(machine)) == 0) {
    return nullptr;
  }
  return allowed;
}

}  // namespace

// Turns a loaded hwloc object into a topology.
class topology_reader {
 public:
  explicit topology_reader(hwloc_topology_t machine) : machine_{machine} {}

  topology read() {
    const bitmap_pointer allowed = allowed_processors(machine_);
    find_speeds();
    for (hwloc_obj_t p = nullptr; (p = hwloc_get_next_obj_by_type(machine_, HWLOC_OBJ_PU, p)) != nullptr;) {
      if (!allowed || hwloc_bitmap_isset(allowed.get(), p->os_index) != 0) add_processor(p, allowed != nullptr);
    }
    for (const by_speed& rank : ranks_) {
      for (const auto& [speed, alike] : rank) {
        result_.processors_.insert(result_.processors_.end(), alike.begin(), alike.end());
      }
    }
    for (const auto& [speed, count] : count_by_speed_) result_.kinds_.push_back(count);
    result_.nodes_ = static_cast<unsigned>(memories_.size());
    return std::move(result_);
  }

 private:
  using by_speed = std::map<int, std::vector<processor>, std::greater<>>;  // the fastest kind first

  // Fills `speed_of_kind_`. hwloc sorts its kinds by speed, if it knows their speeds. It makes a kind of a favoured
  // core, too, whose frequency is a little higher than that of its neighbours. To take such a core first would tear
  // neighbours apart, so kinds within a tenth of the fastest of them count as one.
  void find_speeds() {
    const int count = hwloc_cpukinds_get_nr(machine_, 0);
    double fastest = 0;  // of the kinds that count as one
    int speed = count;
    for (int kind = count - 1; kind >= 0; --kind) {
      int efficiency = -1;
      unsigned infos = 0;
      hwloc_info_s* info = nullptr;
      if (hwloc_cpukinds_get_info(machine_, kind, nullptr, &efficiency, &infos, &info, 0) != 0 || efficiency < 0) {
        speed_of_kind_.clear();
        return;
      }
      const double stated = stated_speed(info, infos);
      if (stated == 0 || stated < 0.9 * fastest) --speed;
      if (stated == 0 || stated < 0.9 * fastest || fastest == 0) fastest = stated;
      speed_of_kind_.insert(speed_of_kind_.begin(), speed);
    }
  }

  // Returns the capacity or the frequency of a kind of cores; 0 if the system states neither.
  static double stated_speed(const hwloc_info_s* info, unsigned infos) {
    for (const std::string_view name : {"LinuxCapacity", "FrequencyMaxMHz"}) {
      for (unsigned i = 0; i < infos; ++i) {
        if (info[i].name == name) return std::atof(info[i].value);
      }
    }
    return 0;
  }

  // Returns a number that is greater for faster processors.
  int speed_of(hwloc_obj_t processor) const {
    const int kind = speed_of_kind_.empty() ? -1 : hwloc_cpukinds_get_by_cpuset(machine_, processor->cpuset, 0);
    return kind < 0 ? 0 : speed_of_kind_[static_cast<std::size_t>(kind)];
  }

  void add_processor(hwloc_obj_t processor, bool pinnable) {
    const hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(machine_, HWLOC_OBJ_CORE, processor);
    const int leaf = tree_node_of(core != nullptr ? core : processor);
    // In hwloc's order the processors of a core follow one another.
    rank_ = leaf == core_ ? rank_ + 1 : 0;
    core_ = leaf;
    if (rank_ == ranks_.size()) ranks_.emplace_back();
    const int speed = speed_of(processor);
    ranks_[rank_][speed].push_back({pinnable ? static_cast<int>(processor->os_index) : -1, node_of(processor), leaf});
    ++count_by_speed_[speed];
  }

  // Returns the object's index in tree_, into which the object and its ancestors are copied at the first call. hwloc
  // does not use `userdata`; it holds the index plus one.
  int tree_node_of(hwloc_obj_t object) {
    if (object == nullptr) return -1;
    if (object->userdata == nullptr) {
      const int parent = tree_node_of(object->parent);
      const int depth = parent < 0 ? 0 : result_.tree_[static_cast<std::size_t>(parent)].depth + 1;
      result_.tree_.push_back({parent, depth});
      object->userdata = base::from_word<void>(result_.tree_.size());
    }
    return static_cast<int>(base::to_word(object->userdata)) - 1;
  }

  // Returns the number of the processor's NUMA node; nodes are numbered from 0 in the order in which they are met. If
  // several memories are near a processor, the one with the lowest number counts: Linux numbers ordinary memory before
  // the special kinds.
  int node_of(hwloc_obj_t processor) {
    const int memory = processor->nodeset != nullptr ? hwloc_bitmap_first(processor->nodeset) : -1;
    const auto known = std::find(memories_.begin(), memories_.end(), memory);
    const auto number = known - memories_.begin();
    if (known == memories_.end()) memories_.push_back(memory);
    return static_cast<int>(number);
  }

  hwloc_topology_t machine_;
  std::vector<int> speed_of_kind_;  // by hwloc's numbers of kinds; empty: the system does not tell
  int core_ = -1;                   // the core of the processor added last
  std::size_t rank_ = 0;            // its number among the allowed processors of its core
  // [0]: the first allowed processor of each core, [1]: the second allowed processors, …; neighbouring cores follow one
  // another.
  std::vector<by_speed> ranks_;
  std::map<int, unsigned, std::greater<>> count_by_speed_;  // allowed processors
  std::vector<int> memories_;  // hwloc's numbers of the NUMA nodes met, indexed by our number
  topology result_;
};

const topology& topology::of_machine() {
  static const topology machine = load();
  return machine;
}

topology topology::load() {
  const machine_pointer machine = fresh_machine();
  if (hwloc_topology_load(machine.get()) != 0) {
    throw std::runtime_error{"hwloc finds no processors on this machine: unset the HWLOC_* environment variables"};
  }
  return topology_reader{machine.get()}.read();
}

topology topology::synthetic(const std::string& text) {
  const machine_pointer machine = fresh_machine();
  if (hwloc_topology_set_synthetic(machine.get(), text.c_str()) != 0 || hwloc_topology_load(machine.get()) != 0) {
    throw std::invalid_argument{"synthetic topology \"" + text +
                                "\": give levels from the outermost in, as hwloc writes them, for example "
                                "\"node:2 core:4 pu:1\""};
  }
  return topology_reader{machine.get()}.read();
}

std::vector<processor> topology::places(unsigned workers) const {
  std::vector<processor> result;
  result.reserve(workers);
  for (unsigned i = 0; i < workers; ++i) {
    result.push_back(processors_[i % processors_.size()]);
    if (workers > processors_.size()) result.back().os_index = -1;
  }
  return result;
}

int topology::distance(const processor& a, const processor& b) const noexcept {
  const auto at = [this](int index) -> const tree_node& { return tree_[static_cast<std::size_t>(index)]; };
  int up_a = 0;
  int up_b = 0;
  for (int i = a.core, j = b.core; i != j;) {
    // The deeper node climbs, so that both meet at the lowest common ancestor.
    if (at(i).depth >= at(j).depth) {
      i = at(i).parent;
      ++up_a;
    } else {
      j = at(j).parent;
      ++up_b;
    }
  }
  return std::max({up_a, up_b, 1});
}

std::vector<double> topology::victim_weights(const std::vector<processor>& places, unsigned self) const {
  std::vector<int> r(places.size(), 0);
  std::vector<int> n;  // n[r]: number of other workers at distance r
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i == self) continue;
    r[i] = distance(places[self], places[i]);
    if (n.size() <= static_cast<std::size_t>(r[i])) n.resize(static_cast<std::size_t>(r[i]) + 1);
    ++n[static_cast<std::size_t>(r[i])];
  }
  std::vector<double> weights(places.size(), 0.0);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i != self) weights[i] = 1.0 / (n[static_cast<std::size_t>(r[i])] * r[i] * r[i]);
  }
  return weights;
}

victim_table::victim_table(const std::vector<double>& weights) {
  TINE_ASSERT(weights.size() <= 65536);
  constexpr double whole = 4294967296.0;  // a whole column, in units of 1/2^32
  double total = 0;
  std::vector<double> left;  // for each column's owner: the weight not yet handed out, in columns
  for (std::size_t i = 0; i < weights.size(); ++i) {
    TINE_ASSERT(weights[i] >= 0 && weights[i] < HUGE_VAL);
    if (!(weights[i] > 0)) continue;
    const auto victim = static_cast<std::uint16_t>(i);
    columns_.push_back({0, victim, victim});
    left.push_back(weights[i]);
    total += weights[i];
  }
  std::vector<std::size_t> small;
  std::vector<std::size_t> large;
  for (std::size_t i = 0; i < left.size(); ++i) {
    left[i] *= static_cast<double>(left.size()) / total;
    (left[i] < 1 ? small : large).push_back(i);
  }
  // Each round fills up the column of one small owner with the surplus of a large one. A column that remains at the end
  // is full up to rounding, and belongs to its owner alone, as initialised.
  while (!small.empty() && !large.empty()) {
    const std::size_t s = small.back();
    const std::size_t l = large.back();
    small.pop_back();
    columns_[s].share = static_cast<std::uint32_t>(left[s] * whole);
    columns_[s].alias = columns_[l].owner;
    left[l] -= 1 - left[s];
    if (left[l] < 1) {
      large.pop_back();
      small.push_back(l);
    }
  }
}

bool pin_this_thread(const processor& where) noexcept {
  if (where.os_index < 0) return false;
  const auto processor = static_cast<std::size_t>(where.os_index);
  const set_pointer set{CPU_ALLOC(processor + 1)};
  if (!set) return false;
  const std::size_t bytes = CPU_ALLOC_SIZE(processor + 1);
  CPU_ZERO_S(bytes, set.get());
  CPU_SET_S(processor, bytes, set.get());
  return pthread_setaffinity_np(pthread_self(), bytes, set.get()) == 0;
}

void move_this_thread(const processor& where) noexcept {
  if (where.os_index < 0 || where.os_index >= CPU_SETSIZE || sched_getcpu() == where.os_index) return;
  cpu_set_t before;
  CPU_ZERO(&before);
  if (sched_getaffinity(0, sizeof before, &before) != 0 || !CPU_ISSET(where.os_index, &before)) return;
  cpu_set_t there;
  CPU_ZERO(&there);
  CPU_SET(where.os_index, &there);
  if (sched_setaffinity(0, sizeof there, &there) == 0) sched_setaffinity(0, sizeof before, &before);
}

}  // namespace tine::sched
