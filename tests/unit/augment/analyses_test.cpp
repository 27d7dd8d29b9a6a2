// The table of analyses, and the costs that follow from it.
#include "trace/analyses.hpp"
#include "augment/calibration.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <set>
#include <string_view>

namespace trace = tine::trace;
using tine::detail::calibration;

TEST_CASE("words and flags of analyses are unique, and an entry needs all that its needs need") {
  std::set<std::string_view> names, words;
  std::uint32_t flags = 0;
  for (const trace::analysis_entry& entry : trace::analyses) {
    CAPTURE(entry.name);
    CHECK(names.insert(entry.name).second);
    for (const std::string_view word : entry.words) CHECK((word.empty() || words.insert(word).second));
    CHECK(!entry.words.front().empty());
    CHECK((flags & entry.flag) == 0);
    flags |= entry.flag;
    for (const trace::analysis_entry& other : trace::analyses) {
      if ((entry.needs & other.flag) != 0) CHECK((entry.needs & other.needs) == other.needs);
    }
  }
}

TEST_CASE("costs add up over what each analysis adds to those that it needs") {
  const calibration usual;
  const auto costs = [&](std::uint32_t analyses, double fork, double loop) {
    CHECK(usual.of(analyses).fork == fork);
    CHECK(usual.of(analyses).loop == loop);
  };
  using namespace trace;
  costs(work_span, 40, 35);
  costs(work_span | grain, 120, 100);
  costs(work_span | grain | space, 300, 300);
  costs(work_span | grain | dag, 200, 200);
  costs(work_span | grain | space | dag, 380, 400);
  calibration measured;
  measured.costs[3] = {90, 90};  // the dag seems to take less than grain alone: it adds nothing
  CHECK(measured.of(work_span | grain | dag).fork == 120);
}
