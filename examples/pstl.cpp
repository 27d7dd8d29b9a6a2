// Algorithms of the standard library with execution policies. This program is plain C++17: it includes no header of
// tine and names nothing of it. The build makes the difference: it links tine::pstl, and the algorithms run on tine's
// workers.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <execution>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace {

/// The words of a text in which the k-th word is "wK", for some K that repeats.
std::vector<std::string> words(std::size_t n) {
  std::vector<std::size_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  std::vector<std::string> all(n);
  std::transform(std::execution::par, numbers.begin(), numbers.end(), all.begin(),
                 [](std::size_t k) { return "w" + std::to_string(k * 7919 % 1009); });
  return all;
}

}  // namespace

int main() {
  // A sort, and an algorithm that removes: the words that occur.
  std::vector<std::string> dictionary = words(200'000);
  std::sort(std::execution::par, dictionary.begin(), dictionary.end());
  dictionary.erase(std::unique(std::execution::par, dictionary.begin(), dictionary.end()), dictionary.end());

  // A reduction of products: the length of a vector.
  const std::vector<double> x(1'000'000, 0.5);
  const double length = std::sqrt(std::transform_reduce(std::execution::par_unseq, x.begin(), x.end(), x.begin(), 0.0));

  // A scan: where each row of a triangle begins, if the rows are stored one after the other.
  std::vector<long> row_length(1000), row_begin(1000);
  std::iota(row_length.begin(), row_length.end(), 1L);
  std::exclusive_scan(std::execution::par, row_length.begin(), row_length.end(), row_begin.begin(), 0L);

  // A search: it looks at no item behind the chunks that run when it finds the first one.
  const auto found =
      std::find_if(std::execution::par, row_begin.begin(), row_begin.end(), [](long begin) { return begin > 100'000; });

  std::printf("%zu words, length %.0f, row %td begins at %ld\n", dictionary.size(), length, found - row_begin.begin(),
              *found);
  return dictionary.size() == 1009 && length == 500 && *found == 100'128 ? 0 : 1;
}
