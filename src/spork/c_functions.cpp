// The functions of the C library that the interpreter knows.
#include "spork/c_functions.hpp"

#include <array>
#include <cmath>

namespace tine::spork {
namespace {

template <double (*F)(double)>
value one(std::span<const value> args) {
  return value::fraction(F(args[0].as_fraction()));
}
template <double (*F)(double, double)>
value two(std::span<const value> args) {
  return value::fraction(F(args[0].as_fraction(), args[1].as_fraction()));
}
value magnitude(std::span<const value> args) {
  return args[0].as_number() < 0 ? value{type::i64, 0 - args[0].bits} : args[0];
}

}  // namespace

const c_function* find_c_function(std::string_view name) {
  static const std::vector<type> f{type::f64}, ff{type::f64, type::f64}, i{type::i64};
  static const std::array table{
      c_function{"sqrt", f, type::f64, one<&std::sqrt>},   c_function{"sin", f, type::f64, one<&std::sin>},
      c_function{"cos", f, type::f64, one<&std::cos>},     c_function{"exp", f, type::f64, one<&std::exp>},
      c_function{"log", f, type::f64, one<&std::log>},     c_function{"fabs", f, type::f64, one<&std::fabs>},
      c_function{"floor", f, type::f64, one<&std::floor>}, c_function{"ceil", f, type::f64, one<&std::ceil>},
      c_function{"pow", ff, type::f64, two<&std::pow>},    c_function{"atan2", ff, type::f64, two<&std::atan2>},
      c_function{"fmin", ff, type::f64, two<&std::fmin>},  c_function{"fmax", ff, type::f64, two<&std::fmax>},
      c_function{"llabs", i, type::i64, magnitude},
  };
  for (const c_function& each : table) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

}  // namespace tine::spork
