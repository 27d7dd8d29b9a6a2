// Forks and loops behind wrappers of the program's own, for wrappers_test.py. WRAPPER determines whether the compiler
// may inline them.
#include <tine/tine.hpp>

#include <cstdio>
#include <functional>
#include <vector>

#ifndef WRAPPER
#define WRAPPER [[gnu::always_inline]] inline
#endif

namespace wrap {

template <class Body>
WRAPPER void parallel_for(int n, Body body) {
  tine::par_for(0, n, [&body](int i) { body(i); });
}

template <class F, class G>
WRAPPER void both(F f, G g) {
  tine::par([&f] { f(); }, [&g] { g(); });
}

}  // namespace wrap

[[gnu::noinline]] void fill(std::vector<long>& rows) {
  const std::function<void(int)> body = [&rows](int i) { rows[static_cast<std::size_t>(i)] = i; };
  wrap::parallel_for(static_cast<int>(rows.size()), body);  // in fill
  asm volatile("");
}

[[gnu::noinline]] void clear(std::vector<long>& rows) {
  const std::function<void(int)> body = [&rows](int i) { rows[static_cast<std::size_t>(i)] = 0; };
  wrap::parallel_for(static_cast<int>(rows.size()), body);  // in clear
  asm volatile("");
}

[[gnu::noinline]] void sort_both(std::vector<long>& rows) {
  const std::function<void()> first = [&rows] { rows[0] += 1; }, second = [&rows] { rows[1] += 1; };
  wrap::both(first, second);  // in sort_both
  asm volatile("");
}

int main() {
  std::vector<long> rows(100'000);
  tine::run([&rows] {
    for (int i = 0; i < 5; ++i) fill(rows);
    for (int i = 0; i < 3; ++i) clear(rows);
    for (int i = 0; i < 7; ++i) sort_both(rows);
  });
  std::printf("%ld\n", rows[0]);
}
