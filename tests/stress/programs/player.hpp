// Plays programs with tine: each kind of node through the front end that it stands for. All kinds may be inside each
// other.
#pragma once

#include "../census.hpp"
#include "../text.hpp"
#include "oracle.hpp"
#include "tree.hpp"

#include <tine/augment.hpp>
#include <tine/replay.hpp>
#include <tine/stop.hpp>
#include <tine/tine.hpp>

#include <array>
#include <atomic>
#include <exception>
#include <memory>
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
  boxed_text& operator=(boxed_text&&) = delete;
  ~boxed_text() { counts.alive.fetch_sub(1, relaxed); }
  text operator*() const { return *value_; }

 private:
  std::unique_ptr<text> value_;
};

/// A request to stop that the nth leaf makes.
struct stopper {
  std::stop_source source;
  std::atomic<long> leaves_left;
};

/// The surroundings in which a part of a program runs.
struct surroundings {
  const std::vector<tine::pool*>* pools;
  unsigned pool = 0;
  bool may_leave = true;  ///< not inside tine::sequential
  stopper* stops = nullptr;
  bool may_name_workers =
      true;  ///< no worker waits for this part by means of the program's own: see docs/reference/replay.md
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
    volatile double x = 1;
    for (int i = 0, n = t.a < 13 ? static_cast<int>(t.a) : 600 << (t.a - 13) * 2; i < n; ++i) x = x * 1.0000001;
    if (s.stops != nullptr && s.stops->leaves_left.fetch_sub(1, relaxed) == 1) s.stops->source.request_stop();
    tell<letters, letters_of_loops>(letter(h));
    return letter(h);
  }

  static text seq(const tree& t, std::uint64_t h, surroundings s) {
    text sum;
    for (std::size_t i = 0; i < t.parts.size(); ++i) sum = sum + part(t, i, h, s);
    return sum;
  }

  static text two(const tree& t, std::uint64_t h, surroundings s) {
    const auto f = [&t, h, s] { return part(t, 0, h, s); };
    const auto g = [&t, h, s] { return part(t, 1, h, s); };
    if (t.a == 0) {
      const auto [a, b] = tine::par(f, g);
      return a + b;
    }
    if (t.a == 1) return tine::par(f, g, [](text a, text b) { return a + b; });
    if (t.a == 2) {
      return tine::par([&] { return boxed_text{f()}; }, [&] { return boxed_text{g()}; },
                       [](const boxed_text& a, const boxed_text& b) { return *a + *b; });
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

  static text iteration(const tree& t, std::uint64_t i, std::uint64_t h, surroundings s) {
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
    return tine::par_reduce(
        0U, t.a, text{}, [&](unsigned i) { return iteration(t, i, h, s); }, [](text a, text b) { return a + b; });
  }

  static text deep(const tree& t, std::uint64_t h, surroundings s, unsigned levels) {
    if (levels == 0) return play(t.parts[0], h, s);
    static const tree last;
    return tine::par([&t, h, s, levels] { return deep(t, child_of(h, 0), s, levels - 1); },
                     [h, s] { return leaf(last, h, s); }, [](text a, text b) { return a + b; });
  }

  /// Plays the first part. If it throws, plays the second part inside the handler.
  static text guard(const tree& t, std::uint64_t h, surroundings s) {
    try {
      return part(t, 0, h, s);
    } catch (const error& e) {
      const text after = part(t, 1, h, s);
      if (!e.is_whole()) fail("a handled error was damaged");
      return text_of_error(static_cast<std::uint64_t>(e.number)) + after;
    }
  }

  static text in_pool(const tree& t, std::uint64_t h, surroundings s) {
    if (s.pool != t.a) s.may_leave = true;
    s.pool = t.a;
    return (*s.pools)[t.a]->run([&] { return part(t, 0, h, s); });
  }

  static text in_thread(const tree& t, std::uint64_t h, surroundings s) {
    text result;
    std::exception_ptr thrown;
    s.pool = t.a;
    s.may_leave = true;
    s.may_name_workers = false;
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
    if (t.a == 2) {
      augment_into(body, seen, times);
    } else {
      augment_into(body, seen);
    }
    tell<V>(seen.seen);
    return t.is_exact ? result + mark(h) + seen.seen : result;
  }
  static text observe(const tree& t, std::uint64_t h, surroundings s) {
    return t.a == 1 ? observe_by<letters_of_loops>(t, h, s) : observe_by<letters>(t, h, s);
  }

  static text record(const tree& t, std::uint64_t h, surroundings s) {
    text sum, one;
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
    if (t.what == op::task) co_return co_await tine::call(forks, t, h, s);
    if (t.what != op::calls) co_return play(t, h, s);
    text sum;
    for (std::size_t i = 0; i < t.parts.size(); ++i)
      sum = sum + co_await tine::call(in_task, t.parts[i], child_of(h, i), s);
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

  static task<text> forks(const tree& t, std::uint64_t h, surroundings s) {
    const begun_and_ended visit;
    const std::size_t last = t.parts.size() - 1;
    std::vector<eventually<boxed_text>> each(last);
    for (std::size_t i = 0; i < last; ++i) {
      co_await tine::fork(&each[i], quiet, t.parts[i], child_of(h, i), s);
      if (t.a == 1 && s.may_leave && i % 2 == 0) co_await elsewhere{};
    }
    const boxed_text end = co_await tine::call(quiet, t.parts[last], child_of(h, last), s);
    co_await tine::join;
    text sum;
    for (auto& one : each) sum = sum + **one;
    co_return sum + *end;
  }
};

}  // namespace tine::stress
