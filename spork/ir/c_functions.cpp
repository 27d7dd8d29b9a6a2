// The functions of the C library that the interpreter knows.
#include "ir/c_functions.hpp"

#include "ir/print.hpp"

#include <algorithm>
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

const c_function* function_of_name(std::string_view name) {
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
      c_function{"copysign", ff, type::f64, two<&std::copysign>, "llvm.copysign"},
      c_function{"nextafter", ff, type::f64, two<&std::nextafter>},
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
  const auto found = std::ranges::find(table, name, &c_function::name);
  return found == table.end() ? nullptr : &*found;
}

bool fits(const c_function& known, const function& declared) {
  return known.params == declared.param_types && declared.results == std::vector{known.result};
}

}  // namespace

const c_function* find_c_function(const function& declared) {
  const c_function* const known = declared.in_c ? function_of_name(declared.name) : nullptr;
  return known != nullptr && fits(*known, declared) ? known : nullptr;
}

diagnostics warnings_of(const program& p) {
  diagnostics all;
  for (const function& f : p.functions) {
    if (!f.in_c) continue;
    if (const c_function* known = function_of_name(f.name); known != nullptr && !fits(*known, f)) {
      all.push_back({f.where, "warning",
                     "'" + f.name + "' is " + show_types(known->params) + " -> " + show_types({known->result}) +
                         " in C; declare it so"});
    } else if (known == nullptr && (f.name.ends_with('f') || f.name.ends_with('l'))) {
      const c_function* const plain = function_of_name(std::string_view{f.name}.substr(0, f.name.size() - 1));
      if (plain == nullptr || plain->result != type::f64) continue;
      all.push_back({f.where, "warning",
                     "'" + f.name + "' takes and gives " + (f.name.ends_with('f') ? "float" : "long double") +
                         " in C, which this language does not have; use '" + std::string{plain->name} + "'"});
    }
  }
  tidy(all);
  return all;
}

bool is_pure(const program& p, const statement& s) {
  if (s.what != operation::call_c) return is_pure(s.what);
  const function& callee = p.functions[s.callee];
  return callee.pure || find_c_function(callee) != nullptr;
}

}  // namespace tine::spork
