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
};

}  // namespace

std::vector<std::string> class_names() {
  std::vector<std::string> names;
  for (const problem_class& c : classes) names.emplace_back(c.name);
  return names;
}

bool problem::choose(const std::string& name) {
  for (const problem_class& c : classes)
    if (name == c.name) class_ = &c;
  return class_ != nullptr && name == class_->name;
}

void problem::reset() {
  if (made_ != class_) source = make_matrix(class_->rows, class_->nonzeros, class_->shift);
  made_ = class_;
  zeta = 0;
  rows = {static_cast<std::size_t>(class_->rows), static_cast<std::size_t>(block)};
}

void problem::allocate() {
  starts.renew(rows.units + 1);
  columns.renew(source.columns.size());
  values.renew(source.values.size());
  for (untouched<double>* vector : {&x, &z, &p, &q, &r}) vector->renew(rows.units);
  part.renew(static_cast<std::size_t>(rows.blocks()));
}

std::string problem::mistake() const {
  if (std::abs(zeta - class_->zeta) <= 1e-10 * class_->zeta) return "";
  return format("zeta is {:.14g}, not {:.14g} (class {})", zeta, class_->zeta, class_->name);
}

}  // namespace bench::cg
