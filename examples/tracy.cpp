// Shows strands in Tracy: each strand is a fiber of Tracy's, with a zone for each fork, loop and branch, named after
// its call site. docs/reference/profiling.md says how to build it. The vertices feed Tracy through its C interface, so
// a program needs nothing but this file.
#include <tine/augment.hpp>
#include <tine/tine.hpp>

#include <tracy/TracyC.h>

#include <dlfcn.h>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

namespace {

/// The timelines of strands. Tracy knows a fiber by the address of its name, so names are used again and never freed.
/// Thread-safe.
class timelines {
 public:
  static const char* take() {
    timelines& all = only();
    const std::lock_guard guard{all.lock_};
    if (!all.free_.empty()) {
      const char* const name = all.free_.back();
      all.free_.pop_back();
      return name;
    }
    return (new std::string{"strand " + std::to_string(all.made_++)})->c_str();
  }
  static void give_back(const char* name) {
    timelines& all = only();
    const std::lock_guard guard{all.lock_};
    all.free_.push_back(name);
  }

 private:
  static timelines& only() {
    static timelines& all = *new timelines;
    return all;
  }
  std::mutex lock_;
  std::vector<const char*> free_;
  int made_ = 0;
};

/// Begins a zone with the name of the function at a return address. Tracy frees the description that it gets.
TracyCZoneCtx begin_zone(const char* what, tine::sched::site where) {
  char name[256];
  Dl_info found{};
  const bool known = where != 0 && dladdr(std::bit_cast<void*>(where - 1), &found) != 0;
  const char* const symbol = known && found.dli_sname != nullptr ? found.dli_sname : "";
  std::snprintf(
      name, sizeof name, "%s %s+0x%zx", what, symbol,
      known ? where - std::bit_cast<std::uintptr_t>(found.dli_saddr != nullptr ? found.dli_saddr : found.dli_fbase)
            : std::size_t{0});
  const char* const file = known ? found.dli_fname : "";
  return ___tracy_emit_zone_begin_alloc(
      ___tracy_alloc_srcloc_name(0, file, std::strlen(file), symbol, std::strlen(symbol), name, std::strlen(name), 0),
      1);
}

/// A vertex of the computation graph. The first branch continues on the timeline of the strand that forks. The second
/// branch, and a subrange of a loop, gets a timeline of its own when it begins: it may run at the same time on another
/// worker.
struct tracy_zone {
  void start(tine::base::ticks) {
    if (timeline == nullptr) timeline = timelines::take();
    TracyCFiberEnter(timeline);
    running = begin_zone(what, where);
  }
  void stop(tine::base::ticks) {
    ___tracy_emit_zone_end(running);
    TracyCFiberLeave;
  }
  void fork(tracy_zone& left, tracy_zone& right, tine::sched::site site) {
    TracyCFiberEnter(timeline);
    open = begin_zone("fork", site);
    TracyCFiberLeave;
    left = {"first branch", site, timeline};
    right = {"second branch", site, nullptr};
  }
  void join(tracy_zone&, tracy_zone& right, tracy_zone& after) {
    right.end();
    TracyCFiberEnter(timeline);
    ___tracy_emit_zone_end(open);
    TracyCFiberLeave;
    after = {what, where, timeline};
  }
  void loop(tracy_zone& subrange, std::uint64_t, tine::sched::site site) const {
    subrange = {"subrange", site, nullptr};
  }
  void append(tracy_zone& next) const { next.end(); }
  void join_loop(tracy_zone& all, tracy_zone& after) const {
    all.end();
    after = {what, where, timeline};
  }
  void end() {
    if (timeline != nullptr) timelines::give_back(timeline);
    timeline = nullptr;
  }

  const char* what = "root";
  tine::sched::site where = 0;
  const char* timeline = nullptr;
  TracyCZoneCtx running{}, open{};
};

long fib(long n) {
  if (n < 2) return n;
  return tine::par([=] { return fib(n - 1); }, [=] { return fib(n - 2); }, [](long a, long b) { return a + b; });
}

}  // namespace

int main() {
  long sum = 0;
  std::atomic<long> squares{0};
  tracy_zone root;
  tine::augment_into(
      [&] {
        sum = fib(12);
        tine::par_for(0, 1'000, [&](long i) { squares += i * i; });
      },
      root);
  root.end();
  std::printf("fib(12) = %ld, squares = %ld\n", sum, squares.load());
  return sum == 144 && squares == 332'833'500 ? 0 : 1;
}
