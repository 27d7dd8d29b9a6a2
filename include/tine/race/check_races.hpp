// check_races: looks for determinacy races in a piece of a program.
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
  /// Number of pairs of instructions between which there is a race.
  std::size_t size() const noexcept { return size_; }
  /// Returns true if there is no race.
  bool empty() const noexcept { return size_ == 0; }
  /// The addresses of the bytes with a race, in ascending order; at most 65,536.
  const std::vector<std::uintptr_t>& addresses() const noexcept { return addresses_; }
  /// Number of accesses to memory that were checked. If it is 0, the code is not instrumented.
  std::uint64_t accesses() const noexcept { return accesses_; }
  /// The reason why a part of the code was not checked; empty if all of it was.
  const std::string& incomplete() const noexcept { return incomplete_; }
  /// The report as `tine race` prints it, if the command `tine` is found in PATH or its path is in TINE_COMMAND; else
  /// one line for each race, with addresses. Runs the command as a child process.
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
  /// Reports atomic accesses and accesses under a common lock, too: they do not race, but the result may depend on
  /// their order.
  bool determinism = false;
};

namespace detail {

/// One run that is checked; `check_races` is its only user.
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

/// Runs `f()`, and looks for determinacy races between the strands that it forks: pairs of accesses to the same memory
/// by logically parallel strands, at least one of them a write. The run is serial, on one worker, so the result does
/// not depend on the schedule: for code without locks whose forks do not depend on timing, a race is found if and only
/// if this input has one (Feng and Leiserson 1997).
///
///     const auto races = tine::check_races([&] { histogram(data, bins); });
///     if (!races.empty()) std::cerr << races.text();
///
/// The code must be compiled with `-fsanitize=thread -DTINE_RACE_DETECTION` and linked with libtine_race
/// (docs/reference/races.md). Throws what `f` throws. The detector takes 12 bytes for each 8 bytes that the code
/// accesses; 12 for each 4 or for each byte if it accesses such parts of them. The check gives up, and says so in
/// `incomplete()`, where the system refuses them. Calls from several threads run one after the other; a call inside of
/// another one, or under `tine race`, follows the outer check, and finds nothing by itself.
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
