// After rayon's issue 1205: a reader holds a lock over a loop, a writer waits, and a worker that waits in the loop
// takes another reader, which waits behind the writer, on top of the first reader.
#include "rayon_program.hpp"

int main(int argc, char** argv) {
  return rayon_program::run(argc, argv, []<class Locks>(Locks) {
    typename Locks::shared_mutex lock;
    long value = 0;
    bool is_right = true;
    {
      tine::par(
          [&] {
            rayon_program::each(0, 8, [&](int) {
              const std::shared_lock hold{lock};
              const long before = value;
              const long sum = rayon_program::count(16);
              if (sum != 16 || value != before) __atomic_store_n(&is_right, false, __ATOMIC_RELAXED);
            });
          },
          [&] {
            for (int i = 0; i < 4; ++i) {
              const std::lock_guard hold{lock};
              ++value;
            }
          });
    }
    return is_right && value == 4;
  });
}
