// Models of the joins of coroutines after a steal, under weak memory: one thread resumes the frame, it sees what the
// others wrote, and no other thread touches the frame any more. strands.hpp says what is the product's own code (nearly
// all) and what is the model's.
#include "model/strands.hpp"

namespace tine::model {
namespace {

int unread;  ///< receives all results; Relacy does not check it

/// A child. It writes the value that counts to a variable that Relacy checks. Its parent reads the variable after the
/// join.
task<int> leaf(race_checked<int>& into, int value) {
  into.set(value);
  co_return value;
}

task<int> slow_leaf(race_checked<int>& into, int value) {
  dawdle(20);
  into.set(value);
  co_return value;
}

// ---------------------------------------------------------------------------------------------------------------
// One thread resumes the frame, and sees what the children wrote and what the frame's own code wrote on its way.

/// A scope with one fork: its continuation is stolen at most once.
task<int> forks_once(race_checked<int>& into, int value) {
  race_checked<int> child;
  race_checked<int> own;
  co_await tine::fork(&unread, leaf, child, value);
  own.set(value + 1);
  co_await tine::join;
  claim(child.get() == value, "what the child wrote");
  claim(own.get() == value + 1, "what the frame wrote before the join");
  into.set(value + 2);
  co_return value + 2;
}

/// A scope with two forks: its continuation is stolen at most twice, and two children may end on other workers.
task<int> forks_twice(race_checked<int>& into, int value) {
  race_checked<int> first, second, own;
  co_await tine::fork(&unread, leaf, first, value);
  own.set(value + 1);
  co_await tine::fork(&unread, leaf, second, value + 2);
  own.set(own.get() + value);
  co_await tine::join;
  claim(first.get() == value && second.get() == value + 2, "what the children wrote");
  claim(own.get() == value + 1 + value, "what the frame wrote before the join");
  into.set(value + 3);
  co_return value + 3;
}

/// One frame, two scopes one after the other.
struct one_steal : strand_suite<one_steal, 2> {
  static task<> root() {
    race_checked<int> child, own;
    for (int scope = 1; scope <= 2; ++scope) {
      co_await tine::fork(&unread, leaf, child, scope);
      own.set(scope);
      co_await tine::join;
      claim(child.get() == scope, "what the child wrote");
      claim(own.get() == scope, "what the frame wrote before the join");
    }
  }
};

/// Like `one_steal`, with two children in each scope.
struct two_steals : strand_suite<two_steals, 3> {
  static task<> root() {
    race_checked<int> first, second, own;
    for (int scope = 1; scope <= 2; ++scope) {
      co_await tine::fork(&unread, leaf, first, scope);
      own.set(scope);
      co_await tine::fork(&unread, slow_leaf, second, scope + 1);
      own.set(own.get() + 1);
      co_await tine::join;
      claim(first.get() == scope && second.get() == scope + 1, "what the children wrote");
      claim(own.get() == scope + 1, "what the frame wrote before the join");
    }
  }
};

/// Frames end and others begin in their memory. Children fork, too. A caller continues on the worker on which its
/// callee ended.
struct frames_end : strand_suite<frames_end, 3> {
  static task<> root() {
    race_checked<int> first, second, third;
    co_await tine::fork(&unread, forks_once, first, 10);
    co_await tine::call(forks_once, second, 20);
    co_await tine::call(forks_once, third, 30);
    co_await tine::join;
    claim(first.get() == 12 && second.get() == 22 && third.get() == 32, "what children and callees wrote");
  }
};

/// Continuations are promoted on demand: at a fork, or by a signal in the middle of a child.
struct asked_for : strand_suite<asked_for, 2> {
  static options settings() { return promoting(promotion::on_demand(100, 4)); }
  static task<> root() {
    race_checked<int> first, second;
    co_await tine::fork(&unread, forks_once, first, 10);
    co_await tine::call(forks_twice, second, 20);
    co_await tine::join;
    claim(first.get() == 12 && second.get() == 23, "what children and callees wrote");
  }
};

/// Some calls find the native stack used up and continue from the driver, on an empty native stack.
struct deep_calls : strand_suite<deep_calls, 2> {
  static constexpr unsigned one_deep_in = 3;
  static task<> root() { return asked_for::root(); }
};

// ---------------------------------------------------------------------------------------------------------------
// Exceptions.

task<int> throws(race_checked<int>& into, int value) {
  into.set(value);
  throw value;
  co_return value;
}

/// Two children throw. The join throws one of the two exceptions, and the frame sees what its thrower wrote. The next
/// scope does not see the exception.
struct two_throw : strand_suite<two_throw, 3> {
  static task<> root() {
    race_checked<int> written[3];
    int caught = 0;
    try {
      co_await tine::fork(&unread, throws, written[1], 1);
      co_await tine::fork(&unread, throws, written[2], 2);
      co_await tine::join;
    } catch (int which) {
      caught = which;
    }
    claim(caught == 1 || caught == 2, "one of the two exceptions");
    claim(written[1].get() == 1 && written[2].get() == 2, "what the children wrote");
    co_await tine::fork(&unread, leaf, written[0], 3);
    co_await tine::join;
    claim(written[0].get() == 3, "what the child of the next scope wrote");
  }
};

/// A frame ends by an exception of its own while it has open forks. It waits for its children before it ends, and their
/// exception is dropped.
struct leaves_forks_open : strand_suite<leaves_forks_open, 3> {
  static task<> ends_early(race_checked<int>& first, race_checked<int>& second) {
    co_await tine::fork(&unread, throws, first, 1);
    co_await tine::fork(&unread, leaf, second, 2);
    throw 3;
  }
  static task<> root() {
    race_checked<int> first, second;
    int caught = 0;
    try {
      co_await tine::call(ends_early, first, second);
    } catch (int which) {
      caught = which;
    }
    claim(caught == 3, "the frame's own exception");
    claim(first.get() == 1 && second.get() == 2, "what the children wrote");
  }
};

// ---------------------------------------------------------------------------------------------------------------
// A fiber waits in the middle of the frame's code.

/// A result that must be destroyed: code that leaves its scope waits for the frame's children first.
struct heavy {
  explicit heavy(int v) : value{v} {}
  heavy(heavy&&) = default;
  ~heavy() {}
  int value;
};

task<heavy> heavy_leaf(race_checked<int>& into, int value) {
  into.set(value);
  co_return heavy{value};
}

/// The frame waits for its children when an exception leaves the scope of their results. Then it forks again as usual.
struct waits_in_code : strand_suite<waits_in_code, 3> {
  static task<> root() {
    race_checked<int> first, second, third;
    for (int scope = 1; scope <= 2; ++scope) {
      try {
        eventually<heavy> one, two;
        co_await tine::fork(&one, heavy_leaf, first, scope);
        co_await tine::fork(&two, heavy_leaf, second, scope + 1);
        throw scope;
      } catch (int) {
        claim(first.get() == scope && second.get() == scope + 1, "what the children wrote");
      }
      co_await tine::fork(&unread, leaf, third, scope);
      co_await tine::join;
      claim(third.get() == scope, "what the child of the next scope wrote");
    }
  }
};

// ---------------------------------------------------------------------------------------------------------------
// A task leaves its worker to wait for something outside, and continues on a named worker or on any worker.

/// The worker with that number.
worker_ref worker_of(const sched::pool_state& p, unsigned i) { return worker_ref{&p.member(i)}; }

/// Twice a task waits for an outside thread: between fork and join, when the frame may be stolen, and in a callee.
struct waits_outside : strand_suite<waits_outside, 3> {
  static constexpr unsigned members_at_start = 2;
  static inline waits_outside* here;  ///< the suite of the current iteration

