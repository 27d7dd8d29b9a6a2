// The interface of the printer, which turns programs into text.
#pragma once

#include "ir/program.hpp"

#include <string>

namespace tine::spork {

/// Returns text that parses to the same program. Names are kept, and the places of statements, transfers and functions
/// in sources. (Places in the text of the program itself are not.)
std::string print(const program& p);

/// Return pieces of this text, for messages and dumps.
std::string show(const program& p, const function& f, const statement& s);
std::string show(const program& p, const function& f, const transfer& t);
std::string show(const program& p, const function& f, const invocation& call);
/// Returns types as text: "(i64, f64)".
std::string show_types(const std::vector<type>& types);
/// Returns a value as it is written in a program: 12, 1.5, null.
std::string show_constant(type t, std::uint64_t bits);

}  // namespace tine::spork
