// The functions of the C library that the interpreter knows.
#include "ir/c_functions.hpp"

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

const c_function* find_c_function(const function& declared) {
  static const std::vector<type> f{type::f64}, ff{type::f64, type::f64}, i{type::i64};
  static const std::array table{
      c_function{"tan", f, type::f64, one<&std::tan>},
      c_function{"asin", f, type::f64, one<&std::asin>},
      c_function{"acos", f, type::f64, one<&std::acos>},
      c_function{"atan", f, type::f64, one<&std::atan>},
      c_function{"sinh", f, type::f64, one<&std::sinh>},
      c_function{"cosh", f, type::f64, one<&std::cosh>},
      c_function{"tanh", f, type::f64, one<&std::tanh>},
      c_function{"log2", f, type::f64, one<&std::log2>},
      c_function{"log10", f, type::f64, one<&std::log10>},
      c_function{"exp2", f, type::f64, one<&std::exp2>},
      c_function{"cbrt", f, type::f64, one<&std::cbrt>},
      c_function{"trunc", f, type::f64, one<&std::trunc>, "llvm.trunc"},
      c_function{"fmod", ff, type::f64, two<&std::fmod>},
      c_function{"hypot", ff, type::f64, two<&std::hypot>},
      c_function{"sqrt", f, type::f64, one<&std::sqrt>, "llvm.sqrt"},
      c_function{"sin", f, type::f64, one<&std::sin>},
      c_function{"cos", f, type::f64, one<&std::cos>},
      c_function{"exp", f, type::f64, one<&std::exp>},
      c_function{"log", f, type::f64, one<&std::log>},
      c_function{"fabs", f, type::f64, one<&std::fabs>, "llvm.fabs"},
      c_function{"floor", f, type::f64, one<&std::floor>, "llvm.floor"},
      c_function{"ceil", f, type::f64, one<&std::ceil>, "llvm.ceil"},
      c_function{"pow", ff, type::f64, two<&std::pow>},
      c_function{"atan2", ff, type::f64, two<&std::atan2>},
      c_function{"fmin", ff, type::f64, two<&std::fmin>},
      c_function{"fmax", ff, type::f64, two<&std::fmax>},
      c_function{"llabs", i, type::i64, magnitude},
  };
  for (const c_function& each : table) {
    if (each.name != declared.name) continue;
    const bool fits = each.params == declared.param_types && declared.results == std::vector{each.result};
    return fits && declared.in_c ? &each : nullptr;
  }
  return nullptr;
}

bool is_pure(const program& p, const statement& s) {
  if (s.what != operation::call_c) return is_pure(s.what);
  const function& callee = p.functions[s.callee];
  return callee.pure || find_c_function(callee) != nullptr;
}

}  // namespace tine::spork
