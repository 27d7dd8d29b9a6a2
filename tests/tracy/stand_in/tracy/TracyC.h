// In place of Tracy's client: the part of its C interface that examples/tracy.cpp uses, with the rules that Tracy has
// for fibers. A thread enters a fiber and leaves it; no other thread is on this fiber meanwhile; zones begin and end on
// a fiber, the newest first. At the end of the program the counts of zones are printed. A broken rule ends the program
// with a message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <vector>

struct TracyCZoneCtx {
  std::uint32_t id;
  int active;
};

namespace stand_in {

struct timeline {
  bool entered = false;
  std::vector<std::uint32_t> open;
};

struct TracyC_calls {
  ~TracyC_calls() {
    for (const auto& [name, t] : timelines) {
      if (t.entered || !t.open.empty()) std::printf("left open: %s\n", name);
    }
    for (const auto& [kind, n] : zones) std::printf("%s: %ld\n", kind.c_str(), n);
    std::printf("timelines: %zu\n", timelines.size());
  }
  std::mutex lock;
  std::map<const char*, timeline> timelines;
  std::map<std::string, long> zones;  // by the words before the first symbol
  std::map<std::uint64_t, std::string> places;
  std::uint32_t made = 0;
};
inline TracyC_calls all;
inline thread_local const char* here = nullptr;  // the fiber of this thread

[[noreturn]] inline void broken(const char* rule) {
  std::printf("broken: %s\n", rule);
  std::fflush(stdout);
  std::_Exit(1);
}

}  // namespace stand_in

inline void TracyCFiberEnter(const char* fiber) {
  const std::lock_guard guard{stand_in::all.lock};
  if (stand_in::here != nullptr) stand_in::broken("a thread enters a fiber while it is on another one");
  stand_in::timeline& t = stand_in::all.timelines[fiber];
  if (t.entered) stand_in::broken("two threads are on one fiber");
  t.entered = true;
  stand_in::here = fiber;
}

inline void stand_in_leave() {
  const std::lock_guard guard{stand_in::all.lock};
  if (stand_in::here == nullptr) stand_in::broken("a thread leaves a fiber that it has not entered");
  stand_in::all.timelines[stand_in::here].entered = false;
  stand_in::here = nullptr;
}
#define TracyCFiberLeave stand_in_leave()

inline std::uint64_t ___tracy_alloc_srcloc_name(std::uint32_t, const char*, std::size_t, const char*, std::size_t,
                                                const char* name, std::size_t length, std::uint32_t) {
  const std::lock_guard guard{stand_in::all.lock};
  const std::uint64_t place = ++stand_in::all.made;
  stand_in::all.places[place] = std::string{name, length};
  return place;
}

inline TracyCZoneCtx ___tracy_emit_zone_begin_alloc(std::uint64_t place, int active) {
  const std::lock_guard guard{stand_in::all.lock};
  if (stand_in::here == nullptr) stand_in::broken("a zone begins on no fiber");
  std::string& name = stand_in::all.places[place];
  for (const char* kind : {"first branch", "second branch", "subrange", "fork", "root"}) {
    if (name.starts_with(kind)) {
      ++stand_in::all.zones[kind];
      break;
    }
  }
  const std::uint32_t id = ++stand_in::all.made;
  stand_in::all.timelines[stand_in::here].open.push_back(id);
  return {id, active};
}

inline void ___tracy_emit_zone_end(TracyCZoneCtx zone) {
  const std::lock_guard guard{stand_in::all.lock};
  if (stand_in::here == nullptr) stand_in::broken("a zone ends on no fiber");
  auto& open = stand_in::all.timelines[stand_in::here].open;
  if (open.empty() || open.back() != zone.id) stand_in::broken("a zone ends that is not the newest of its fiber");
  open.pop_back();
}
