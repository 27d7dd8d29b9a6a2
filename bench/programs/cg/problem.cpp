// See problem.hpp.
#include "programs/cg/problem.hpp"

#include "harness/value.hpp"

#include <cmath>

namespace bench::cg {
namespace {

constexpr problem_class classes[] = {
    {"S", 1400, 7, 15, 10, 8.5971775078648},
    {"W", 7000, 8, 15, 12, 10.362595087124},
    {"A", 14000, 11, 15, 20, 17.130235054029},
    {"B", 75000, 13, 75, 60, 22.712745482631},
};

}  // namespace

problem::problem() : chosen{classes} {}

void problem::reset() {
  if (chosen.has_changed()) source = make_matrix(chosen->rows, chosen->nonzeros, chosen->shift);
  zeta = 0;
  rows = {static_cast<std::size_t>(chosen->rows), static_cast<std::size_t>(block)};
}

void problem::allocate() {
  starts.renew(rows.units + 1);
  columns.renew(source.columns.size());
  values.renew(source.values.size());
  for (untouched<double>* vector : {&x, &z, &p, &q, &r}) vector->renew(rows.units);
  part.renew(static_cast<std::size_t>(rows.blocks()));
}

std::string problem::mistake() const {
  if (std::abs(zeta - chosen->zeta) <= 1e-10 * chosen->zeta) return "";
  return format("zeta is {:.14g}, not {:.14g} (class {})", zeta, chosen->zeta, chosen->name);
}

}  // namespace bench::cg
