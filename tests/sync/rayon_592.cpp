// After rayon's issue 592: the branches of a loop hold one mutex over an inner loop. A worker that waits in the inner
// loop takes another branch, which locks the mutex that is held below it.
#include "rayon_program.hpp"

int main(int argc, char** argv) {
  return rayon_program::run(argc, argv, []<class Locks>(Locks) {
    typename Locks::mutex lock;
    long sum = 0;
    {
      rayon_program::each(0, 8, [&](int) {
        const std::lock_guard hold{lock};
        sum += rayon_program::count(16);
      });
    }
    return sum == 8 * 16;
  });
}
