// The memory of a process, put together from that of its roots.
#pragma once

#include <tine/augment/space.hpp>
#include <tine/base/clock.hpp>

#include <cstdint>
#include <vector>

namespace tine::detail {

/// Composes the space profiles of roots by the times at which they ran: a root that began after another one had ended follows it, and
/// roots that overlap run beside each other. Not thread-safe.
class space_of_roots {
 public:
  /// A root has run from `begin` to `end`. Roots are added in the order in which they end.
  void add(base::ticks begin, base::ticks end, space_profile profile);

  /// No root is open: all roots so far come before all later ones, and need no longer be told apart.
  void settle();

  /// Of all roots so far.
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
