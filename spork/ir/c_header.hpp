// The interface of the writer of C headers.
#pragma once

#include "ir/program.hpp"

#include <string>

namespace tine::spork {

/// Returns a header for C and C++ that declares the exported functions of `p`: i64 is int64_t, f64 is double, ptr is
/// void*. A function returns its first result, and stores the others where its last parameters point.
std::string c_header(const program& p);

}  // namespace tine::spork
