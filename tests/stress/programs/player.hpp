// Plays programs with tine: each kind of node through the front end that it stands for. All kinds may be inside each
// other.
#pragma once

#include "../census.hpp"
#include "../text.hpp"
#include "oracle.hpp"
#include "tree.hpp"

#include <tine/augment.hpp>
#include <tine/augment/labels.hpp>
#include <tine/augment/random.hpp>
#include <tine/augment/space.hpp>
#include <tine/managed/reproducible.hpp>
#include <tine/replay.hpp>
#include <tine/stop.hpp>
#include <tine/tine.hpp>

#include "unit/augment/tally.hpp"

#include <array>
#include <atomic>
#include <cfenv>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace tine::stress {

/// A vertex that notes the letters of its strand. The join puts the letters of all strands in serial order. The vertex
/// takes loops as forks.
struct letters {
  text seen;
  void join(letters& left, letters& right, letters& after) { after.seen = seen + left.seen + right.seen; }
};
/// Like `letters`, but takes a loop as a single node.
struct letters_of_loops {
  text seen;
  void join(letters_of_loops& left, letters_of_loops& right, letters_of_loops& after) {
    after.seen = seen + left.seen + right.seen;
  }
  void loop(letters_of_loops&, std::uint64_t) {}
  void append(letters_of_loops& next) { seen = seen + next.seen; }
  void join_loop(letters_of_loops& piece, letters_of_loops& after) { after.seen = seen + piece.seen; }
};

/// Appends `what` to the letters of the running strand's vertices of these types, if it has such vertices.
template <class... V>
void tell(text what) {
  const auto one = [&](auto* v) {
    if (v != nullptr) v->seen = v->seen + what;
  };
  (one(current_vertex<V>()), ...);
}

/// A move-only answer on the heap.
class boxed_text {
 public:
  explicit boxed_text(text t) : value_{std::make_unique<text>(t)} { counts.alive.fetch_add(1, relaxed); }
  boxed_text(boxed_text&& other) noexcept : value_{std::move(other.value_)} { counts.alive.fetch_add(1, relaxed); }
  boxed_text& operator=(boxed_text&& other) noexcept = default;
  ~boxed_text() { counts.alive.fetch_sub(1, relaxed); }
  text operator*() const { return *value_; }

 private:
  std::unique_ptr<text> value_;
};

/// An answer on the heap that may be copied, as the identity of a reduction must be.
class copied_text : public boxed_text {
 public:
  using boxed_text::boxed_text;
  copied_text(const copied_text& other) : boxed_text{*other} {}
  copied_text(copied_text&&) = default;
  copied_text& operator=(copied_text&&) = default;
};

/// A move-only answer without a destructor.
struct moved_text {
  explicit moved_text(text t) : value{t} {}
  moved_text(moved_text&&) = default;
  moved_text& operator=(moved_text&&) = default;
  text value;
};

/// A local variable of a stricter alignment than that of malloc.
template <std::size_t Alignment>
class alignas(Alignment) aligned_word {
 public:
  explicit aligned_word(std::uint64_t word) : word_{word} {}
  ~aligned_word() {
    // the compiler knows the alignment, and would remove a check that it can see through
    auto* at = this;
    asm volatile("" : "+r"(at));  // NOLINT(hicpp-no-assembler)
    if (reinterpret_cast<std::uintptr_t>(at) % Alignment != 0) fail("a local variable is not aligned");
  }
  aligned_word(const aligned_word&) = delete;
  aligned_word& operator=(const aligned_word&) = delete;
  void expect(std::uint64_t word) const {
    if (word_ != word) fail("a local variable was damaged");
  }

 private:
  std::uint64_t word_;
};

/// A request to stop that the nth leaf makes.
struct stopper {
  std::stop_source source;
  std::atomic<long> leaves_left;
};

/// A vertex that knows in which branch of the last fork, or in which iteration, its strand is.
struct placed {
  std::uint64_t number = 0, of = 0;
  void fork(placed& left, placed& right) {
    left = {0, 2};
    right = {1, 2};
  }
  void join(placed&, placed&, placed& after) { after = *this; }
  void loop(placed&, std::uint64_t) {}
  void iteration(std::uint64_t i, std::uint64_t n) { *this = {i, n}; }
  void append(placed&) {}
  void join_loop(placed&, placed& after) { after = *this; }
};
inline void expect_place(std::uint64_t number, std::uint64_t of) {
  const placed* const p = current_vertex<placed>();
  if (p != nullptr && (p->number != number || p->of != of)) fail("a vertex belongs to another branch or iteration");
}

