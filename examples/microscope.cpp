// Two analyses of a computation: how parallel it is, and an analysis that this program defines.
#include <tine/augment.hpp>
#include <tine/tine.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

/// Sorts by halves. The merge is serial code, so the longest chain takes n + n/2 + n/4 + … steps.
void sort_halves(int* begin, int* end) {
  if (end - begin < 2) return;
  int* middle = begin + (end - begin) / 2;
  tine::par([=] { sort_halves(begin, middle); }, [=] { sort_halves(middle, end); });
  std::vector<int> merged(static_cast<std::size_t>(end - begin));
  std::merge(begin, middle, middle, end, merged.begin());
  std::copy(merged.begin(), merged.end(), begin);
}

/// A vertex: tine copies it along every strand and merges it at every join. This vertex computes how deep forks nest.
struct nesting {
  int depth = 0;

  void join(const nesting& left, const nesting& right, nesting& after) const {
    after.depth = std::max(depth, 1 + std::max(left.depth, right.depth));
  }
};

}  // namespace

int main() {
  std::vector<int> numbers(1 << 16);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i * 7919 % 65537);

  tine::work_span time;
  nesting forks;
  tine::augment_into([&] { sort_halves(numbers.data(), numbers.data() + numbers.size()); }, time, forks);

  std::printf("%llu forks, %d deep; no number of workers makes it faster than %.1f times\n",
              static_cast<unsigned long long>(time.forks), forks.depth, time.parallelism_high());
  return std::is_sorted(numbers.begin(), numbers.end()) && time.forks == 65535 && forks.depth == 16 ? 0 : 1;
}
