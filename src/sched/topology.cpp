// Reads hwloc's tree into plain vectors, and builds victim tables. Pools call it when they start, on any thread. The
// only file that includes hwloc.
#include "sched/topology.hpp"
#include "sched/topology_builder.hpp"

#include <tine/detail/base/object_at.hpp>

#include <hwloc.h>
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
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
  // Levels that don't divide anything would lengthen every path: r of eq. 6 would count private caches instead of
  // shared resources. We keep cores in any case, because they are the leaves.
  hwloc_topology_set_all_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_STRUCTURE);
  hwloc_topology_set_type_filter(raw, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL);
  // By default hwloc binds the calling thread to each processor in turn, to ask it for its kind. On Linux /sys has this
  // information already: capacities and frequencies. We keep distances between NUMA nodes: hwloc groups them by
  // distance.
  hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING | HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS);
  return machine;
}

// Returns those of the allowed processors that `machine` has. Returns null if it is not this machine, or has none of
// them: then we use all of its processors, unpinned.
bitmap_pointer allowed_processors(hwloc_topology_t machine, const std::vector<int>& allowed) {
  if (hwloc_topology_is_thissystem(machine) == 0) return nullptr;
  bitmap_pointer result{hwloc_bitmap_alloc()};
  if (!result) throw std::bad_alloc{};
  for (const int number : allowed) hwloc_bitmap_set(result.get(), static_cast<unsigned>(number));
  // Nothing is left if HWLOC_THISSYSTEM passes a foreign machine off as this one.
  hwloc_bitmap_and(result.get(), result.get(), hwloc_topology_get_topology_cpuset(machine));
  return hwloc_bitmap_iszero(result.get()) != 0 ? nullptr : std::move(result);
}

// Turns a loaded hwloc object into a topology.
class hwloc_reader {
 public:
  explicit hwloc_reader(hwloc_topology_t machine) : machine_{machine} {}

  topology read(const std::vector<int>& pinnable) {
    const bitmap_pointer allowed = allowed_processors(machine_, pinnable);
    // Levels that don't divide the allowed processors must not lengthen their paths. hwloc itself has left out the
    // processors that a control group forbids, but not those outside of the affinity mask.
    if (allowed && hwloc_topology_restrict(machine_, allowed.get(), 0) != 0) throw std::bad_alloc{};
    find_speeds();
    for (hwloc_obj_t p = nullptr; (p = hwloc_get_next_obj_by_type(machine_, HWLOC_OBJ_PU, p)) != nullptr;) {
      const hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(machine_, HWLOC_OBJ_CORE, p);
      const int leaf = resource_of(core != nullptr ? core : p);
      built_.add({allowed ? static_cast<int>(p->os_index) : -1, node_of(p), leaf}, speed_of(p));
    }
    return std::move(built_).finished(static_cast<unsigned>(memories_.size()));
  }

 private:
  // Fills `speed_of_kind_`. hwloc sorts its kinds by speed, if it knows their speeds.
  void find_speeds() {
    const int count = hwloc_cpukinds_get_nr(machine_, 0);
    std::vector<double> stated;
    for (int kind = 0; kind < count; ++kind) {
      int efficiency = -1;
      unsigned infos = 0;
      hwloc_info_s* info = nullptr;
      if (hwloc_cpukinds_get_info(machine_, kind, nullptr, &efficiency, &infos, &info, 0) != 0 || efficiency < 0) {
        return;
      }
      stated.push_back(stated_speed(info, infos));
    }
    speed_of_kind_ = topology_builder::speeds(stated);
  }

  // Returns the capacity or the frequency of a kind of cores, or 0 if the system states neither.
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

  // Returns the object's number in the tree. The first call adds the object and its ancestors. hwloc doesn't use
  // `userdata`, so it holds the number plus one.
  int resource_of(hwloc_obj_t object) {
    if (object == nullptr) return -1;
    if (object->userdata == nullptr) {
      const int number = built_.add_resource(resource_of(object->parent));
      object->userdata = base::from_word<void>(static_cast<std::uintptr_t>(number) + 1);
    }
    return static_cast<int>(base::to_word(object->userdata)) - 1;
  }