/// Expects that the strands of a part start and stop in turn, however the part ends.
struct checked_turns {
  test::alternation of;
  ~checked_turns() {
    if (of.end() != 0) fail("a vertex was not started and stopped in turn");
  }
};

/// The names of strands.
template <class Label>
using named = labels::labelled<Label>;

/// A part as its vertices see it. It is the same in every schedule.
struct findings {
  std::uint64_t names = 0;  ///< the labels and random numbers of all leaves
  test::loop_tally counts;
  text seen;
  std::int64_t held = 0, serial_peak = 0, worst_peak = 0;
  friend bool operator==(const findings&, const findings&) = default;
};

/// The surroundings in which a part of a program runs.
struct surroundings {
  const std::vector<tine::pool*>* pools;
  unsigned pool = 0;
  bool may_leave = true;  ///< not inside tine::sequential
  stopper* stops = nullptr;
  bool may_name_workers =
      true;  ///< no worker waits for this part by means of the program's own: see docs/reference/replay.md
  bool may_return = true;  ///< not recorded or in another pool: a task may ask for the worker that it has left
  std::atomic<std::uint64_t>* names = nullptr;  ///< receives what `findings::names` sums up
  int rounding = FE_TONEAREST;
};

class player {
 public:
  static text play(const tree& t, std::uint64_t h, surroundings s) {
    const begun_and_ended visit;
    switch (t.what) {
      case op::leaf:
        return leaf(t, h, s);
      case op::oops:
        throw error{static_cast<long>(h)};
      case op::seq:
        return seq(t, h, s);
      case op::par:
        return t.parts.size() == 2 ? two(t, h, s) : three(t, h, s);
      case op::spork:
        return spork(t, h, s);
      case op::loop:
        return loop(t, h, s);
      case op::reduce:
        return reduce(t, h, s);
      case op::deep:
        return deep(t, h, s, t.a);
      case op::guard:
        return guard(t, h, s);
      case op::task:
      case op::calls:
        return tine::run(in_task, t, h, s);
      case op::pool:
        return in_pool(t, h, s);
      case op::thread:
        return in_thread(t, h, s);
      case op::still:
        s.may_leave = false;
        return tine::sequential([&] { return part(t, 0, h, s); });
      case op::observe:
        return observe(t, h, s);
      case op::record:
        return record(t, h, s);
      case op::stop:
        return stop(t, h, s);
      case op::rounds:
        return rounds(t, h, s);
      case op::count:
        break;
    }
    fail("a node of no kind");
  }

 private:
  struct begun_and_ended {
    begun_and_ended() { counts.begun.fetch_add(1, relaxed); }
    ~begun_and_ended() { counts.ended.fetch_add(1, relaxed); }
  };

  static text part(const tree& t, std::size_t i, std::uint64_t h, surroundings s) {
    return play(t.parts[i], child_of(h, i), s);
  }

  /// Spends one of sixteen amounts of work, from nothing to some twenty microseconds, and tells the leaf's letter.
  static text leaf(const tree& t, std::uint64_t h, surroundings s) {
    if (std::fegetround() != s.rounding) fail("a leaf rounds otherwise than in serial code");
    volatile double x = 1;
    for (int i = 0, n = t.a < 13 ? static_cast<int>(t.a) : 600 << (t.a - 13) * 2; i < n; ++i) x = x * 1.0000001;
    if (s.stops != nullptr && s.stops->leaves_left.fetch_sub(1, relaxed) == 1) s.stops->source.request_stop();
    tell<letters, letters_of_loops>(letter(h));
    if (s.names != nullptr) tell_name(h, *s.names);
    return letter(h);
  }
  static void tell_name(std::uint64_t h, std::atomic<std::uint64_t>& to) {
    using namespace labels;
    const auto* const name = current_vertex<named<depa>>();
    if (name == nullptr) return;  // in a thread of its own
    const std::string all = to_string(name->label()) + to_string(current_vertex<named<offset_span>>()->label()) +
                            to_string(current_vertex<named<english_hebrew>>()->label()) +
                            to_string(current_vertex<named<pedigree>>()->label());
    to.fetch_add(mix(std::hash<std::string>{}(all) ^ (*current_vertex<random_stream>())() ^ h), relaxed);
    test::spend<test::loop_tally>(1 + static_cast<long>(h % 5));
    const auto bytes = static_cast<std::int64_t>(1 + h % 9);
    h % 2 == 0 ? current_vertex<space>()->alloc(bytes) : current_vertex<space>()->free(bytes);
  }

