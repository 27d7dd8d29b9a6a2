// The type variables that occur in a piece of syntax.
#pragma once

#include "ml/syntax.hpp"

#include <set>
#include <string>

namespace tine::ml {

/// Adds the names of the type variables that occur in the type.
void type_variables(type_ref t, std::set<std::string>& into);

/// Adds those that occur in the declaration, but not those in `val` and `fun` declarations inside of it, which bind
/// them themselves.
void type_variables(declaration_ref d, std::set<std::string>& into);
void type_variables(const value_declaration& d, std::set<std::string>& into);
void type_variables(const function_declaration& d, std::set<std::string>& into);
void type_variables(expression_ref e, std::set<std::string>& into);

}  // namespace tine::ml
