// After rayon's issue 1251, reconstructed: a value that is computed in parallel while its lock is held, by the first
// branch that needs it. A worker that waits inside the computation takes another branch that needs the value.
#include "rayon_program.hpp"

int main(int argc, char** argv) {
  return rayon_program::run(argc, argv, []<class Locks>(Locks) {
    typename Locks::mutex lock;
    long value = 0;
    const auto get = [&] {
      const std::lock_guard hold{lock};
      if (value == 0) value = rayon_program::count(16);
      return value;
    };
    long sum[16] = {};
    rayon_program::each(0, 16, [&](int i) { sum[i] = get(); });
    for (const long each : sum) {
      if (each != 16) return false;
    }
    return true;
  });
}
