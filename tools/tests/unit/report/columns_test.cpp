// The columns of the table of call sites, and the analyses that fill them.
#include "report/columns.hpp"
#include "trace/analyses.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

using namespace tine;

TEST_CASE("every column that an analysis names exists") {
  for (const trace::analysis_entry& entry : trace::analyses) {
    for (const std::string_view key : entry.columns) {
      CAPTURE(key);
      CHECK((key.empty() || std::ranges::count(report::site_columns, key, &report::site_column::key) == 1));
    }
  }
}

TEST_CASE("a column is shown only if the analysis that fills it was measured") {
  const auto has = [](std::uint32_t analyses, std::string_view key) {
    return std::ranges::count(report::columns_with(analyses), key, &report::site_column::key) == 1;
  };
  CHECK(has(trace::grain, "work"));
  CHECK(!has(trace::grain, "bytes"));
  CHECK(has(trace::grain | trace::space, "bytes"));
  CHECK(!has(trace::grain | trace::space, "span_share"));
}
