// merge-sort without forks; its merges are not cut.
#include "programs/merge-sort/problem.hpp"

#include "harness/loops/serial.hpp"

namespace bench::merge_sort {

void serial(problem& p) { sort(serial_loops{}, p.keys.data(), static_cast<std::ptrdiff_t>(p.n), p.buffer.data()); }

}  // namespace bench::merge_sort
