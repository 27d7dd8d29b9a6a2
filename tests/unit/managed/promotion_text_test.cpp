// Texts of promotion policies.
#include "managed/promotion_of.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

namespace {

using tine::promotion;
using tine::detail::promotion_of;

TEST_CASE("a text names a policy, its period and its tokens") {
  CHECK(promotion_of("eager").which() == promotion::kind::eager);
  const promotion beats = promotion_of("heartbeat:250us,7");
  CHECK(beats.which() == promotion::kind::heartbeat);
  CHECK(beats.period_us() == 250);
  CHECK(beats.tokens() == 7);
  const promotion usual = promotion_of("heartbeat");
  CHECK(usual.period_us() == 500);
  CHECK(usual.tokens() == 30);
  const promotion demand = promotion_of("on-demand:1.5ms,2");
  CHECK(demand.which() == promotion::kind::on_demand);
  CHECK(demand.period_us() == 1500);
  CHECK(demand.tokens() == 2);
  CHECK(promotion_of("on-demand").period_us() == 2);
}

TEST_CASE("another text is refused, and the message has it") {
  for (const char* text : {"", "eager:5us,1", "heartbeat:", "heartbeat:500", "heartbeat:500us", "heartbeat:500us,",
                           "heartbeat:us,3", "heartbeat:500us,30,", "heartbeat 500us,30", "ondemand", "beat",
                           "heartbeat:500s,30", "heartbeat:500us,99999999999"}) {
    CAPTURE(text);
    try {
      promotion_of(text);
      FAIL("it is taken");
    } catch (const std::invalid_argument& e) {
      CHECK(std::string{e.what()}.find('"' + std::string{text} + '"') != std::string::npos);
    }
  }
}

}  // namespace