  static text seq(const tree& t, std::uint64_t h, surroundings s) {
    text sum;
    for (std::size_t i = 0; i < t.parts.size(); ++i) sum = sum + part(t, i, h, s);
    return sum;
  }

  static text two(const tree& t, std::uint64_t h, surroundings s) {
    const auto branch = [&t, h, s](std::size_t i) {
      expect_place(i, 2);
      return part(t, i, h, s);
    };
    const auto f = [branch] { return branch(0); };
    const auto g = [branch] { return branch(1); };
    if (t.a == 0) {
      const auto [a, b] = tine::par(f, g);
      return a + b;
    }
    if (t.a == 1) return tine::par(f, g, [](text a, text b) { return a + b; });
    if (t.a == 2 && h % 2 == 0) {
      return tine::par([&] { return moved_text{f()}; }, [&] { return moved_text{g()}; },
                       [](const moved_text& a, const moved_text& b) { return a.value + b.value; });
    }
    if (t.a == 2) {
      return tine::par([&] { return boxed_text{f()}; }, [&] { return boxed_text{g()}; },
                       [](const boxed_text& a, const boxed_text& b) { return *a + *b; });
    }
    if (t.a == 4) {
      text kept;
      auto owning = [&, own = std::make_unique<std::uint64_t>(h)]() -> text& {
        if (*own != h) fail("an owning closure was damaged");
        return kept = g();
      };
      auto&& [a, b] = tine::par(f, std::move(owning));
      if (&b != &kept) fail("a reference came back as another");
      return a + b;
    }
    std::array<std::uint64_t, 30> ballast;
    ballast.fill(h);
    const auto heavy = [=] {
      for (const std::uint64_t word : ballast) {
        if (word != h) fail("a large closure was damaged");
      }
      return g();
    };
    return tine::par(f, heavy, [](text a, text b) { return a + b; });
  }

  static text three(const tree& t, std::uint64_t h, surroundings s) {
    const auto branch = [&](std::size_t i) { return [&t, i, h, s] { return part(t, i, h, s); }; };
    if (t.a % 2 == 1)
      return tine::par(branch(0), branch(1), branch(2), [](text a, text b, text c) { return a + b + c; });
    const auto [a, b, c] = tine::par(branch(0), branch(1), branch(2));
    return a + b + c;
  }

  static text spork(const tree& t, std::uint64_t h, surroundings s) {
    const auto spawn = [&] { return part(t, 1, h, s); };
    const auto serial = [&](text a) { return a + spawn(); };
    return tine::spork([&] { return part(t, 0, h, s); }, spawn, serial, [](text a, text b) { return a + b; }, serial);
  }

