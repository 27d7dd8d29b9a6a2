// After rayon's issue 1251, reconstructed: a value that is computed in parallel while its lock is held, by the first branch that needs it.
// A worker that waits inside the computation takes another branch that needs the value.
#include "rayon_program.hpp"

int main(int argc, char** argv) {
  return rayon_program::run(argc, argv, []<class Locks>(Locks, tine::pool& p) {
    typename Locks::mutex lock;
    long value = 0;
    const auto get = [&] {
      const std::lock_guard hold{lock};
      if (value == 0)
        value = tine::par_reduce(0, 256, 0L, [](long i) { return i; }, [](long a, long b) { return a + b; });
      return value;
    };
    long sum = 0;
    p.run(
        [&] { sum = tine::par_reduce(0, 16, 0L, [&](long) { return get(); }, [](long a, long b) { return a + b; }); });
    return sum == 16 * 32'640;
  });
}