  // Returns the number of the processor's NUMA node; we number nodes from 0 in the order in which we meet them. If
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
  std::vector<int> speed_of_kind_;  // by hwloc's numbers of kinds; empty: the system doesn't tell
  std::vector<int> memories_;       // hwloc's numbers of the NUMA nodes met, indexed by our number
  topology_builder built_;
};

}  // namespace

std::vector<int> processors_of_this_thread() {
  std::vector<int> result;
  for (std::size_t processors = CPU_SETSIZE; processors <= std::size_t{1} << 20; processors *= 2) {
    const std::size_t bytes = CPU_ALLOC_SIZE(processors);
    const set_pointer set{CPU_ALLOC(processors)};
    if (!set) throw std::bad_alloc{};
    // We ask the system and not hwloc, which tries for ever where a sandbox forbids the question.
    if (sched_getaffinity(0, bytes, set.get()) == 0) {
      const auto count = static_cast<std::size_t>(CPU_COUNT_S(bytes, set.get()));
      for (int i = 0; result.size() < count; ++i) {
        if (CPU_ISSET_S(static_cast<std::size_t>(i), bytes, set.get())) result.push_back(i);
      }
      break;
    }
    if (errno != EINVAL) break;  // EINVAL: the system has more processors than that
  }
  return result;
}

topology topology::by_hwloc(const std::vector<int>& allowed) {
  const machine_pointer machine = fresh_machine();
  if (hwloc_topology_load(machine.get()) != 0) {
    throw std::runtime_error{"hwloc finds no processors on this machine: unset the HWLOC_* environment variables"};
  }
  return hwloc_reader{machine.get()}.read(allowed);
}

topology topology::synthetic(const std::string& text) {
  const machine_pointer machine = fresh_machine();
  if (hwloc_topology_set_synthetic(machine.get(), text.c_str()) != 0 || hwloc_topology_load(machine.get()) != 0) {
    throw std::invalid_argument{"synthetic topology \"" + text +
                                "\": give levels from the outermost in, as hwloc writes them, for example "
                                "\"node:2 core:4 pu:1\""};
  }
  return hwloc_reader{machine.get()}.read({});
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
    // The deeper node climbs, so both meet at the lowest common ancestor.
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
  // edges from the core of `self` up to each resource that contains it; -1: it is another one's
  std::vector<int> up(tree_.size(), -1);
  int edges = 0;
  for (int i = places[self].core; i >= 0; i = tree_[static_cast<std::size_t>(i)].parent) {
    up[static_cast<std::size_t>(i)] = edges++;
  }
  std::vector<std::size_t> r(places.size(), 0);  // as `distance`
  std::vector<int> n;                            // n[r]: number of other workers at distance r
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i == self) continue;
    int at = places[i].core;
    int climbed = 0;
    for (; up[static_cast<std::size_t>(at)] < 0; ++climbed) at = tree_[static_cast<std::size_t>(at)].parent;
    r[i] = static_cast<std::size_t>(std::max({climbed, up[static_cast<std::size_t>(at)], 1}));
    if (n.size() <= r[i]) n.resize(r[i] + 1);
    ++n[r[i]];
  }
  std::vector<double> at_distance(n.size(), 0.0);
  for (std::size_t d = 1; d < n.size(); ++d) at_distance[d] = 1.0 / (n[d] * static_cast<double>(d * d));
  std::vector<double> weights(places.size(), 0.0);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i != self) weights[i] = at_distance[r[i]];
  }
  return weights;
}

victim_table::victim_table(const std::vector<double>& weights) {
  TINE_ASSERT(weights.size() <= 65536);
  constexpr double whole = 4294967296.0;  // a whole column, in units of 1/2^32
  double total = 0;
  columns_.reserve(weights.size());
  std::vector<double> left;  // for each column's owner: the weight not yet handed out, in columns
  left.reserve(weights.size());
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
