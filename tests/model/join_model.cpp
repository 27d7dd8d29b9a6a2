// Joins of coroutines after a steal, under weak memory: who goes on with a frame, what it sees, and that nobody else
// touches the frame any more. strands.hpp says what is the product's own code (nearly all) and what is the model's.
#include "model/strands.hpp"

namespace tine::model {
namespace {

/// A few steps of user code in which nothing happens, so that others go far.
void dawdle(unsigned at_most) {
  for (unsigned n = rl::rand(at_most); n != 0; --n) rl::ctx().sched();
}

int unread;  ///< results; Relacy watches none

/// A child writes what counts where its parent reads it after the join.
task<int> leaf(watched<int>& into, int value) {
  into.set(value);
  co_return value;
}

task<int> slow_leaf(watched<int>& into, int value) {
  dawdle(20);
  into.set(value);
  co_return value;
}

// ---------------------------------------------------------------------------------------------------------------
// One goes on, and sees everything: what the children wrote, and what the frame's own code wrote on its way.

/// A scope with one fork: its continuation is stolen at most once.
task<int> forks_once(watched<int>& into, int value) {
  watched<int> child;
  watched<int> own;
  co_await tine::fork(&unread, leaf, child, value);
  own.set(value + 1);
  co_await tine::join;
  claim(child.get() == value, "what the child wrote");
  claim(own.get() == value + 1, "what the frame wrote before the join");
  into.set(value + 2);
  co_return value + 2;
}

/// A scope with two: stolen at most twice, and two children end elsewhere.
task<int> forks_twice(watched<int>& into, int value) {
  watched<int> first, second, own;
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
    watched<int> child, own;
    for (int scope = 1; scope <= 2; ++scope) {
      co_await tine::fork(&unread, leaf, child, scope);
      own.set(scope);
      co_await tine::join;
      claim(child.get() == scope, "what the child wrote");
      claim(own.get() == scope, "what the frame wrote before the join");
    }
  }
};

/// The same with two children a scope.
struct two_steals : strand_suite<two_steals, 3> {
  static task<> root() {
    watched<int> first, second, own;
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

/// Frames end and others begin in their memory; children fork themselves; and callers go on where their callee ended.
struct frames_end : strand_suite<frames_end, 3> {
  static task<> root() {
    watched<int> first, second, third;
    co_await tine::fork(&unread, forks_once, first, 10);
    co_await tine::call(forks_once, second, 20);
    co_await tine::call(forks_once, third, 30);
    co_await tine::join;
    claim(first.get() == 12 && second.get() == 22 && third.get() == 32, "what children and callees wrote");
  }
};

/// Promoted when somebody asks: at a fork, or by a signal in the middle of a child.
struct asked_for : strand_suite<asked_for, 2> {
  static options settings() {
    options o = strand_suite::settings();
    o.promote = promotion::on_demand(100, 4);
    return o;
  }
  static task<> root() {
    watched<int> first, second;
    co_await tine::fork(&unread, forks_once, first, 10);
    co_await tine::call(forks_twice, second, 20);
    co_await tine::join;
    claim(first.get() == 12 && second.get() == 23, "what children and callees wrote");
  }
};

/// Some calls come back from the driver, on an empty native stack.
struct deep_calls : strand_suite<deep_calls, 2> {
  static constexpr unsigned one_deep_in = 3;
  static task<> root() {
    watched<int> first, second;
    co_await tine::fork(&unread, forks_once, first, 10);
    co_await tine::call(forks_twice, second, 20);
    co_await tine::join;
    claim(first.get() == 12 && second.get() == 23, "what children and callees wrote");
  }
};

// ---------------------------------------------------------------------------------------------------------------
// Exceptions.

task<int> throws(watched<int>& into, int value) {
  into.set(value);
  throw value;
  co_return value;
}

/// Two children throw: one of the two is thrown at the join, and with it comes what its thrower wrote. The next scope
/// knows nothing of it.
struct two_throw : strand_suite<two_throw, 3> {
  static task<> root() {
    watched<int> written[3];
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

/// A frame ends by an exception of its own, with forks open: it waits for its children in the middle of that, and their
/// exception loses.
struct leaves_forks_open : strand_suite<leaves_forks_open, 3> {
  static task<> ends_early(watched<int>& first, watched<int>& second) {
    co_await tine::fork(&unread, throws, first, 1);
    co_await tine::fork(&unread, leaf, second, 2);
    throw 3;
  }
  static task<> root() {
    watched<int> first, second;
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

/// A result that has to be destroyed: whoever leaves its scope waits for the frame's children first.
struct heavy {
  explicit heavy(int v) : value{v} {}
  heavy(heavy&&) = default;
  ~heavy() {}
  int value;
};

task<heavy> heavy_leaf(watched<int>& into, int value) {
  into.set(value);
  co_return heavy{value};
}

/// And after that the frame forks again, as if nothing had been.
struct waits_in_code : strand_suite<waits_in_code, 3> {
  static task<> root() {
    watched<int> first, second, third;
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

constexpr suite suites[] = {
    {"one_steal", &explore<one_steal>},
    {"two_steals", &explore<two_steals>},
    {"frames_end", &explore<frames_end>},
    {"asked_for", &explore<asked_for>},
    {"deep_calls", &explore<deep_calls>},
    {"two_throw", &explore<two_throw>},
    {"leaves_forks_open", &explore<leaves_forks_open>},
    {"waits_in_code", &explore<waits_in_code>},
};

}  // namespace
}  // namespace tine::model

int main(int argc, char** argv) { return tine::model::run_suites(tine::model::suites, argc, argv); }
