// The description that a benchmark program gives to the harness: its parameters, its variants and the check of an
// answer.
#pragma once

#include "harness/options.hpp"
#include "harness/runtime.hpp"
#include "harness/value.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// One way to compute the answer. `run` is measured, and leaves the answer where `program::examine` finds it.
struct variant {
  std::string name;
  runtime_kind runtime;
  std::function<void()> run;
  /// Runs on the same workers before each run, unmeasured, and places data near the workers that will use it.
  std::function<void()> prepare = [] {};
};

/// The result of an examination of the last answer. An empty `mistake` means that the answer is right.
struct finding {
  value answer;
  std::string mistake;
};

/// A benchmark program. Every function may be called any number of times; nothing here is thread-safe.
struct program {
  std::string name;
  std::string description;
  /// Adds the options of the problem to the command line. Their values are the parameters in reports.
  std::function<void(options&)> add_options;
  /// Returns the bytes of native stack that the problem's recursion needs. Every thread gets at least as many, except
  /// in variants on `tine_tasks`, whose recursion needs no native stack.
  std::function<std::size_t()> stack_bytes = [] { return std::size_t{8} << 20; };
  /// Puts the inputs into their first state before each run, unmeasured.
  std::function<void()> reset = [] {};
  /// The number of times that a measured run solves the problem, unless the user gives another number. It is more than
  /// 1 if one pass takes a few hundredths of a second, and more data would leave no room for the processes of all
  /// variants. Each pass is reset and checked.
  int passes = 1;
  std::vector<variant> variants = {};
  /// Checks the answer of the last run, unmeasured.
  std::function<finding()> examine = {};
};

/// Every program defines this once. It is cold, so that the compiler does not optimise it for speed beside the
/// variants, which are.
[[gnu::cold]] program describe_program();

/// A variant of a program that works on one `Problem`: solves it, and leaves the answer in it.
template <class Problem>
struct solver {
  const char* name;
  runtime_kind runtime;
  void (*solve)(Problem&);
};

/// Completes the description of a program that works on `p`, which must outlive it. `p.reset()` makes the inputs, if it
/// is there; `p.answer` or `p.answer()`, and `p.mistake()`, are what is found.
template <class Problem>
[[gnu::cold]] program completed(program it, Problem& p, const std::vector<solver<Problem>>& solvers) {
  for (const auto& [name, runtime, solve] : solvers) it.variants.push_back({name, runtime, [&p, solve] { solve(p); }});
  if constexpr (requires { p.reset(); }) it.reset = [&p] { p.reset(); };
  it.examine = [&p]() -> finding {
    if constexpr (requires { p.answer(); }) {
      return {p.answer(), p.mistake()};
    } else {
      return {p.answer, p.mistake()};
    }
  };
  return it;
}

}  // namespace bench
