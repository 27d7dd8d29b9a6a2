// Reductions: the results of iterations that are combined in their order, and what maps and combines do besides.
#include "../race_case.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace {

using race_test::keep;

constexpr int n = 100;

RACE_CASE(sums_of_vectors) {
  using vector = std::vector<int>;
  vector shared(4);
  its.races_in(shared.data(), 4 * sizeof(int));
  const vector sum = tine::par_reduce(
      0, n, vector(4),
      [&](int i) {
        vector v(4);
        v[static_cast<std::size_t>(i) % 4] = 1;
        if (its.racy) ++shared[static_cast<std::size_t>(i) % 4];
        return v;
      },
      [](vector a, const vector& b) {
        for (std::size_t k = 0; k < a.size(); ++k) a[k] += b[k];
        return a;
      });
  shared = sum;
  keep(shared);
}

RACE_CASE(reproducible_sum) {
  double total = 0;
  its.races_on(total);
  double sum = tine::par_reduce(
      tine::reproducible, 0, n, 0.0,
      [&](int i) {
        if (its.racy) total += i;
        return 1.0 / (i + 1);
      },
      std::plus<>{});
  keep(sum);
}

CLEAN_CASE(reproducible_sum_of_vectors) {
  using vector = std::vector<double>;
  vector sum = tine::par_reduce(
      tine::reproducible, 0, 50, vector(3), [](int i) { return vector(3, i); },
      [](vector a, const vector& b) {
        for (std::size_t k = 0; k < 3; ++k) a[k] += b[k];
        return a;
      });
  keep(sum);
}

// A result of numbers runs in order, and one with a pointer as a tree.
struct mean_and_peak {
  double sum = 0, peak = 0;
  int items = 0;
};
mean_and_peak joined(mean_and_peak a, mean_and_peak b) {
  return {a.sum + b.sum, a.peak > b.peak ? a.peak : b.peak, a.items + b.items};
}
RACE_CASE(reduction_to_several_numbers) {
  std::vector<double> x(n, 1.5);
  double last = 0;
  its.races_on(last);
  mean_and_peak all = tine::par_reduce(
      x, mean_and_peak{},
      [&](double v) {
        if (its.racy) last = v;
        return mean_and_peak{v, v, 1};
      },
      [](mean_and_peak a, mean_and_peak b) { return joined(a, b); });
  keep(all);
}

struct chain {
  int* first = nullptr;
  int* last = nullptr;
};
RACE_CASE(reduction_to_chains_of_items) {
  std::vector<std::array<int, 2>> links(n);
  int shared = 0;
  its.races_on(shared);
  chain all = tine::par_reduce(
      0, n, chain{},
      [&](int i) {
        int* const own = its.racy && i >= n - 2 ? &shared : &links[static_cast<std::size_t>(i)][0];
        *own = i;
        return chain{own, own};
      },
      [](chain a, chain b) {
        if (a.last == nullptr || b.first == nullptr) return a.last == nullptr ? b : a;
        ++*a.last;  // the item of another iteration, which has ended
        return chain{a.first, b.last};
      });
  keep(all);
}

// Items are moved out of their places: each place is touched by one iteration.
CLEAN_CASE(reduction_that_moves_its_items) {
  std::vector<std::string> words(40, "a string that is too long for the object itself");
  std::string all = tine::par_reduce(
      words, std::string{}, [](std::string& w) { return std::move(w); },
      [](std::string a, const std::string& b) { return a + b; });
  keep(all);
}

// A copy for each worker: no two workers touch the same one, nor the memory that it has allocated. In the racy form all
// use the copy of one worker.
GUARDED_CASE(counts_of_workers) {
  tine::per_worker counts{[] { return std::vector<int>(4); }};
  std::vector<int>& first = counts.local();
  its.races_on(first);
  its.races_in(first.data(), 4 * sizeof(int));
  tine::par_for(0, n, [&](int i) { ++(its.racy ? first : counts.local())[static_cast<std::size_t>(i) % 4]; });
  int sum = counts.combine(0, [](int so_far, const std::vector<int>& v) { return so_far + v[0]; });
  keep(sum);
}

// Not the sum of the worker's copies, but the copy of one worker for all.
GUARDED_CASE(one_copy_for_all_workers) {
  tine::per_worker<int> counts;
  int& mine = counts.local();
  its.races_on(mine);
  tine::par_for(0, n, [&](int) { ++(its.racy ? mine : counts.local()); });
}

}  // namespace
