// A result as JSON for the driver and as a line for people.
#pragma once

#include "harness/session.hpp"

#include <string>

namespace bench {

/// Returns all that this process knows about its runs, as a JSON object with the field names in bench/README.md. Reads the peak
/// memory at the time of the call.
std::string as_json(const program& program, const request& request, const result& result);

/// Returns the main results for people, on one line.
std::string as_text(const program& program, const request& request, const result& result);

}  // namespace bench
