// After rayon's issue 1181: all workers wait for locks whose holders wait for work that is queued on these workers.
#include "rayon_program.hpp"

int main(int argc, char** argv) {
  return rayon_program::run(argc, argv, []<class Locks>(Locks) {
    typename Locks::mutex locks[4];
    long sums[4] = {};
    {
      rayon_program::each(0, 16, [&](int i) {
        const std::lock_guard hold{locks[i % 4]};
        long left = 0;
        long right = 0;
        tine::par([&] { left = rayon_program::count(4); },
                  [&] { tine::par([&] { right = rayon_program::count(4); }, [] { rayon_program::work(); }); });
        sums[i % 4] += left + right;
      });
    }
    return sums[0] == 32 && sums[1] == 32 && sums[2] == 32 && sums[3] == 32;
  });
}
