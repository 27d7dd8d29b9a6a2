// primes: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/loops/divided.hpp"
#include "harness/loops/managed.hpp"
#include "harness/loops/program_of_loops.hpp"
#include "harness/splitmix.hpp"

namespace bench {
namespace {

std::span<const prime> find_primes_in_order(workspace& w) {
  const std::vector<prime> base = base_primes(w.n, find_primes_in_order);
  prime* end = w.primes.data();
  for (std::int64_t s = 0; s < w.segments; ++s) {
    segment here = w.number(s);
    here.words = w.number(0).words.first(here.words.size());
    here.sieve(base);
    if (s == w.segments - 1) here.forget_above(w.n);
    end = here.write(end);
  }
  w.primes[0] = 2;  // `write` gives 1 for its bit
  return {w.primes.data(), end};
}

}  // namespace

/// Without forks: needs the memory of one segment only, and writes the primes without counting them before.
void serial(problem& p) { p.found = find_primes_in_order(p.space); }

void managed(problem& p) { solve(p, managed_loops{}); }

/// On tine's eager forks: a task for each segment.
void tuned(problem& p) { solve(p, divided_loops{single}); }

void dac(problem& p) { solve(p, divided_loops{single}); }

namespace {

/// Counts and sums the primes up to n in n^(3/4) steps, and finds no prime above the root of n: for each number v that
/// is a whole quotient of n, keeps the totals of the numbers up to v that no prime so far divides properly (the method
/// of Legendre and Meissel, in the order of Lucy).
class meissel {
 public:
  explicit meissel(std::uint64_t n) : n_{n}, root_{static_cast<std::uint64_t>(std::sqrt(static_cast<double>(n)))} {
    small_.resize(root_ + 1);
    large_.resize(root_ + 1);
    for (std::uint64_t i = 1; i <= root_; ++i) {
      small_[i] = {i - 1, i * (i + 1) / 2 - 1};
      large_[i] = {n / i - 1, sum_up_to(n / i) - 1};
    }
  }

  totals operator()() {
    for (std::uint64_t p = 2; p * p <= n_; ++p)
      if (small_[p].count != small_[p - 1].count) cross_out(p);
    return large_[1];
  }

 private:
  static std::uint64_t sum_up_to(std::uint64_t x) { return x % 2 == 0 ? x / 2 * (x + 1) : (x + 1) / 2 * x; }

  void cross_out(std::uint64_t p) {
    const totals below = small_[p - 1];
    const auto subtract = [&](totals& from, const totals& multiples) {
      from.count -= multiples.count - below.count;
      from.sum -= p * (multiples.sum - below.sum);
    };
    for (std::uint64_t i = 1; i <= root_ && n_ / i >= p * p; ++i)
      subtract(large_[i], i * p <= root_ ? large_[i * p] : small_[n_ / (i * p)]);
    for (std::uint64_t v = root_; v >= p * p; --v) subtract(small_[v], small_[v / p]);
  }

  std::uint64_t n_, root_;
  std::vector<totals> small_;  // of the numbers up to i
  std::vector<totals> large_;  // of the numbers up to n / i
};

std::uint64_t power(std::uint64_t base, std::uint64_t exponent, std::uint64_t modulus) {
  std::uint64_t result = 1;
  for (base %= modulus; exponent != 0; exponent /= 2) {
    if (exponent % 2 == 1) result = result * base % modulus;
    base = base * base % modulus;
  }
  return result;
}

/// Miller and Rabin's test; these three witnesses are enough up to 4'759'123'141 (Jaeschke 1993).
bool is_prime(std::uint64_t p) {
  for (const std::uint64_t witness : {2, 7, 61}) {
    if (p == witness) return true;
    if (p % witness == 0) return false;
    const int twos = std::countr_zero(p - 1);
    std::uint64_t x = power(witness, (p - 1) >> twos, p);
    bool passes = x == 1 || x == p - 1;
    for (int i = 1; i < twos && !passes; ++i) {
      x = x * x % p;
      passes = x == p - 1;
    }
    if (!passes) return false;
  }
  return p > 1;
}

}  // namespace

void problem::reset() {
  if (space.n != static_cast<std::int64_t>(n) || expected_.count == 0) {
    space = workspace{static_cast<std::int64_t>(n)};
    expected_ = meissel{n}();
  }
  found = {};
}

std::string problem::mistake() const {
  if (found.size() != expected_.count)
    return format("there are {} primes up to {}, not {}", expected_.count, n, found.size());
  if (!std::ranges::is_sorted(found, std::ranges::less_equal{})) return "the primes do not increase";
  std::uint64_t sum = 0;
  for (const prime p : found) sum += p;
  if (sum != expected_.sum) return format("the sum of the primes is {}, not {}", expected_.sum, sum);
  splitmix random{1};
  for (int i = 0; i < 1000; ++i)
    if (const prime p = found[random.below(found.size())]; !is_prime(p)) return format("{} is no prime", p);
  return "";
}

program describe_program() {
  static problem p;
  program it{
      .name = "primes",
      .description = "Finds the primes up to n by a sieve in segments.",
      .add_options = [](options& o) { o.size("--n", p.n, {2, large_n}, large_n, "The greatest number, at least 2"); },
  };
  return program_of_loops(p, std::move(it));
}

}  // namespace bench
