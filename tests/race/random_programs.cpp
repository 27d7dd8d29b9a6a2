// Random programs of forks, loops, groups of tasks, coroutines, locks and atomic operations over a few bytes of memory.
// Each is run under tine::check_races, and its races are also found by comparing all pairs of accesses. Both must name
// the same bytes.
#include "part.hpp"
#include "racing_bytes.hpp"

#include <tine/coro.hpp>
#include <tine/race.hpp>
#include <tine/tine.hpp>

#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace race_test;

// --- the program ---------------------------------------------------------------------------------------------------

alignas(64) unsigned char memory[memory_bytes];
std::mutex mutexes[locks];

/// The surroundings of a strand: the iteration of the innermost loop, the innermost buffer, and the groups around it.
struct place {
  int i;
  unsigned char* buffer;  ///< null: there is none
  std::array<tine::task_group*, groups> open{};
};

/// The buffers in the order in which they are made.
std::vector<std::uintptr_t> buffers;

extern "C" void __tsan_ignore_thread_begin();
extern "C" void __tsan_ignore_thread_end();

void note_buffer(const unsigned char* b) {
  __tsan_ignore_thread_begin();
  buffers.push_back(reinterpret_cast<std::uintptr_t>(b));
  __tsan_ignore_thread_end();
}

template <class T>
[[gnu::noinline]] void access_as(kind how, unsigned char* at) {
  T& word = *static_cast<T*>(static_cast<void*>(at));
  volatile T& plain = word;
  if (how == kind::read) {
    asm volatile("" ::"r"(T(plain)));
  } else if (how == kind::write) {
    plain = T(1);
  } else if (how == kind::atomic_read) {
    static_cast<void>(std::atomic_ref<T>{word}.load());
  } else {
    std::atomic_ref<T>{word}.store(T(2));
  }
}

[[gnu::noinline]] void access(const part& p, place here) {
  const bool inner = p.inner && here.buffer != nullptr;
  unsigned char* const at = (inner ? here.buffer : memory) + place_of(p, here.i, inner ? buffer_bytes : memory_bytes);
  switch (p.bytes) {
    case 1:
      return access_as<std::uint8_t>(p.is, at);
    case 2:
      return access_as<std::uint16_t>(p.is, at);
    case 4:
      return access_as<std::uint32_t>(p.is, at);
    default:
      return access_as<std::uint64_t>(p.is, at);
  }
}

void run_part(const part& p, place here);
tine::task<void> run_coroutine(const part& p, place here);

void run_all(const part& p, place here) {
  for (const part& child : p.children) run_part(child, here);
}

void fork_from(const part& p, std::size_t first, place here) {
  if (first + 1 == p.children.size()) return run_part(p.children[first], here);
  tine::par([&] { run_part(p.children[first], here); }, [&] { fork_from(p, first + 1, here); });
}

tine::task<void> run_in_coroutine(const part& p, place here) {
  if (p.is == kind::coroutine) {
    co_await tine::call(run_coroutine, p, here);
  } else {
    run_part(p, here);
  }
}

tine::task<void> run_coroutine(const part& p, place here) {
  for (std::size_t c = 0; c + 1 < p.children.size(); ++c) co_await tine::fork(run_in_coroutine, p.children[c], here);
  if (!p.children.empty()) co_await tine::call(run_in_coroutine, p.children.back(), here);
  co_await tine::join;
}

/// The result of a reduction that is no number.
struct counted {
  int items = 0;
};

void run_reduction(const part& p, place here) {
  const auto map = [&](int k) {
    run_all(p, {k, here.buffer, here.open});
    return counted{1};
  };
  const auto combine = [&p](counted a, counted b) {
    access_as<std::uint8_t>(kind::write, memory + p.at);
    return counted{a.items + b.items};
  };
  static_cast<void>(tine::par_reduce(0, p.count, counted{}, map, combine));
}

void run_spork(const part& p, place here) {
  const auto rest = [&] {
    for (std::size_t c = 1; c < p.children.size(); ++c) run_part(p.children[c], here);
  };
  tine::spork([&] { run_part(p.children.front(), here); }, rest, [&](tine::void_result) { rest(); },
              [](tine::void_result, tine::void_result) {}, [&](tine::void_result) { rest(); });
}

[[gnu::noinline]] void run_on_stack(const part& p, place here) {
  alignas(8) unsigned char buffer[buffer_bytes] = {};
  note_buffer(buffer);
  run_all(p, {here.i, buffer});  // a group around the buffer may outlive it
}

void run_in_group(const part& p, place here) {
  tine::task_group& g = *here.open[static_cast<std::size_t>(p.at % groups)];
  if (p.is == kind::task) return g.run([&p, here] { run_all(p, here); });
  g.wait();
  run_all(p, here);
}

void run_group(const part& p, place here) {
  tine::task_group g;
  here.open[static_cast<std::size_t>(p.at % groups)] = &g;
  run_all(p, here);
  g.wait();
}

