// Parses the option --workers of the subcommands that predict.
#include "cli/worker_numbers.hpp"

#include "cli/refusal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace tine::cli {
namespace {

constexpr unsigned most_workers = 1'000'000;

unsigned workers_in(std::string_view text) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number == 0 || number > most_workers) {
    throw refusal{
        fmt::format("--workers: '{}' is not a number from 1 to {}; write 1..1024, or 2,8,48", text, most_workers)};
  }
  return number;
}

}  // namespace

std::vector<unsigned> worker_numbers(const std::string& text) {
  std::vector<unsigned> all;
  if (const auto dots = text.find(".."); dots != std::string::npos) {
    const unsigned from = workers_in(std::string_view{text}.substr(0, dots)),
                   to = workers_in(std::string_view{text}.substr(dots + 2));
    if (from > to) throw refusal{fmt::format("--workers: {} is more than {}", from, to)};
    for (unsigned w = from; w < to; w *= 2) all.push_back(w);
    all.push_back(to);
    return all;
  }
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    all.push_back(workers_in(std::string_view{text}.substr(at, comma - at)));
    at = comma + 1;
  }
  return all;
}

}  // namespace tine::cli
