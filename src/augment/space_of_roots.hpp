// The memory of a process, put together from that of its roots.
#pragma once

#include <tine/augment/space.hpp>
#include <tine/base/ticks.hpp>

#include <cstdint>
#include <vector>

namespace tine::detail {

/// Composes the space profiles of roots by the times at which they ran: a root that began after another root had ended
/// follows it, and roots that overlap run beside each other. It is not thread-safe.
class space_of_roots {
 public:
  /// Adds a root that ran from `begin` to `end`. Roots are added in the order in which they end.
  void add(base::ticks begin, base::ticks end, space_profile profile);

  /// Called while no root is open: all roots so far come before all later roots, so they are composed into one profile.
  void settle();

  /// Returns the profile of all roots so far.
  space_profile whole() const;

 private:
  struct root {
    base::ticks begin, end;
    space_profile profile;
  };
  static space_profile composed(std::vector<root> roots);

  space_profile settled_;
  std::vector<root> since_;
};

}  // namespace tine::detail