  /// The event that a task waits for.
  struct news {
    std::optional<resumption> waiter;
    base::atomic<int> is_there{0};
    bool is_near = false;
    bool await_ready() const noexcept { return false; }
    void await_suspend(resumption r) noexcept {
      waiter = r;
      is_there.store(1, base::release);
      is_near = true;
      stir_all();
    }
    void await_resume() const noexcept {}
    /// The outside thread's part. The outside thread reads nothing of this object after the resumption.
    void arrive(const sched::pool_state& p) {
      rest_until([this] { return is_near; });
      while (is_there.load(base::acquire) == 0) base::pause();
      const resumption r = *waiter;
      dawdle(30);
      rl::rand(2) == 0 ? r.resume() : r.resume_on(worker_of(p, rl::rand(2)));
    }
  };

  static task<int> callee(race_checked<int>& into, int value) {
    race_checked<int> child;
    co_await here->all[1];
    co_await tine::fork(&unread, leaf, child, value);
    into.set(value);
    co_await tine::join;
    claim(child.get() == value, "what the callee's child wrote");
    co_return value;
  }
  static task<> root() {
    race_checked<int> first, second, own;
    co_await tine::fork(&unread, leaf, first, 1);
    own.set(1);
    co_await here->all[0];
    own.set(own.get() + 1);
    co_await tine::call(callee, second, 2);
    co_await tine::join;
    claim(own.get() == 2, "what the frame wrote before and after it waited");
    claim(first.get() == 1 && second.get() == 2, "what child and callee wrote");
  }

  waits_outside() { here = this; }
  void thread(unsigned index) {
    if (index < members_at_start) return strand_suite::thread(index);
    words_of_this_thread();
    for (news& n : all) n.arrive(*pool);
    end_thread();
  }

  news all[2];
};

/// Tasks move from worker to worker, and what was pending stays on the worker that they leave: the parent of a child,
/// and what was promoted in the scope of a parent.
struct moves : strand_suite<moves, 2> {
  static options settings() { return promoting(promotion::on_demand(100, 4)); }
  static task<int> moving_leaf(race_checked<int>& into, int value) {
    co_await tine::resume_on(worker_of(sched::hot::self()->pool, static_cast<unsigned>(value) % 2));
    into.set(value);
    co_return value;
  }
  static task<> root() {
    race_checked<int> child, own;
    for (int scope = 1; scope <= 2; ++scope) {
      co_await tine::fork(&unread, moving_leaf, child, scope);
      own.set(scope);
      co_await tine::resume_on(worker_of(sched::hot::self()->pool, scope == 1 ? 0 : 1));
      co_await tine::join;
      claim(child.get() == scope, "what the child wrote");
      claim(own.get() == scope, "what the frame wrote before it moved");
    }
  }
};

}  // namespace
}  // namespace tine::model

int main(int argc, char** argv) {
  using namespace tine::model;
  return run_suites<one_steal, two_steals, frames_end, asked_for, deep_calls, two_throw, leaves_forks_open,
                    waits_in_code, waits_outside, moves>(argc, argv);
}
