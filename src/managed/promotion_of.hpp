// The promotion policy of a compiled program, as a text: the value of TINE_PROMOTE. A pure function.
#pragma once

#include <tine/sched/promotion.hpp>

#include <string_view>

namespace tine::detail {

/// Returns the policy that a text names: `on-demand`, `heartbeat` or `eager`. Behind the first two there may be a
/// colon, a period in us or ms, a comma and a number of tokens: `heartbeat:500us,30`. If the text has another form,
/// throws std::invalid_argument with `source`, where it came from, and the text in its message. The pool checks the
/// numbers.
promotion promotion_of(std::string_view text, const char* source = "TINE_PROMOTE");

}  // namespace tine::detail