  /// In some loops one half of the iterations takes longer, or one of a hundred: the sizes of chunks are wrong again
  /// and again.
  static text iteration(const tree& t, std::uint64_t i, std::uint64_t h, surroundings s) {
    if (t.a > 1) expect_place(i, t.a);
    const bool is_costly = h % 8 == 0 ? i < t.a / 2 : h % 8 == 1 ? i >= t.a / 2 : h % 8 == 2 && mix(h + i) % 97 == 0;
    volatile double x = 1;
    for (int k = is_costly ? h % 8 == 2 ? 20'000 : 300 : 0; k > 0; --k) x = x * 1.0000001;
    return play(t.parts[i % t.parts.size()], child_of(h, i), s);
  }
  static text loop(const tree& t, std::uint64_t h, surroundings s) {
    std::vector<text> each(t.a);
    tine::par_for(0U, t.a, [&](unsigned i) { each[i] = iteration(t, i, h, s); });
    text sum;
    for (const text one : each) sum = sum + one;
    return sum;
  }
  static text reduce(const tree& t, std::uint64_t h, surroundings s) {
    const auto map = [&](unsigned i) { return iteration(t, i, h, s); };
    const auto add = [](text a, text b) { return a + b; };
    if (h % 3 == 0) return tine::par_reduce(0U, t.a, text{}, map, add);
    if (h % 3 == 1) return tine::par_reduce(tine::reproducible, 0U, t.a, text{}, map, add);
    return *tine::par_reduce(
        0U, t.a, copied_text{text{}}, [&](unsigned i) { return copied_text{map(i)}; },
        [](const copied_text& a, const copied_text& b) { return copied_text{*a + *b}; });
  }

  static text deep(const tree& t, std::uint64_t h, surroundings s, unsigned levels) {
    if (levels == 0) return play(t.parts[0], h, s);
    static const tree last;
    return tine::par([&t, h, s, levels] { return deep(t, child_of(h, 0), s, levels - 1); },
                     [h, s] { return leaf(last, h, s); }, [](text a, text b) { return a + b; });
  }

  /// Plays the first part. If it throws, plays the second part inside the handler, which then gives a value or
  /// rethrows.
  static text guard(const tree& t, std::uint64_t h, surroundings s) {
    try {
      return part(t, 0, h, s);
    } catch (const error& e) {
      const text after = part(t, 1, h, s);
      if (!e.is_whole()) fail("a handled error was damaged");
      if (t.a == 1) throw;
      return text_of_error(static_cast<std::uint64_t>(e.number)) + after;
    }
  }

  static text rounds(const tree& t, std::uint64_t h, surroundings s) {
    static constexpr int modes[]{FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    s.rounding = modes[t.a % 4];
    return tine::floating_point_scope([&] {
      std::fesetround(s.rounding);
      return part(t, 0, h, s);
    });
  }

  static text in_pool(const tree& t, std::uint64_t h, surroundings s) {
    if (s.pool != t.a) s.may_leave = true;
    s.pool = t.a;
    s.may_return = false;
    return (*s.pools)[t.a]->run([&] { return part(t, 0, h, s); });
  }

  static text in_thread(const tree& t, std::uint64_t h, surroundings s) {
    text result;
    std::exception_ptr thrown;
    s.pool = t.a;
    s.may_leave = true;
    s.may_name_workers = false;
    s.may_return = false;
    std::thread other{[&] {
      try {
        result = (*s.pools)[t.a]->run([&] { return part(t, 0, h, s); });
      } catch (...) {
        thrown = std::current_exception();
      }
    }};
    other.join();
    if (thrown) std::rethrow_exception(thrown);
    return result;
  }

  template <class V>
  static text observe_by(const tree& t, std::uint64_t h, surroundings s) {
    text result;
    V seen;
    work_span times;
    const auto body = [&] { result = part(t, 0, h, s); };
    checked_turns turns;
    if (t.a == 0) {
      augment_into(body, seen);
    } else if (t.a == 2) {
      augment_into(body, seen, times, turns.of);
    } else {
      augment_into(body, seen, turns.of);
    }
    tell<V>(seen.seen);
    return t.is_exact ? result + mark(h) + seen.seen : result;
  }

  static findings found_in(const tree& t, std::uint64_t h, surroundings s, text& result) {
    std::atomic<std::uint64_t> sum{0};
    s.names = &sum;
    findings f;
    letters_of_loops seen;
    named<labels::depa> a;
    named<labels::offset_span> b;
    named<labels::english_hebrew> c;
    named<labels::pedigree> d;
    random_stream numbers{h};
    placed place;
    checked_turns turns;
    space memory;
    augment_into([&] { result = part(t, 0, h, s); }, seen, f.counts, a, b, c, d, numbers, memory, place, turns.of);
    tell<letters_of_loops>(seen.seen);
    f.names = sum.load();
    f.seen = seen.seen;
    f.held = memory.profile().held();
    f.serial_peak = memory.profile().serial_peak();
    f.worst_peak = memory.profile().worst_peak();
    return f;
  }
  /// Plays the part twice, the first time inside tine::sequential.
  static text observe_twice(const tree& t, std::uint64_t h, surroundings s) {
    text result;
    surroundings serial = s;
    serial.may_leave = false;
    const findings expected = tine::sequential([&] { return found_in(t, h, serial, result); });
    const findings found = found_in(t, h, s, result);
    if (found != expected) fail("a label, a random number, the memory, work, span or a count is not as in serial");
    return result + mark(h) + found.seen;
  }

  static text observe(const tree& t, std::uint64_t h, surroundings s) {
    if (t.a == 3 && t.is_exact) return observe_twice(t, h, s);
    return t.a == 1 ? observe_by<letters_of_loops>(t, h, s) : observe_by<letters>(t, h, s);
  }

  static text record(const tree& t, std::uint64_t h, surroundings s) {
    text sum, one;
    s.may_return = false;
    const auto body = [&] { one = part(t, 0, h, s); };
    schedule made = tine::record(body);
    sum = one;
    const replay_mode modes[]{replay_mode::strict_ordered, replay_mode::strict_unordered, replay_mode::relaxed};
    for (unsigned k = 1; k < plays_of_record; ++k) {
      made = tine::replay(made, s.may_name_workers ? modes[t.a] : replay_mode::relaxed, body).performed;
      sum = sum + one;
    }
    return sum;
  }

  static text stop(const tree& t, std::uint64_t h, surroundings s) {
    stopper here{{}, static_cast<long>(t.a)};
    if (t.a != 0) s.stops = &here;
    try {
      const text result = tine::run_stoppable(here.source.get_token(), [&] { return part(t, 0, h, s); });
      if (t.a == 0) return result;
    } catch (const error&) {
      if (t.a == 0) throw;
    } catch (const tine::stopped&) {
      if (t.a == 0) throw;  // an outer region is stopping
    }
    return stopped_text;
  }

  // Coroutines.

  /// An awaiter that resumes the task on the first worker that is idle.
  struct elsewhere {
    bool await_ready() const noexcept { return false; }
    void await_suspend(tine::resumption r) const noexcept { r.resume(); }
    void await_resume() const noexcept {}
  };

  static task<text> in_task(const tree& t, std::uint64_t h, surroundings s) {
    const begun_and_ended visit;
    if (t.what == op::task) co_return co_await tine::call(t.a == 3 ? forks_into_scratch : forks, t, h, s);
    if (t.what != op::calls) co_return play(t, h, s);
    const aligned_word<32> local{h};
    text sum;
    for (std::size_t i = 0; i < t.parts.size(); ++i)
      sum = sum + co_await tine::call(in_task, t.parts[i], child_of(h, i), s);
    local.expect(h);
    co_return sum;
  }

  static task<boxed_text> quiet(const tree& t, std::uint64_t h, surroundings s) {
    const begun_and_ended visit;
    std::uint64_t number;
    try {
      co_return boxed_text{co_await tine::call(in_task, t, h, s)};
    } catch (const error& e) {
      number = static_cast<std::uint64_t>(e.number);
    }
    co_return boxed_text{text_of_error(number)};
  }

  static task<moved_text> moved(const tree& t, std::uint64_t h, surroundings s) {
    const aligned_word<64> local{h};
    const boxed_text one = co_await tine::call(quiet, t, h, s);
    local.expect(h);
    co_return moved_text{*one};
  }

  /// An element of a scratch array.
  struct element {
    element() { counts.alive.fetch_add(1, relaxed); }
    ~element() { counts.alive.fetch_sub(1, relaxed); }
    element(const element&) = delete;
    element& operator=(const element&) = delete;
    text value;
    aligned_word<32> unused{0};
  };

  static task<> into(element& to, const tree& t, std::uint64_t h, surroundings s, std::unique_ptr<std::uint64_t> same) {
    const begun_and_ended visit;
    if (*same != h) fail("an owning argument was damaged");
    const moved_text one = co_await tine::call(moved, t, h, s);
    to.value = one.value;
  }

  static task<text> forks_into_scratch(const tree& t, std::uint64_t h, surroundings s) {
    const begun_and_ended visit;
    auto each = co_await tine::scratch<element>(t.parts.size());
    auto ballast = co_await tine::scratch<std::uint64_t>(h >> 8 & 255);
    for (std::uint64_t& word : ballast) word = h;
    for (std::size_t i = 0; i < t.parts.size(); ++i) {
      const std::uint64_t below = child_of(h, i);
      co_await tine::fork(into, each[i], t.parts[i], below, s, std::make_unique<std::uint64_t>(below));
    }
    co_await tine::join;
    for (const std::uint64_t word : ballast) {
      if (word != h) fail("a scratch array was damaged");
    }
    text sum;
    for (const element& one : each) sum = sum + one.value;
    co_return sum;
  }

  static task<text> forks(const tree& t, std::uint64_t h, surroundings s) {
    const begun_and_ended visit;
    const std::size_t last = t.parts.size() - 1;
    std::vector<eventually<boxed_text>> each(last);
    const worker_ref here = this_worker();
    for (std::size_t i = 0; i < last; ++i) {
      co_await tine::fork(&each[i], quiet, t.parts[i], child_of(h, i), s);
      if ((t.a == 1 || t.a == 2) && s.may_leave && i % 2 == 0) co_await elsewhere{};
    }
    // any worker takes the place of one whose thread works for another pool meanwhile
    if (t.a == 2 && s.may_leave && s.may_return) co_await tine::resume_on(here);
    text end;
    if (t.a == 4) {
      end = co_await tine::call(in_task, t.parts[last], child_of(h, last), s);  // may throw before the join
    } else {
      end = *co_await tine::call(quiet, t.parts[last], child_of(h, last), s);
    }
    co_await tine::join;
    text sum;
    for (auto& one : each) sum = sum + **one;
    co_return sum + end;
  }
};

}  // namespace tine::stress