[[gnu::noinline]] void run_part(const part& p, place here) {
  switch (p.is) {
    case kind::locked: {
      const std::lock_guard guard{mutexes[p.at % locks]};
      return run_all(p, here);
    }
    case kind::serial:
      return tine::sequential([&] { run_all(p, here); });
    case kind::fork:
      return p.children.empty() ? void() : fork_from(p, 0, here);
    case kind::loop:
      return tine::par_for(0, p.count, [&p, here](int k) { run_all(p, {k, here.buffer, here.open}); });
    case kind::chunks:
      return tine::par_for_chunks(0, p.count, [&p, here](int begin, int end) {
        for (int k = begin; k < end; ++k) run_all(p, {k, here.buffer, here.open});
      });
    case kind::reduce: {
      const auto map = [&](int k) {
        run_all(p, {k, here.buffer, here.open});
        return k;
      };
      static_cast<void>(tine::par_reduce(0, p.count, 0, map, std::plus<>{}));
      return;
    }
    case kind::combine:
      return run_reduction(p, here);
    case kind::spork:
      return p.children.empty() ? void() : run_spork(p, here);
    case kind::coroutine:
      return tine::run(run_coroutine, p, here);
    case kind::group:
      return run_group(p, here);
    case kind::task:
    case kind::wait:
      return run_in_group(p, here);
    case kind::call:
      return run_all(p, here);
    case kind::on_stack:
      return run_on_stack(p, here);
    case kind::on_heap: {
      const std::unique_ptr<unsigned char[]> buffer{new unsigned char[buffer_bytes]()};
      note_buffer(buffer.get());
      return run_all(p, {here.i, buffer.get()});
    }
    case kind::read:
    case kind::write:
    case kind::atomic_read:
    case kind::atomic_write:
      return access(p, here);
  }
}

// --- generation ----------------------------------------------------------------------------------------------------

/// A group, as the code around a part sees it. Group 0 gets tasks only from the strand that has made it and from its own
/// tasks, and every strand may wait for it. Group 1 is the other way round. Else the graph would depend on timing.
struct known_group {
  int level = 0;           ///< 0: it may not be used
  bool is_direct = true;   ///< between here and the group there is only one strand
  bool is_inside = false;  ///< of one of its tasks
  std::set<int> banned;    ///< the locks that were held when it was made
};

/// The code around a part. `banned`: the locks that must not be taken, among them those that are `held`. `held_at_fork`:
/// a lock is held since before the innermost fork. `is_serial`: coroutines may not be run there.
struct surroundings {
  std::set<int> banned, held;
  bool held_at_fork = false, is_serial = false, has_buffers = true;
  std::array<known_group, groups> known;

  void close_groups(int above) {
    for (known_group& g : known) {
      if (g.level > above) g.level = 0;
    }
  }
  int deepest() const { return std::max(known[0].level, known[1].level); }
  bool may_add(const known_group& g, int number) const {
    return g.level != 0 && !is_serial && !held_at_fork && (number == 1 || g.is_direct);
  }
  bool may_wait(const known_group& g, int number) const {
    return g.level != 0 && !is_serial && !held_at_fork && !g.is_inside && banned == g.banned &&
           (number == 0 || (g.is_direct && g.level == deepest()));
  }
  /// Goes inside of `p`, which becomes a call if it cannot be here.
  void enter(part& p) {
    const int number = p.at % groups;
    known_group& g = known[static_cast<std::size_t>(number)];
    if (p.is == kind::coroutine && is_serial) p.is = kind::fork;
    const bool is_wrong = (p.is == kind::locked && !banned.insert(p.at % locks).second) ||
                          (p.is == kind::group && (is_serial || held_at_fork)) ||
                          (p.is == kind::task && !may_add(g, number)) || (p.is == kind::wait && !may_wait(g, number)) ||
                          ((p.is == kind::on_stack || p.is == kind::on_heap) && !has_buffers);
    if (is_wrong) p.is = kind::call;
    if (p.is == kind::locked) held.insert(p.at % locks);
    if (p.is == kind::serial) is_serial = true;
    if (p.is == kind::on_stack || p.is == kind::on_heap) close_groups(0);  // a task may outlive the buffer
    if (p.is == kind::group) {
      g = {deepest() + 1, true, false, banned};
    } else if (p.is == kind::task) {
      close_groups(g.level);  // the task may outlive groups that were made later
      for (known_group& each : known) each.is_direct = each.is_direct && &each == &g;
      g.is_inside = true;
      if (!held.empty()) {  // it starts later than it stands in the program
        close_groups(0);
        has_buffers = false;
      }
      banned = g.banned;
      held.clear();
    } else if (p.is != kind::locked && p.is != kind::serial && p.is != kind::call && p.is != kind::wait &&
               p.is != kind::on_stack && p.is != kind::on_heap) {
      for (known_group& each : known) each.is_direct = false;
      held_at_fork = held_at_fork || !held.empty();
    }
  }
};

