// check_races: looks for determinacy races in a piece of code while it runs. Any thread may call it; the checks run one
// after the other.
#pragma once

#include <tine/augment/augment.hpp>
#include <tine/detail/base/macros.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tine {

namespace detail {
struct race_rows;
class checked_run;
}  // namespace detail

/// The races that `check_races` has found.
class races_found {
 public:
  /// Returns the number of pairs of instructions that race.
  std::size_t size() const noexcept { return size_; }
  /// Returns true if nothing races.
  bool empty() const noexcept { return size_ == 0; }
  /// Returns the addresses of the bytes with a race, in ascending order; at most 65,536.
  const std::vector<std::uintptr_t>& addresses() const noexcept { return addresses_; }
  /// Returns the number of memory accesses that were checked. If it is 0, the code is not instrumented.
  std::uint64_t accesses() const noexcept { return accesses_; }
  /// Returns why a part of the code was not checked; empty if all of it was.
  const std::string& incomplete() const noexcept { return incomplete_; }
  /// Returns the report as `tine race` prints it, if the command `tine` is in PATH or its path in TINE_COMMAND.
  /// Otherwise returns one line for each race, with addresses. Runs the command as a child process.
  TINE_API std::string text() const;

 private:
  friend class detail::checked_run;
  std::size_t size_ = 0;
  std::vector<std::uintptr_t> addresses_;
  std::uint64_t accesses_ = 0;
  std::string incomplete_;
  std::shared_ptr<const detail::race_rows> rows_;
};

/// Settings of `check_races`.
struct race_options {
  /// Reports atomic accesses and accesses under a common lock, too. They don't race, but the result may depend on their
  /// order.
  bool determinism = false;
};

namespace detail {

/// One run that is checked; only `check_races` uses it.
class checked_run {
 public:
  TINE_API explicit checked_run(const race_options& how);
  TINE_API ~checked_run();
  checked_run(const checked_run&) = delete;
  checked_run& operator=(const checked_run&) = delete;
  /// Ends the check.
  TINE_API races_found found();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace detail

/// Runs `f()` and looks for determinacy races between the strands that it forks: two accesses to the same memory by
/// logically parallel strands, at least one of them a write. The run is serial, on one worker, so the result does not
/// depend on the schedule. For code without locks whose forks do not depend on timing, it finds a race if and only if
/// this input has one (Feng and Leiserson 1997).
///
///     const auto races = tine::check_races([&] { histogram(data, bins); });
///     if (!races.empty()) std::cerr << races.text();
///
/// Compile the code with `-fsanitize=thread -DTINE_RACE_DETECTION` and link it with libtine_race
/// (docs/reference/races.md). Throws what `f` throws. The detector takes 12 bytes for each 8 bytes that the code
/// accesses, or 12 for each 4 or for each byte where the code accesses such parts. If the system refuses this memory,
/// the check gives up and says so in `incomplete()`. Calls from several threads run one after the other. A call inside
/// another one, or under `tine race`, follows the outer check and finds nothing by itself.
template <class F>
  requires std::invocable<F&>
races_found check_races(F&& f, const race_options& how = {}) {
  static_assert(TINE_RACE && !std::is_void_v<F>,
                "tine: check_races needs code that is compiled with -fsanitize=thread -DTINE_RACE_DETECTION");
  races_found found;
  run([&] {
    detail::checked_run here{how};
    static_cast<void>(sched::run_here(f));
    found = here.found();
  });
  return found;
}

}  // namespace tine
