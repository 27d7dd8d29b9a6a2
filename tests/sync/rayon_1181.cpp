// After rayon's issue 1181: all workers wait for locks whose holders wait for work that is queued on these workers.
#include "rayon_program.hpp"

int main(int argc, char** argv) {
  return rayon_program::run(argc, argv, []<class Locks>(Locks, tine::pool& p) {
    typename Locks::mutex locks[4];
    long sums[4] = {};
    p.run([&] {
      tine::par_for(0, 16, [&](int i) {
        const std::lock_guard hold{locks[i % 4]};
        long left = 0;
        long right = 0;
        tine::par([&] { left = 1; }, [&] { tine::par([&] { right = 1; }, [] {}); });
        sums[i % 4] += left + right;
      });
    });
    return sums[0] == 8 && sums[1] == 8 && sums[2] == 8 && sums[3] == 8;
  });
}
