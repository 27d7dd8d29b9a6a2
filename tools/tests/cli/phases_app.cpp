// A program with phases: phases_app CASE. Its times are gross, and its forks are counted.
#include <tine/augment/phase.hpp>
#include <tine/tine.hpp>

#include <time.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <thread>

namespace {

using tine::phase;

/// Uses `milliseconds` of the thread's processor time.
void spin(int milliseconds) {
  const auto now = [] {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1'000'000'000 + t.tv_nsec;
  };
  for (const auto end = now() + std::int64_t{milliseconds} * 1'000'000; now() < end;) {
  }
}

/// A call of a parallel library: `forks` forks, one below the other, and some work.
void call(int forks, int milliseconds) {
  tine::run([&] {
    auto next = [&](auto& self, int left) -> void {
      if (left == 0) return spin(milliseconds);
      tine::par([&] { self(self, left - 1); }, [] {});
    };
    next(next, forks);
  });
}

/// Calls from serial code, as a program with a parallel library has them.
int calls() {
  {
    const phase now{"build"};
    for (int i = 0; i < 3; ++i) spin(20), call(4, 1);
  }
  spin(5);
  {
    const phase now{"query"};
    call(7, 30);
    const phase inner{"merge"};
    call(2, 1);
    spin(10);
  }
  call(1, 1);
  const phase again{"build"};
  call(5, 1);
  return 0;
}

/// Phases in one call, also in branches that run at the same time.
int inside() {
  tine::run([] {
    {
      const phase now{"build"};
      spin(20);
    }
    const phase now{"query"};
    tine::par(
        [] {
          const phase left{"left"};
          tine::par([] { spin(30); }, [] { spin(30); });
        },
        [] {
          const phase right{"right"};
          spin(30);
        });
  });
  return 0;
}

/// Exceptions leave phases, on a strand and outside of pools.
int throws() {
  try {
    const phase outer{"outer"};
    tine::run([] {
      const phase inner{"inner"};
      tine::par([] { throw std::runtime_error{"left"}; }, [] {});
    });
  } catch (const std::runtime_error&) {
    call(3, 1);
  }
  return 0;
}

/// Each thread has its own phase.
int threads() {
  std::thread other{[] {
    const phase now{"other"};
    call(6, 1);
  }};
  {
    const phase now{"main"};
    call(3, 1);
  }
  other.join();
  call(1, 1);
  return 0;
}

/// More phases than a profile has, short ones in a loop, and a phase inside of itself.
int many() {
  tine::run([] {
    tine::par_for(0, 20000, [](int i) {
      const phase now{i % 2 == 0 ? "even" : "odd"};
      tine::par([] {}, [] {});
    });
  });
  for (int i = 0; i < 3000; ++i) {
    char name[16];
    std::snprintf(name, sizeof name, "number %d", i);
    const phase now{name};
  }
  return 0;
}

void nest(int depth) {
  const phase now{"recursion"};
  if (depth > 0) tine::par([=] { nest(depth - 1); }, [=] { nest(depth - 1); });
}

int recursion() {
  tine::run([] { nest(6); });
  return 0;
}

/// A process that ends in the middle of a phase.
int unfinished() {
  const phase now{"unfinished"};
  call(2, 1);
  spin(20);
  std::exit(0);
}

}  // namespace

int main(int, char** argv) {
  constexpr struct {
    const char* name;
    int (*run)();
  } cases[] = {{"calls", calls}, {"inside", inside},       {"throws", throws},        {"threads", threads},
               {"many", many},   {"recursion", recursion}, {"unfinished", unfinished}};
  for (const auto& c : cases) {
    if (argv[1] != nullptr && std::strcmp(c.name, argv[1]) == 0) return c.run();
  }
  return 2;
}
