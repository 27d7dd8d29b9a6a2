// A program whose own thread-locals are longer than an access to the hot words can skip on aarch64: there
// TINE_LARGE_TLS is needed.
#include <tine/tine.hpp>

#include <algorithm>
#include <iterator>

namespace {

thread_local unsigned char mine[8192] = {1, 2, 3};

bool is_intact() {
  return mine[1] == 2 && std::all_of(mine + 3, std::end(mine), [](unsigned char c) { return c == 0; });
}

}  // namespace

int main() {
  bool right = is_intact();
  tine::pool pool{{.workers = 4}};
  pool.run([&] {
    const long sum = tine::par_reduce(0, 100'000, 0L, [](long i) { return i; }, [](long a, long b) { return a + b; });
    const int both = tine::par([] { return is_intact() ? 1 : 0; }, [] { return is_intact() ? 1 : 0; },
                               [](int a, int b) { return a + b; });
    right = right && sum == 4'999'950'000 && both == 2;
  });
  return right && is_intact() ? 0 : 1;
}
