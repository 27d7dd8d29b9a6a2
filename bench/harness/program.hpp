// What a benchmark program tells the harness about itself: its parameters, its variants and how to check an answer.
#pragma once

#include "harness/options.hpp"
#include "harness/runtime.hpp"
#include "harness/value.hpp"

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// One way to compute the answer. `run` is what is measured; it leaves the answer where `program::examine` finds it.
struct variant {
  std::string name;
  runtime_kind runtime;
  std::function<void()> run;
  /// On the same workers before each run, unmeasured: puts data where it will be worked on.
  std::function<void()> prepare = [] {};
};

/// What an examination of the last answer found. An empty `mistake` means that the answer is right.
struct finding {
  value answer;
  std::string mistake;
};

/// The problem's parameters by name, as they go into a report.
using parameters = std::map<std::string, value>;

/// A benchmark program. Every function may be called any number of times; nothing here is thread-safe.
struct program {
  std::string name;
  std::string description;
  /// Adds the options of the problem to the command line.
  std::function<void(options&)> add_options;
  /// What the parameters are after parsing.
  std::function<parameters()> params;
  /// Bytes of native stack that the problem's recursion needs; every thread gets at least that.
  std::function<std::size_t()> stack_bytes = [] { return std::size_t{8} << 20; };
  /// Puts the inputs into their first state before each run, unmeasured.
  std::function<void()> reset = [] {};
  /// How often a measured run solves the problem, unless the user says another number: where once is over in a few hundredths of
  /// a second, and more data would leave no room for the processes of all variants. Each pass is reset and checked.
  int passes = 1;
  std::vector<variant> variants;
  /// Checks the answer of the last run, unmeasured.
  std::function<finding()> examine;
};

/// Every program defines this once, in its program.cpp.
program describe_program();

/// A problem and the answer that was given last; what most programs are made of.
template <class Problem, class Answer>
struct experiment {
  Problem problem{};
  Answer answer{};

  /// A variant that computes the answer by `solve`. The experiment must outlive it.
  variant by(std::string name, runtime_kind runtime, Answer (*solve)(const Problem&)) {
    return {std::move(name), runtime, [this, solve] { answer = solve(problem); }};
  }
};

}  // namespace bench
