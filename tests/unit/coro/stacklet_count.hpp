// Counts the stacklets: the memory that tine requests from malloc. The linker redirects the calls of malloc and free in
// the test program and in tine to this count (see CMakeLists.txt). It does not count memory that system libraries
// allocate for themselves.
#pragma once

#include <atomic>

namespace tine::test {

class stacklet_count {
 public:
  /// Returns the number of stacklets made so far.
  long made() const { return made_.load(); }
  /// Returns the bytes of the stacklets that exist now.
  long bytes() const { return bytes_.load(); }
  /// Returns the greatest number of bytes since `forget_peak`.
  long peak() const { return peak_.load(); }
  void forget_peak() { peak_.store(bytes_.load()); }

  void add(long bytes) {
    made_.fetch_add(1);
    const long now = bytes_.fetch_add(bytes) + bytes;
    for (long seen = peak_.load(); seen < now && !peak_.compare_exchange_weak(seen, now);) continue;
  }
  void remove(long bytes) { bytes_.fetch_sub(bytes); }

 private:
  std::atomic<long> made_{0}, bytes_{0}, peak_{0};
};

extern stacklet_count stacklets;

}  // namespace tine::test
