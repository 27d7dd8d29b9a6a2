// The random programs of random_programs.cpp: forks, loops, groups of tasks, coroutines, locks and atomic operations
// over a few bytes of memory. Plain data.
#pragma once

#include <vector>

namespace race_test {

inline constexpr int memory_bytes = 32, buffer_bytes = 16, locks = 3, groups = 2, most_depth = 4;

enum class kind {
  read,
  write,
  atomic_read,
  atomic_write,
  locked,
  serial,
  fork,
  loop,
  reduce,
  combine,
  spork,
  chunks,
  coroutine,
  group,
  task,
  wait,
  call,
  on_stack,
  on_heap
};

/// A part of a program. `locked`: the children run one after the other, and hold lock number `at`. `serial`: they run
/// inside tine::sequential. `fork`: each is a branch of a par. `loop`, `reduce`: they are the body of a loop of `count`
/// iterations; accesses move by `step` bytes with each iteration of the innermost loop. `combine`: a reduction whose
/// combinations write one byte. `spork`: the first child is the body, the others are the spawn. `chunks`: as `loop`, by
/// par_for_chunks. `coroutine`: a coroutine forks each child but the last one, which runs in front of the join. `call`:
/// they run one after the other. `group`: so do they, with a new group numbered `at`, which is waited for at the end.
/// `task`: they are added to a group as one task; `wait`: waits for that group first. `on_stack`, `on_heap`: so do they,
/// and accesses inside of them that are `inner` go to a buffer that lives meanwhile.
struct part {
  kind is = kind::call;
  int at = 0, bytes = 1, step = 0, count = 0;
  bool inner = false;
  std::vector<part> children;
};

/// Returns the first byte of an access in iteration `i` of the innermost loop, to memory of that size.
inline int place_of(const part& p, int i, int bytes) { return (p.at + p.step * i) % (bytes / p.bytes) * p.bytes; }

}  // namespace race_test
