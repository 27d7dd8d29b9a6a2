// Random numbers for parallel programs, the same in every run: they depend on the strand that draws, not on the
// schedule. The method is DotMix (Leiserson–Schardl–Sukha 2012): a strand's pedigree is compressed to one word by a dot
// product with random factors in a prime field, then mixed.
//
// The paper takes the factors from a table as long as the deepest pedigree; here they are computed from the seed, so
// the depth has no limit. The paper walks the pedigree at each draw; here every vertex carries the sum over the
// pedigree above it.
#pragma once

#include <tine/detail/base/splitmix64.hpp>

#include <cstdint>

namespace tine {

namespace detail {

/// Arithmetic modulo the largest prime below 2^64.
namespace dot_mix {

inline constexpr std::uint64_t prime = 0 - std::uint64_t{59};

constexpr std::uint64_t sum(std::uint64_t x, std::uint64_t y) noexcept {
  const std::uint64_t s = x + y;
  return s < x || s >= prime ? s - prime : s;
}

constexpr std::uint64_t product(std::uint64_t x, std::uint64_t y) noexcept {
  __extension__ using wide = unsigned __int128;
  // 2^64 is 59 modulo the prime, so the upper word counts 59 times. The loop runs twice, because the first sum still
  // has an upper word.
  wide p = static_cast<wide>(x) * y;
  for (int fold = 0; fold < 2; ++fold) p = (p >> 64) * 59 + static_cast<std::uint64_t>(p);
  const auto low = static_cast<std::uint64_t>(p);
  return p >> 64 != 0 || low >= prime ? low - prime : low;
}

/// Returns the factor of the pedigree's number at `index`, which is not zero.
constexpr std::uint64_t factor(std::uint64_t seed, std::uint64_t index) noexcept {
  return base::splitmix64::at(seed, index) % (prime - 1) + 1;
}

/// Applies RC6's function and an exchange of halves four times, like the paper. This is a permutation of the words.
constexpr std::uint64_t mixed(std::uint64_t x) noexcept {
  for (int round = 0; round < 4; ++round) {
    x *= 2 * x + 1;
    x = x << 32 | x >> 32;
  }
  return x;
}

}  // namespace dot_mix
}  // namespace detail

/// A vertex that draws random numbers: a uniform random bit generator. Its numbers depend on the seed, on the strand's
/// pedigree and on how many numbers this strand has drawn before; in a loop each iteration is a strand. A stream
/// belongs to its strand: take it anew from the current vertex after each fork, join or iteration, and draw on no other
/// strand. A draw costs a few nanoseconds, and a fork costs two multiplications more than without a stream. The numbers
/// are not suitable for cryptography.
///
///     auto& random = *tine::current_vertex<tine::random_stream>();
///     const double weight = std::uniform_real_distribution{}(random);
class random_stream {
 public:
  using result_type = std::uint64_t;

  /// Makes the stream of seed 0.
  random_stream() noexcept = default;
  /// Makes the stream of `seed`; each seed has another stream.
  explicit random_stream(std::uint64_t seed) noexcept : seed_{seed} {}

  static constexpr result_type min() noexcept { return 0; }
  static constexpr result_type max() noexcept { return ~result_type{0}; }

  /// Returns the next number.
  result_type operator()() noexcept {
    if (step_ == 0) prepare();
    drawn_ = detail::dot_mix::sum(drawn_, step_);
    return detail::dot_mix::mixed(drawn_);
  }

  void fork(random_stream& left, random_stream& right) const noexcept {
    left = right = below();
    right.enter(1);
  }
  void join(random_stream&, random_stream&, random_stream& after) noexcept { advance(after); }

  void loop(random_stream& subrange, std::uint64_t) const noexcept { subrange = below(); }
  void iteration(std::uint64_t i, std::uint64_t) noexcept { enter(i); }
  void append(random_stream&) noexcept {}
  void join_loop(random_stream&, random_stream& after) noexcept { advance(after); }

 private:
  std::uint64_t factor(std::uint64_t index) const noexcept { return detail::dot_mix::factor(seed_, index); }

  /// Returns the term of one number of the pedigree. One is added to the number; otherwise a list that ends in zeros
  /// would have the same sum as a shorter list.
  std::uint64_t term(std::uint64_t index, std::uint64_t number) const noexcept {
    return detail::dot_mix::product(factor(index), detail::dot_mix::sum(number % detail::dot_mix::prime, 1));
  }
  /// Returns the sum over the whole pedigree.
  std::uint64_t compressed() const noexcept {
    using detail::dot_mix::sum;
    return sum(sum(around_, index_ == 0 ? 0 : term(index_ - 1, branch_)), term(index_, rank_));
  }

  /// Prepares the first draw of a strand.
  void prepare() noexcept {
    drawn_ = compressed();
    step_ = factor(index_ + 1);
  }
  /// Begins a new strand, which has drawn no number yet.
  void begin() noexcept { step_ = 0; }

  random_stream below() const noexcept {
    random_stream b{seed_};
    b.around_ = compressed();
    b.index_ = index_ + 2;
    return b;
  }
  void enter(std::uint64_t branch) noexcept {
    branch_ = branch;
    rank_ = 0;
    begin();
  }
  void advance(random_stream& after) noexcept {
    after = *this;
    ++after.rank_;
    after.begin();
  }

  std::uint64_t seed_ = 0;
  std::uint64_t around_ = 0;  // the sum over the pedigree of the strand that forked
  std::uint64_t index_ = 0;   // the index of this strand's rank in the pedigree; its branch has the index before
  std::uint64_t branch_ = 0, rank_ = 0;
  std::uint64_t drawn_ = 0, step_ = 0;  // step_ is 0 until the first draw
};

}  // namespace tine
