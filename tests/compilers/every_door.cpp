// A program that uses something of each door. It is compiled only: with every compiler and in every mode that tine
// supports. In strict modes the distances of views::iota over 64 bits are no type of the language.
#include <tine/pstl.hpp>

#include <tine/algo.hpp>
#include <tine/augment.hpp>
#include <tine/c.h>
#include <tine/race.hpp>
#include <tine/replay.hpp>
#include <tine/stop.hpp>
#include <tine/sync.hpp>
#include <tine/tine.hpp>

#include <algorithm>
#include <cstddef>
#include <execution>
#include <functional>
#include <memory>
#include <mutex>
#include <numeric>
#include <ranges>
#include <string>
#include <vector>

namespace {

tine::task<long> sum_of(const std::vector<long>& v, std::size_t begin, std::size_t end) {
  if (end - begin < 2) co_return v[begin];
  const std::size_t middle = begin + (end - begin) / 2;
  tine::eventually<std::string> text;
  long left = 0;
  co_await tine::fork(&left, sum_of, std::cref(v), begin, middle);
  const long right = co_await tine::call(sum_of, std::cref(v), middle, end);
  co_await tine::join;
  auto two = co_await tine::scratch<long>(2);
  two[0] = left;
  two[1] = right;
  co_return two[0] + two[1];
}

/// Loops and algorithms over each kind of view.
template <class Index>
long over_views(Index n) {
  const auto all = std::views::iota(Index{0}, n);
  const auto squares = all | std::views::transform([](Index i) { return static_cast<long>(i) * 2; });
  std::vector<long> v(static_cast<std::size_t>(n));
  tine::par_for(all, [&](Index i) { v[static_cast<std::size_t>(i)] = 1; });
  tine::par_for(all.begin(), all.end(), [](Index) {});
  tine::par_for_chunks(squares, [](auto, auto) {});
  long sum = tine::par_reduce(squares, 0L, [](long i) { return i; }, std::plus<>{});
  sum += tine::par_reduce(all | std::views::drop(1), 0L, [](Index i) { return static_cast<long>(i); }, std::plus<>{});
  sum += tine::reduce(squares | std::views::reverse, 0L);
  sum += static_cast<long>(tine::count_if(all, [](Index i) { return i != 0; }));
  sum += tine::any_of(all, [](Index i) { return i == 3; });
  tine::transform(all, v.begin(), [](Index i) { return static_cast<long>(i); });
  tine::inclusive_scan(squares, v.begin());
  sum += *tine::max_element(squares) + *tine::find_if(squares, [](long i) { return i > 2; });
  std::for_each(std::execution::par, all.begin(), all.end(), [](Index) {});
  return sum + std::transform_reduce(std::execution::par_unseq, squares.begin(), squares.end(), 0L, std::plus<>{},
                                     std::negate<>{});
}

long managed(std::vector<long>& v) {
  const auto [a, b] = tine::par([&] { return v.size(); }, [] { return std::make_unique<int>(2); });
  tine::task_group group;
  group.run([&] { tine::sort(v); });
  group.wait();
  tine::stable_sort(v, std::greater<>{});
  tine::rotate(v, v.begin() + 1);
  v.erase(tine::unique(v).begin(), v.end());
  std::vector<long> out(2 * v.size());
  tine::set_union(v, v, tine::merge(v, std::vector<long>{}, out.begin()).out);
  std::set_union(std::execution::par, v.begin(), v.end(), v.begin(), v.end(), out.begin());
  v.erase(std::unique(std::execution::par, v.begin(), v.end()), v.end());
  tine::mutex m;
  const std::scoped_lock lock{m};
  std::sort(std::execution::par, v.begin(), v.end());
  return static_cast<long>(a) + *b;
}

}  // namespace

int main() {
  std::vector<long> v{3, 1, 2};
  tine::pool pool{{.workers = 2}};
  long sum = pool.run(sum_of, std::cref(v), std::size_t{0}, v.size());
  sum += pool.submit([&] { return managed(v); }).get();
  sum += over_views(10) + over_views(10U) + over_views(10UL) + over_views(10LL) + over_views<short>(10);
  const auto found = tine::augment<tine::work_span>([] { return 1; });
  const auto schedule = tine::record([] {});
  tine::replay(schedule, tine::replay_mode::relaxed, [] {});
  std::stop_source source;
  const auto stopped = tine::run_until_stopped(source.get_token(), [&] { return tine::is_stopping(); });
  sum += tine_worker_count();
  tine::ignore_races(&sum, sizeof sum);
  return sum == 0 && stopped ? 1 : static_cast<int>(found.work != 0);
}
