// Counts the stacklets: the memory that tine asks malloc for. The test program is linked so that calls of malloc and free
// in it and in tine come here (see CMakeLists.txt); what the system's libraries allocate for themselves is not counted.
#pragma once

#include <atomic>

namespace tine::test {

class stacklet_count {
 public:
  /// How many were made so far.
  long made() const { return made_.load(); }
  /// The bytes of those that are there.
  long bytes() const { return bytes_.load(); }
  /// The most bytes there were since `forget_peak`.
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
