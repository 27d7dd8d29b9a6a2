// How tine ends a program: one line on standard error, then SIGABRT.
#include <tine/detail/base/assert.hpp>

#include "unit/run_child.hpp"

#include <doctest/doctest.h>

#include <csignal>

namespace {

using tine::test::child_end;
using tine::test::run_child;

TINE_IN_CHILD("fatal") { tine::base::fatal("what happened, and what to do"); }
TINE_IN_CHILD("a false claim") { tine::base::assertion_failed("1 > 2", "there.cpp", 1234); }
TINE_IN_CHILD("a true claim") { TINE_ASSERT(1 < 2); }

}  // namespace

TEST_CASE("fatal says its message and aborts") {
  const child_end end = run_child("fatal");
  CHECK(end.died_of(SIGABRT));
  CHECK(end.said == "tine: what happened, and what to do\n");
}

TEST_CASE("a false claim names itself and its place") {
  const child_end end = run_child("a false claim");
  CHECK(end.died_of(SIGABRT));
  CHECK(end.said == "tine: internal claim failed: 1 > 2 at there.cpp:1234\n");
  CHECK(run_child("a true claim").exited_with(0));
}
