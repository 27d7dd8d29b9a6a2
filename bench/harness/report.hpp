// A result as JSON for the driver and as a line for people.
#pragma once

#include "harness/session.hpp"

#include <string>

namespace bench {

/// Everything this process knows about its runs, as a JSON object with the field names of the harness's README. Peak memory is read
/// now.
std::string as_json(const program& program, const request& request, const result& result);

/// The same for people, on one line.
std::string as_text(const program& program, const request& request, const result& result);

}  // namespace bench
