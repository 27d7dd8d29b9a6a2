// The bytes that coroutines hold on the stacks of their strands: S1 and S∞ are exact, whichever worker ran which
// strand. The right answers come from formulas over the sizes of frames, which are the distances between tops of the
// stack.
#include "augment/space_with_frames.hpp"

#include <tine/augment.hpp>
#include <tine/tine.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <stdexcept>

namespace {

using tine::task;
using tine::detail::space_with_frames;
namespace fiber_state = tine::detail::fiber_state;

using bytes = std::int64_t;

/// While an object of this class lives, the runtime reports the bytes that a strand holds to the strand's
/// space_with_frames vertex.
class listening {
 public:
  listening() { tine::sched::frame_bytes_listener.store(&hold, tine::base::release); }
  ~listening() { tine::sched::frame_bytes_listener.store(nullptr, tine::base::release); }
  listening(const listening&) = delete;
  listening& operator=(const listening&) = delete;

 private:
  static void hold(const void*, bytes n) noexcept {
    if (auto* v = tine::current_vertex<space_with_frames>()) v->hold(n);
  }
};

struct answer {
  bytes serial, worst, left;
  friend bool operator==(const answer&, const answer&) = default;
};
std::ostream& operator<<(std::ostream& out, const answer& a) {
  return out << "{S1 " << a.serial << ", S∞ " << a.worst << ", left " << a.left << "}";
}

/// Returns the bytes that `body` holds.
template <class Body>
answer space_of(Body body) {
  const auto p = tine::augment<space_with_frames>(body).profile();
  return {p.serial_peak(), p.worst_peak(), p.held()};
}
template <class Body>
answer space_of_root(Body body) {
  const listening here;
  return tine::run([&] { return space_of(body); });
}

/// Runs `body`, which must hold as much as `right` says, with one worker and several, with few promotions and many.
template <class Body>
void check_everywhere(const answer& right, Body body) {
  const listening here;
  for (const unsigned workers : {1U, 2U, 8U}) {
    for (const auto policy : {tine::promotion::on_demand(), tine::promotion::eager()}) {
      tine::pool p{{.workers = workers, .promote = policy}};
      for (int i = 0; i < 20; ++i) {
        const answer found = p.run([&] { return space_of(body); });
        CHECK(found == right);
      }
    }
  }
}

bytes top() noexcept { return static_cast<bytes>(fiber_state::get<tine::detail::stack_top>()); }
/// Returns the distance of the top from the begin of the stacklet. The strand keeps that begin negated.
bytes used() noexcept { return top() + static_cast<bytes>(fiber_state::get<tine::detail::stacklet_begin>()); }

/// Keeps the compiler from removing an array.
void use(void* where) noexcept { asm volatile("" : : "r"(where) : "memory"); }

/// Sizes of the frames of a root and of its child, found by a run without a region.
struct sizes {
  bytes root = 0, child = 0;
};

/// Holds a scratch array. `end` receives the address at which the frame ends, which is where the array begins.
task<> keep(std::size_t n, bytes* end) {
  const auto array = co_await tine::scratch<std::byte>(n);
  if (end != nullptr) *end = reinterpret_cast<bytes>(array.data());
  use(const_cast<std::byte*>(array.data()));
}

/// Forks one `keep` and calls another. If `found` is not null, notes the sizes of the frames there.
task<> fork_and_call(std::size_t first, std::size_t second, sizes* found) {
  if (found != nullptr) {
    found->root = used();
    const bytes before = top();
    co_await tine::call(keep, std::size_t{16}, &found->child);
    found->child -= before;
  }
  co_await tine::fork(keep, first, nullptr);
  co_await tine::call(keep, second, nullptr);
  co_await tine::join;
}

sizes sizes_of_fork_and_call() {
  sizes found;
  tine::run(fork_and_call, std::size_t{16}, std::size_t{16}, &found);
  return found;
}

TEST_CASE("a forked child and its parent's continuation may hold at the same time, called ones may not") {
  const auto [root, child] = sizes_of_fork_and_call();
  check_everywhere({root + child + 320, root + 2 * child + 320 + 160, 0},
                   [] { tine::run(fork_and_call, std::size_t{160}, std::size_t{320}, nullptr); });
}

/// Builds a binary tree of frames. `own` receives the size of one frame.
task<long> grow(int depth, bytes* own) {
  if (own != nullptr) *own = used();
  if (depth == 0) co_return 1;
  long left = 0;
  co_await tine::fork(&left, grow, depth - 1, nullptr);
  const long right = co_await tine::call(grow, depth - 1, nullptr);
  co_await tine::join;
  co_return left + right;
}

TEST_CASE("a tree of frames: a way through it on one worker, all of it at worst") {
  bytes own = 0;
  tine::run(grow, 0, &own);
  check_everywhere({11 * own, ((1 << 11) - 1) * own, 0}, [] { CHECK(tine::run(grow, 10, nullptr) == 1 << 10); });
}

/// Builds a chain of `n` frames, over many stacklets. `own` receives the size of one frame.
task<> dive(int n, bytes* own) {
  if (own != nullptr) *own = used();
  if (n > 1) co_await tine::call(dive, n - 1, nullptr);
}
task<> dive_by_turns(int n) {
  co_await tine::fork(dive, n, nullptr);
  co_await tine::join;
  co_await tine::call(dive, n, nullptr);
}

TEST_CASE("frames on many stacklets, which are all released before the next ones") {
  bytes own = 0;
  tine::run(dive, 1, &own);
  const bytes turns = space_of_root([] { tine::run(dive_by_turns, 1); }).serial - own;
  CHECK(turns > 0);
  check_everywhere({turns + 3'000 * own, turns + 3'000 * own, 0}, [] { tine::run(dive_by_turns, 3'000); });
}

/// Holds large arrays, which get stacklets of their own, and a small one on the stacklet that the first large ones
/// leave behind.
task<> large_and_small() {
  co_await tine::call(keep, std::size_t{800'000}, nullptr);
  co_await tine::call(keep, std::size_t{100'000}, nullptr);
  const auto array = co_await tine::scratch<std::byte>(64);
  co_await tine::fork(keep, std::size_t{400'000}, nullptr);
  co_await tine::call(keep, std::size_t{500'000}, nullptr);
  co_await tine::join;
  use(const_cast<std::byte*>(array.data()));
}

TEST_CASE("large scratch arrays") {
  const bytes child = sizes_of_fork_and_call().child;
  const bytes root = space_of_root([] { tine::run(large_and_small); }).serial - child - 800'000;
  CHECK(root > 0);
  CHECK(root < 2'000);
  check_everywhere({root + child + 800'000, root + 64 + 2 * child + 900'000, 0}, [] { tine::run(large_and_small); });
}

task<> keep_and_throw(std::size_t n) {
  co_await tine::call(keep, n, nullptr);
  const auto array = co_await tine::scratch<std::byte>(2 * n);
  use(const_cast<std::byte*>(array.data()));
  throw std::runtime_error{"on purpose"};
}
task<> catch_in_turn(std::size_t n) {
  for (int i = 0; i < 3; ++i) {
    try {
      co_await tine::fork(keep_and_throw, n);
      co_await tine::call(keep, n, nullptr);
      co_await tine::join;
    } catch (const std::runtime_error&) {
    }
    try {
      co_await tine::call(keep_and_throw, n);
    } catch (const std::runtime_error&) {
    }
  }
}

TEST_CASE("frames that exceptions end") {
  answer found[2];
  for (int i = 0; i < 2; ++i) {
    found[i] = space_of_root([i] { tine::run(catch_in_turn, std::size_t{1'600} << i); });
    CHECK(found[i].left == 0);
  }
  CHECK(found[1].serial - found[0].serial == 2 * 1'600);
  CHECK(found[1].worst - found[0].worst == 3 * 1'600);
  check_everywhere(found[0], [] { tine::run(catch_in_turn, std::size_t{1'600}); });
}

struct at_once {
  bool await_ready() const noexcept { return false; }
  void await_suspend(tine::resumption r) const noexcept { r.resume(); }
  void await_resume() const noexcept {}
};
task<> park_and_keep(std::size_t n) {
  co_await at_once{};
  const auto array = co_await tine::scratch<std::byte>(n);
  co_await at_once{};
  use(const_cast<std::byte*>(array.data()));
}
task<> fork_parking() {
  co_await tine::fork(park_and_keep, std::size_t{1'600});
  co_await tine::call(park_and_keep, std::size_t{800});
  co_await tine::join;
}

TEST_CASE("tasks that leave their workers") {
  const answer found = space_of_root([] { tine::run(fork_parking); });
  CHECK(found.worst - found.serial > 800);
  CHECK(found.left == 0);
  check_everywhere(found, [] { tine::run(fork_parking); });
}

/// Lets the current strand hold `n` bytes for a moment.
void hold_for_a_moment(bytes n) {
  space_with_frames& v = *tine::current_vertex<space_with_frames>();
  v.hold(n);
  v.hold(-n);
}
/// `own` receives the size of the frame of this task.
task<> keep_then_par(bytes* own) {
  if (own != nullptr) *own = used();
  co_await tine::call(dive, 3, nullptr);
  tine::par([] { hold_for_a_moment(48'000); }, [] { hold_for_a_moment(32'000); });
}

TEST_CASE("memory of a called task is released before the strand forks") {
  bytes root = 0;
  tine::pool{{.workers = 1}}.run([&] { tine::augment<space_with_frames>([&] { tine::run(keep_then_par, &root); }); });
  check_everywhere({root + 48'000, root + 80'000, 0}, [] { tine::run(keep_then_par, nullptr); });
}

void keep_in_loop() {
  tine::par_for(0, 50, [](int) { tine::run(fork_and_call, std::size_t{160}, std::size_t{320}, nullptr); });
}
task<> loop(bytes* own) {
  if (own != nullptr) *own = used();
  co_await tine::call(dive, 1, nullptr);  // a task that awaits nothing would have no frame
  keep_in_loop();
}

TEST_CASE("tasks in the iterations of a loop, also of one that is in a task") {
  const auto [root, child] = sizes_of_fork_and_call();
  const answer once{root + child + 320, 50 * (root + 2 * child + 480), 0};
  check_everywhere(once, keep_in_loop);
  bytes outer = 0;
  tine::run(loop, &outer);
  CHECK(outer > 0);
  check_everywhere({outer + once.serial, outer + once.worst, 0}, [] { tine::run(loop, nullptr); });
}

}  // namespace
