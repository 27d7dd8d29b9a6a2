// The promotion policy of a compiled program, as a text: the value of TINE_PROMOTE.
#pragma once

#include <tine/sched/promotion.hpp>

#include <string_view>

namespace tine::detail {

/// Returns the policy that a text names: `on-demand`, `heartbeat` or `eager`. Behind the first two may stand a colon, a
/// period in us or ms, a comma and a number of tokens: `heartbeat:500us,30`. Throws std::invalid_argument, whose
/// message has the text, if it has another form; the pool checks the numbers.
promotion promotion_of(std::string_view text);

}  // namespace tine::detail
