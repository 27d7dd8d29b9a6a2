// heat: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/blocks/program_of_phases.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace bench {
namespace {

/// Returns sin(kπi/(n + 1)) for all i of a row, with exact zeros at the borders.
std::vector<double> sines(int n, int k) {
  std::vector<double> wave(static_cast<std::size_t>(n) + 2);
  for (int i = 1; i <= n; ++i) wave[static_cast<std::size_t>(i)] = std::sin(k * std::numbers::pi * i / (n + 1));
  return wave;
}

/// Returns the factor by which a step multiplies the product of the waves k and l.
double fading(int n, int k, int l) {
  const auto square = [n](int wave) { return std::pow(std::sin(wave * std::numbers::pi / (2 * (n + 1))), 2); };
  return 1 - 0.8 * (square(k) + square(l));
}

}  // namespace

void problem::reset() {
  right_.renew({n, steps}, [this] {
    make_waves();
    return computed_plainly();
  });
  rows = {static_cast<std::size_t>(n), static_cast<std::size_t>(block)};
}

void problem::allocate() {
  for (untouched<double>& grid : grids) grid.renew(stride() * stride());
}

void problem::make_waves() {
  const int k = n / 16, l = n / 24;
  slow_[0] = sines(n, 1);
  slow_[1] = sines(n, 2);
  fast_[0] = sines(n, k);
  fast_[1] = sines(n, l);
  slow_fading_ = std::pow(fading(n, 1, 2), steps);
  fast_fading_ = std::pow(fading(n, k, l), steps);
}

std::uint64_t problem::computed_plainly() const {
  const std::size_t s = stride();
  std::vector<double> now(s * s), next(s * s);
  for (std::size_t i = 0; i < s; ++i)
    for (std::size_t j = 0; j < s; ++j) now[i * s + j] = starting_point(i, j);
  for (int step = 0; step < steps; ++step) {
    for (std::size_t i = 1; i + 1 < s; ++i)
      for (std::size_t j = 1; j + 1 < s; ++j) {
        const double* here = &now[i * s + j];
        next[i * s + j] = stepped(here[0], *(here - s), here[s], here[-1], here[1]);
      }
    std::swap(now, next);
  }
  return checksum(now.data(), now.size());
}

double problem::distance_from_waves() const {
  const double* last = grids[steps % 2].data();
  double distance = 0;
  for (std::size_t i = 0; i < stride(); ++i)
    for (std::size_t j = 0; j < stride(); ++j) {
      const double waves = slow_fading_ * slow_[0][i] * slow_[1][j] + fast_fading_ * fast_[0][i] * fast_[1][j];
      distance = std::max(distance, std::abs(last[i * stride() + j] - waves));
    }
  return distance;
}

std::uint64_t problem::answer() const { return checksum(grids[steps % 2].data(), stride() * stride()); }

std::string problem::mistake() const {
  if (answer() != right_.sum()) return format("the grid is not the serial one (n = {}, {} steps)", n, steps);
  const double distance = distance_from_waves();
  // Each step rounds three times, and no step makes an error grow.
  if (distance < 1e-15 * (steps + 10)) return "";
  return format("a point is {} away from the solution (n = {}, {} steps)", distance, n, steps);
}

program describe_program() {
  static problem p;
  const auto add_options = [](options& o) {
    o.size("--n", p.n, {least_n, largest_n}, large_n, "Rows and columns");
    o.number("--steps", p.steps, {1, 10'000}, "Steps in time");
    o.number("--block", p.block, {1, largest_n}, "Rows of a block");
  };
  program it{
      .name = "heat",
      .description = "Solves the heat equation on a square in explicit steps.",
      .add_options = add_options,
  };
  return program_of_phases(p, std::move(it));
}

}  // namespace bench
