// par_fold: its parts, their order, their lengths, and exceptions.
#include <tine/augment.hpp>
#include <tine/tine.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace {

using tine::pool;

struct part {
  std::unique_ptr<std::vector<int>> numbers;
};

/// Collects the numbers up to `n` in their order. Counts the parts, and the subranges that are too short.
std::vector<int> collect(int n, std::uint64_t least, std::atomic<int>& parts, std::atomic<int>& too_short) {
  part all = tine::par_fold(
      0, n, least, [] { return part{}; },
      [&](part& so_far, int begin, int end) {
        if (so_far.numbers == nullptr) {
          so_far.numbers = std::make_unique<std::vector<int>>();
          ++parts;
        }
        if (begin >= end || (end - begin < static_cast<int>(least) && n >= static_cast<int>(least))) ++too_short;
        for (int i = begin; i < end; ++i) so_far.numbers->push_back(i);
      },
      [](part& so_far, part&& later) {
        so_far.numbers->insert(so_far.numbers->end(), later.numbers->begin(), later.numbers->end());
      });
  return all.numbers == nullptr ? std::vector<int>{} : *all.numbers;
}

}  // namespace

TEST_CASE("par_fold combines its parts in order, and has no short subranges") {
  for (const unsigned workers : {1U, 2U, 8U}) {
    pool p{{.workers = workers}};
    for (const int n : {0, 1, 9, 10, 11, 19, 1000, 100'000}) {
      for (const std::uint64_t least : {0U, 1U, 10U, 999U}) {
        CAPTURE(n);
        CAPTURE(least);
        std::vector<int> expected(static_cast<std::size_t>(n));
        std::iota(expected.begin(), expected.end(), 0);
        std::atomic<int> parts{0}, too_short{0};
        CHECK(p.run(collect, n, least, std::ref(parts), std::ref(too_short)) == expected);
        CHECK(too_short == 0);
        if (workers == 1 && n != 0) CHECK(parts == 1);
        p.run([&] { tine::augment<tine::work_span>([&] { CHECK(collect(n, least, parts, too_short) == expected); }); });
        CHECK(too_short == 0);
      }
    }
  }
}

TEST_CASE("par_fold rethrows the first exception, and takes iterators") {
  pool p{{.workers = 4}};
  const auto sum_up = [](const auto& fold) {
    const std::vector<int> v(10'000, 2);
    return tine::par_fold(v.begin(), v.end(), 7, [] { return 0L; }, fold, [](long& a, long&& b) { a += b; });
  };
  p.run([&] {
    CHECK(sum_up([](long& sum, auto begin, auto end) { sum = std::accumulate(begin, end, sum); }) == 20'000);
    CHECK_THROWS_AS(sum_up([](long&, auto, auto) { throw std::runtime_error{"no"}; }), std::runtime_error);
  });
}
