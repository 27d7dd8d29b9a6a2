// bignum-add: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/loops/divided.hpp"
#include "harness/loops/managed.hpp"
#include "harness/loops/program_of_loops.hpp"
#include "harness/splitmix.hpp"

#include <algorithm>

namespace bench {

/// Without forks: the carry passes from limb to limb.
void serial(problem& p) { p.carry = add_limbs(p.a.data(), p.b.data(), p.c.data(), p.n); }

void managed(problem& p) { solve(p, managed_loops{}); }
void tuned(problem& p) { solve(p, divided_loops{4}); }
void dac(problem& p) { solve(p, divided_loops{single}); }

namespace {

constexpr std::uint64_t longest_run = 30'000;

/// Writes random limbs, with runs in between in which a[i] + b[i] is one less than the base, so that a carry from
/// before a run passes through all of it. About one limb in fifty is in such a run. A run has up to `longest_run`
/// limbs.
void make_summands(std::vector<limb>& a, std::vector<limb>& b) {
  splitmix random{1};
  const std::size_t n = a.size();
  for (std::size_t i = 0; i < n;) {
    const bool propagates = random.below(50) == 0;
    for (std::size_t end = std::min(n, i + 1 + random.below(longest_run)); i < end; ++i) {
      a[i] = random();
      b[i] = propagates ? ~a[i] : random();
    }
  }
}

}  // namespace

void problem::reset() {
  if (a.size() != n) {
    a.resize(n);
    b.resize(n);
    make_summands(a, b);
  }
  c.assign(n, 0);
  carry = 2;
}

std::string problem::mistake() const {
  limb borrow = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto difference = static_cast<unsigned __int128>(c[i]) - b[i] - borrow;
    if (static_cast<limb>(difference) != a[i]) return format("c - b is not a in limb {} (n = {})", i, n);
    borrow = static_cast<limb>(difference >> 64) & 1;
  }
  return borrow == carry ? "" : "the carry is wrong";
}

program describe_program() {
  static problem p;
  program it{
      .name = "bignum-add",
      .description = "Adds two integers of many megabytes.",
      .add_options = [](options& o) { o.size("--n", p.n, {1, largest_n}, large_n, "Limbs of 64 bits"); },
      .passes = 4,
  };
  return program_of_loops(p, std::move(it));
}

}  // namespace bench
