// Runs each form of each case through tine::check_races, with and without the option `determinism`, on pools of 1, 2
// and 4 workers, and compares the races with those that the case declares. Arguments select the cases whose names
// contain one of them.
#include "race_case.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <exception>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace race_test {
namespace {

std::vector<race_case>& all_cases() {
  static std::vector<race_case> cases;
  return cases;
}

/// The races of one run, in a form in which runs can be compared: each address as the number of the declared range and
/// the position in it.
struct answer {
  std::size_t races = 0;
  std::vector<std::pair<std::size_t, std::uintptr_t>> addresses;
  std::string error;  ///< empty if the races are those that were expected
};

/// Number of comparisons in which the addresses are equal, but not the numbers of pairs of instructions: the headers of
/// tine contain several copies of the body of a loop, and the runtime chooses between them by the time that iterations
/// take.
int different_numbers = 0;

std::string hexadecimal(std::uintptr_t address) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%zx", static_cast<std::size_t>(address));
  return text;
}

/// Converts the addresses; an address outside of all declared ranges is an error.
void locate(answer& a, const std::vector<std::uintptr_t>& addresses, std::span<const byte_range> declared) {
  for (const std::uintptr_t address : addresses) {
    const auto in =
        std::ranges::find_if(declared, [&](const byte_range& r) { return r.begin <= address && address < r.end; });
    if (in == declared.end()) {
      a.error = "a race at " + hexadecimal(address) + ", outside of what the case declares";
      for (const byte_range& r : declared) a.error += " [" + hexadecimal(r.begin) + ", " + hexadecimal(r.end) + ")";
      return;
    }
    a.addresses.emplace_back(static_cast<std::size_t>(in - declared.begin()), address - in->begin);
  }
  std::ranges::sort(a.addresses);
}

answer run_once(const race_case& c, bool racy, bool determinism, tine::pool& pool) {
  answer a;
  subject its{racy, {}, 0};
  const tine::races_found races =
      pool.run([&] { return tine::check_races([&] { c.run(its); }, {.determinism = determinism}); });
  a.races = races.size();
  locate(a, races.addresses(), its.declared);
  const found expected = racy ? c.in_racy : c.in_clean;
  const bool must = expected == found::always || (determinism && expected == found::under_determinism);
  if (!races.incomplete().empty()) a.error = "incomplete: " + races.incomplete();
  if (races.accesses() == 0) a.error = "no access was checked";
  if (must && races.empty()) a.error = "no race was found";
  if (must && its.pairs != 0 && races.size() != its.pairs) a.error = "another number of races than declared";
  if (must && !races.empty() && races.addresses().empty()) a.error = "a race without an address";
  if (!must && !races.empty()) a.error = "a race was found where there is none";
  if (!a.error.empty()) a.error += " (" + std::to_string(a.races) + " races)";
  return a;
}

constexpr std::array<unsigned, 3> sizes{1, 2, 4};

/// Returns the first error of a form of a case; an empty text if there is none.
std::string error_in(const race_case& c, bool racy, bool determinism, std::span<tine::pool* const> pools) {
  answer first;
  for (std::size_t i = 0; i < pools.size(); ++i) {
    const answer a = run_once(c, racy, determinism, *pools[i]);
    const std::string where = std::string(racy ? "racy" : "clean") + (determinism ? ", determinism" : "") + ", " +
                              std::to_string(sizes[i]) + " workers: ";
    if (!a.error.empty()) return where + a.error;
    if (i == 0) first = a;
    if (a.addresses != first.addresses) return where + "other addresses than with one worker";
    if (a.races != first.races) ++different_numbers;
  }
  return {};
}

std::string error_in(const race_case& c, std::span<tine::pool* const> pools) {
  try {
    for (const bool racy : {false, true}) {
      for (const bool determinism : {false, true}) {
        if (std::string error = error_in(c, racy, determinism, pools); !error.empty()) return error;
      }
    }
    return {};
  } catch (const std::exception& e) {
    return std::string("the exception ") + e.what();
  }
}

bool is_selected(const race_case& c, std::span<char*> words) {
  return words.empty() ||
         std::ranges::any_of(words, [&](const char* word) { return std::strstr(c.name, word) != nullptr; });
}

int run_all(std::span<char*> words) {
  tine::pool one{{.workers = 1}}, two{{.workers = 2}}, four{{.workers = 4}};
  const std::array<tine::pool*, 3> pools{&one, &two, &four};
  int passed = 0, failed = 0, gaps = 0;
  for (const race_case& c : all_cases()) {
    if (!is_selected(c, words)) continue;
    const std::string error = c.gap == hangs ? "not run" : error_in(c, pools);
    if (c.gap != nullptr) {
      ++gaps;
      std::printf("known gap: %s: %s: %s\n", c.name, c.gap, error.empty() ? "it is closed here" : error.c_str());
    } else if (error.empty()) {
      ++passed;
    } else {
      ++failed;
      std::printf("failed: %s: %s\n", c.name, error.c_str());
    }
    std::fflush(stdout);
  }
  std::printf("%d known gaps, %d runs with other numbers of races at the same addresses\n%d passed, %d failed\n", gaps,
              different_numbers, passed, failed);
  return failed == 0 && passed != 0 ? 0 : 1;
}

}  // namespace

bool add_case(const race_case& c) {
  all_cases().push_back(c);
  return true;
}

}  // namespace race_test

int main(int count, char** words) { return race_test::run_all({words + 1, static_cast<std::size_t>(count - 1)}); }