rc::Gen<part> any_part(int depth, surroundings around) {
  return rc::gen::exec([=] {
    part p;
    const int choice = *rc::gen::inRange(0, depth == most_depth ? 1000 : depth > 0 ? 20 : 8);
    p.at = *rc::gen::inRange(0, memory_bytes);
    p.bytes = *rc::gen::element(1, 2, 4, 8, 8);
    p.step = *rc::gen::element(0, 1, 1, 2);
    p.count = *rc::gen::inRange(0, 5);
    p.inner = *rc::gen::element(true, false);
    if (choice < 8) {
      p.is = *rc::gen::element(kind::read, kind::read, kind::read, kind::write, kind::write, kind::atomic_read,
                               kind::atomic_write);
      return p;
    }
    const bool has_group = around.deepest() != 0;
    p.is = *rc::gen::element(kind::locked, kind::serial, kind::fork, kind::fork, kind::fork, kind::loop, kind::loop,
                             kind::reduce, kind::combine, kind::spork, kind::chunks, kind::coroutine, kind::coroutine,
                             kind::call, kind::on_stack, kind::on_stack, kind::on_heap, kind::group, kind::group,
                             has_group ? kind::task : kind::group, has_group ? kind::task : kind::fork,
                             has_group ? kind::task : kind::loop, has_group ? kind::wait : kind::group);
    surroundings inside = around;
    inside.enter(p);
    const int children = *rc::gen::inRange(1, 5);
    for (int c = 0; c < children; ++c) p.children.push_back(*any_part(depth - 1, inside));
    return p;
  });
}

void show(std::ostream& to, const part& p, int indent) {
  static const char* const names[] = {"read", "write",  "atomic read", "atomic write", "locked", "serial",    "fork",
                                      "loop", "reduce", "combine",     "spork",        "chunks", "coroutine", "group",
                                      "task", "wait",   "call",        "on_stack",     "on_heap"};
  to << std::string(static_cast<std::size_t>(indent), ' ') << names[static_cast<int>(p.is)] << " at=" << p.at
     << " bytes=" << p.bytes << " step=" << p.step << " count=" << p.count << " inner=" << p.inner << "\n";
  for (const part& child : p.children) show(to, child, indent + 2);
}

/// Returns an address as a place in the memory, or in one of the buffers.
std::string name_of(std::uintptr_t address) {
  const std::uintptr_t in_memory = address - reinterpret_cast<std::uintptr_t>(memory);
  if (in_memory < memory_bytes) return std::to_string(in_memory);
  for (const std::uintptr_t b : buffers) {
    if (address - b < buffer_bytes) return "buffer+" + std::to_string(address - b);
  }
  return "elsewhere";
}

std::string text_of(const std::set<std::uintptr_t>& addresses) {
  std::ostringstream text;
  for (const std::uintptr_t a : addresses) text << name_of(a) << " ";
  return text.str();
}

int clean_programs = 0, racy_programs = 0, unsure_programs = 0;

std::set<std::uintptr_t> addresses_of(const byte_set& bytes) {
  std::set<std::uintptr_t> all;
  for (const auto& [buffer, at] : bytes) {
    const std::uintptr_t begin =
        buffer < 0 ? reinterpret_cast<std::uintptr_t>(memory) : buffers[static_cast<std::size_t>(buffer)];
    all.insert(begin + static_cast<std::uintptr_t>(at));
  }
  return all;
}

bool agree(const part& p, bool determinism) {
  buffers.clear();
  std::ranges::fill(memory, 0);
  const tine::races_found found = tine::check_races([&] { run_part(p, {0, nullptr}); }, {.determinism = determinism});
  const std::set<std::uintptr_t> addresses{found.addresses().begin(), found.addresses().end()};
  const racing_bytes bytes = races_of(p, determinism);
  const std::set<std::uintptr_t> all = addresses_of(bytes.all), certain = addresses_of(bytes.certain);
  ++(all.empty() ? clean_programs : racy_programs);
  unsure_programs += all != certain;
  if (std::ranges::includes(all, addresses) && std::ranges::includes(addresses, certain) && found.incomplete().empty())
    return true;
  std::ostringstream text;
  show(text, p, 0);
  std::printf("determinism %d\n%sfound:    %s\nexpected: %s\ncertain:  %s\n%s\n", determinism, text.str().c_str(),
              text_of(addresses).c_str(), text_of(all).c_str(), text_of(certain).c_str(), found.incomplete().c_str());
  std::printf("%s\n", found.text().c_str());
  return false;
}

}  // namespace

namespace rc {
template <>
struct Arbitrary<race_test::part> {
  static Gen<race_test::part> arbitrary() { return gen::resize(kNominalSize, any_part(most_depth, {})); }
};
}  // namespace rc

int main(int argc, char** argv) {
  const int programs = argc > 1 ? std::atoi(argv[1]) : 500;
  setenv("RC_PARAMS", ("max_success=" + std::to_string(programs)).c_str(), 0);
  const bool good = rc::check("the detector and all pairs of accesses agree",
                              [](const race_test::part& p, bool determinism) { RC_ASSERT(agree(p, determinism)); });
  std::printf("%d programs with races, %d without; in %d some races may be hidden\n", racy_programs, clean_programs,
              unsure_programs);
  std::printf("%d passed, %d failed\n", good ? 1 : 0, good ? 0 : 1);
  return good ? 0 : 1;
}
