// fdtd-2d: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/blocks/program_of_phases.hpp"
#include "harness/reference.hpp"

#include <vector>

namespace bench {
namespace {

/// Computes a step in PolyBench's form: four loops over whole fields, one after the other.
void plain_step(std::size_t n, int step, double* ex, double* ey, double* hz) {
  for (std::size_t j = 0; j < n; ++j) ey[j] = step;
  for (std::size_t i = 1; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) ey[i * n + j] = electric(ey[i * n + j], hz[i * n + j], hz[(i - 1) * n + j]);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 1; j < n; ++j) ex[i * n + j] = electric(ex[i * n + j], hz[i * n + j], hz[i * n + j - 1]);
  for (std::size_t i = 0; i + 1 < n; ++i)
    for (std::size_t j = 0; j + 1 < n; ++j)
      hz[i * n + j] = magnetic(hz[i * n + j], ex[i * n + j + 1], ex[i * n + j], ey[(i + 1) * n + j], ey[i * n + j]);
}

std::uint64_t sum_of(std::size_t size, const double* ex, const double* ey, const double* hz) {
  return checksum(hz, size, checksum(ey, size, checksum(ex, size)));
}

}  // namespace

void problem::reset() {
  right.renew({n, steps}, [this] { return computed_plainly(); });
  rows = {columns(), static_cast<std::size_t>(block)};
}

void problem::allocate() {
  for (untouched<double>* field : {&ex, &ey, &hz}) field->renew(columns() * columns());
}

std::uint64_t problem::computed_plainly() const {
  const std::size_t size = columns() * columns();
  std::vector<double> x(size), y(size), z(size);
  for (std::size_t i = 0; i < columns(); ++i)
    for (std::size_t j = 0; j < columns(); ++j) {
      x[i * columns() + j] = first_ex(i, j);
      y[i * columns() + j] = first_ey(i, j);
      z[i * columns() + j] = first_hz(i, j);
    }
  for (int step = 0; step < steps; ++step) plain_step(columns(), step, x.data(), y.data(), z.data());
  return sum_of(size, x.data(), y.data(), z.data());
}

std::uint64_t problem::answer() const { return sum_of(ex.size(), ex.data(), ey.data(), hz.data()); }

std::string problem::mistake() const {
  if (answer() == right.sum()) return "";
  return format("the fields are not those of PolyBench's loops (n = {}, {} steps)", n, steps);
}

program describe_program() {
  static problem p;
  const auto add_options = [](options& o) { p.add_options(o); };
  program it{
      .name = "fdtd-2d",
      .description = "Computes an electromagnetic wave in two dimensions by finite differences (PolyBench).",
      .add_options = add_options,
      .params = [] { return p.params(); },
  };
  return program_of_phases(p, std::move(it));
}

}  // namespace bench
