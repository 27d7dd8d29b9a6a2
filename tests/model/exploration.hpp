// Relacy without the macros that it defines over the language: `= delete` and `::new` keep their meaning in the
// product's code. Must be included before all other headers.
#pragma once

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <source_location>
#include <streambuf>
#include <string>
#include <string_view>
#include <thread>
#include <typeinfo>
#include <utility>
#include <vector>

#include <relacy/relacy.hpp>

#undef new
#undef delete
#undef malloc
#undef calloc
#undef realloc
#undef free
#undef assert
#undef errno
#define errno (*__errno_location())
#undef memory_order_relaxed
#undef memory_order_consume
#undef memory_order_acquire
#undef memory_order_release
#undef memory_order_acq_rel
#undef memory_order_seq_cst

namespace tine::model {

/// Fails the test if the claim does not hold. The counterexample shows the place of the claim.
inline void claim(bool holds, const char* what, std::source_location w = std::source_location::current()) {
  if (!holds) {
    rl::ctx().fail_test(what, rl::test_result_user_assert_failed, {w.function_name(), w.file_name(), w.line()});
  }
}

/// Adds a line to the counterexample.
inline void remark(const char* what, std::source_location w = std::source_location::current()) {
  if (rl::ctx().collecting_history()) {
    rl::ctx().exec_log_msg({w.function_name(), w.file_name(), w.line()}, what);
  }
}

/// The order that is weakened, and its weaker form, in a build in which every order of the product calls `asked_order`
/// (run.py --weaken).
struct weakening {
  int site = -1;
  rl::memory_order to = rl::mo_relaxed;
};
inline weakening weakened;

inline rl::memory_order asked_order(int site, rl::memory_order written) {
  return site == weakened.site ? weakened.to : written;
}

/// Reads TINE_MODEL_WEAKEN: the number of an order, and the name of the weaker order that replaces it.
inline void read_weakening() {
  const char* text = std::getenv("TINE_MODEL_WEAKEN");
  if (text == nullptr) return;
  char* name = nullptr;
  weakened.site = static_cast<int>(std::strtol(text, &name, 10));
  constexpr std::pair<std::string_view, rl::memory_order> orders[] = {{" relaxed", rl::mo_relaxed},
                                                                      {" acquire", rl::mo_acquire},
                                                                      {" release", rl::mo_release},
                                                                      {" acq_rel", rl::mo_acq_rel}};
  const auto* o = std::find_if(std::begin(orders), std::end(orders), [&](const auto& p) { return p.first == name; });
  if (o == std::end(orders)) {
    std::cerr << "no order" << name << "\n";
    std::exit(2);
  }
  weakened.to = o->second;
}

/// A plain variable that Relacy checks for data races.
template <class T>
class race_checked {
 public:
  race_checked() = default;
  explicit race_checked(T value, std::source_location w = std::source_location::current()) { set(value, w); }
  void set(T value, std::source_location w = std::source_location::current()) { cell_(here(w)).store(value); }
  T get(std::source_location w = std::source_location::current()) const { return cell_(here(w)).load(); }

 private:
  static rl::debug_info here(std::source_location w) { return {w.function_name(), w.file_name(), w.line()}; }
  rl::var<T> cell_;
};

/// The buffer to which Relacy writes while an iteration runs. Relacy tracks every allocation meanwhile, so the buffer
/// makes none.
class fixed_buffer : public std::streambuf {
 public:
  fixed_buffer() { setp(text_, text_ + sizeof text_); }
  std::string_view text() const { return {pbase(), static_cast<std::size_t>(pptr() - pbase())}; }

 private:
  char text_[4 << 20];
};

/// The schedules `first`, `first` + 1 and so on, `count` in all. Schedule n is drawn from the number n alone, so its
/// number is enough to repeat it.
struct exploration {
  rl::iteration_t count;
  rl::iteration_t first;
};

template <class Suite>
bool explore(const char* name, exploration what) {
  using scheduler = rl::random_scheduler<Suite::params::thread_count>;
  static fixed_buffer buffer;
  std::ostream report{&buffer};
  rl::test_params p;
  p.iteration_count = what.first + what.count - 1;
  p.initial_state.assign(std::to_string(what.first).c_str());
  p.execution_depth_limit = 20000;
  p.output_stream = &report;
  std::ostream nowhere{nullptr};
  p.progress_stream = &nowhere;
  rl::ostringstream failed_at;
  const bool held = rl::run_test<Suite, scheduler>(p, failed_at, false) == rl::test_result_success;
  if (held) {
    std::cout << name << ": held in schedules " << what.first << " to " << p.iteration_count << std::endl;
  } else {
    std::cout << name << ": FAILED in schedule " << p.stop_iteration << std::endl;
    // runs the failed schedule once more, with a history of its steps
    p.initial_state = failed_at.str();
    p.collect_history = true;
    rl::ostringstream again;
    rl::run_test<Suite, scheduler>(p, again, true);
    std::cout << buffer.text() << std::endl;
  }
  return held;
}

struct suite {
  const char* name;
  bool (*run)(const char* name, exploration what);
};

/// Serves the command line `program SUITE [schedules] [first]`. Without arguments: names the suites.
template <std::size_t N>
int run_suites(const suite (&all)[N], int argc, char** argv) {
  if (argc < 2) {
    for (const suite& s : all) std::cout << s.name << "\n";
    return 0;
  }
  read_weakening();
  const exploration what{argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1000,
                         argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1};
  for (const suite& s : all) {
    if (std::string_view{s.name} == argv[1]) return s.run(s.name, what) ? 0 : 1;
  }
  std::cerr << "no suite " << argv[1] << "\n";
  return 2;
}

}  // namespace tine::model
