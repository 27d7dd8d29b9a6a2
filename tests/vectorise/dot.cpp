// A dot product, with captures by reference, as users write it.
#include <tine/tine.hpp>

#include <functional>
#include <vector>

int dot(const std::vector<int>& x, const std::vector<int>& y) {
  return tine::par_reduce(0, x.size(), 0, [&](auto i) { return x[i] * y[i]; }, std::plus<>{});
}
