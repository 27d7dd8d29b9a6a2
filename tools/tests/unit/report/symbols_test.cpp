// Sites in this test's own code are resolved. A site that cannot be resolved is shown as module and offset.
#include "report/resolve_sites.hpp"

#include <link.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tine::detail {
// Stands for tine's own inlined code around a fork, which is never the place itself. The address is behind the call of
// this function.
[[gnu::noinline]] std::uint64_t where_to_return() {
  return reinterpret_cast<std::uint64_t>(__builtin_return_address(0));
}
[[gnu::always_inline]] inline std::uint64_t fork_here() {
  const std::uint64_t here = where_to_return();
  asm volatile("");
  return here;
}
}  // namespace tine::detail

namespace user {
constexpr std::uint32_t line_of_inner = __LINE__ + 1;
[[gnu::always_inline]] inline std::uint64_t inner(double) { return tine::detail::fork_here(); }
[[gnu::noinline]] std::uint64_t outer() {
  const std::uint64_t here = inner(1);
  asm volatile("");
  return here;
}
constexpr std::uint32_t line_in_lambda = __LINE__ + 3;
[[gnu::noinline]] std::uint64_t with_lambda() {
  const auto lambda = []() __attribute__((noinline)) {
    const std::uint64_t here = inner(1);
    asm volatile("");
    return here;
  };
  return lambda();
}
long counters[4];
int* next_number() {
  static int number = 1;
  return &number;
}
}  // namespace user

namespace {

double hidden = 1;
alignas(64) char lonely = 'a', also_lonely = 'b';  // between these two is no variable

using namespace tine;

trace::profile profile_at(std::uint64_t address, const std::string& build_id = {}) {
  trace::profile p;
  trace::module self;
  self.path = std::filesystem::read_symlink("/proc/self/exe").string();
  self.build_id = build_id;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* bias) {
        *static_cast<std::uint64_t*>(bias) = info->dlpi_addr;
        return 1;  // the program itself comes first
      },
      &self.bias);
  self.begin = address - 16;
  self.end = address + 16;
  p.modules = {self};
  p.sites = {{.address = address}};
  return p;
}

std::string own_offset(const trace::profile& p) {
  return "unit_report+" + report::hexadecimal(p.sites[0].address - p.modules[0].bias);
}

}  // namespace

TEST_CASE("the place is the innermost frame that is not tine's, and the chain has all") {
  const auto p = profile_at(user::outer());
  const auto places = report::resolve_sites(p);
  REQUIRE(places.size() == 1);
  CHECK(places[0].name() == "user::inner");
  CHECK(places[0].at.file.ends_with("symbols_test.cpp"));
  CHECK(places[0].at.line == user::line_of_inner);
  REQUIRE(places[0].chain.size() == 3);
  CHECK(places[0].chain[0].function == "tine::detail::fork_here");
  CHECK(places[0].chain[2].function == "user::outer");
  CHECK(places[0].fallback == own_offset(p));
  REQUIRE(places[0].callers.size() == 1);
  CHECK(places[0].callers[0].function == "user::outer");
}

TEST_CASE("a lambda that is not inlined has frames, with those inlined into it") {
  const auto places = report::resolve_sites(profile_at(user::with_lambda()), {.skip = {"user::inner"}});
  CHECK(places[0].at.file.ends_with("symbols_test.cpp"));
  CHECK(places[0].at.line == user::line_in_lambda);
  CHECK(places[0].at.function.starts_with("user::with_lambda()::"));
}

TEST_CASE("a skipped function is not the place: its caller is, and who called that") {
  const auto p = profile_at(user::outer());
  for (const char* pattern : {"user::inner", "*inner", "user::i*"}) {
    CAPTURE(std::string{pattern});
    const auto places = report::resolve_sites(p, {.skip = {pattern}});
    CHECK(places[0].name() == "user::outer");
    CHECK(places[0].callers.empty());
  }
  CHECK(report::resolve_sites(p, {.skip = {"inner"}})[0].name() == "user::inner");  // patterns match whole names
  CHECK(report::resolve_sites(p, {.skip = {"symbols_test.cpp"}})[0].name() ==
        "user::inner");  // if no frame would be left, no frame is skipped
}

TEST_CASE("places of one name show as many callers as distinguish them") {
  report::place a, b, c, alone;
  a.at = b.at = c.at = {"my_for", "wrap.hpp", 5};
  alone.at = {"other", "main.cpp", 1};
  alone.callers = {{"main", "main.cpp", 9}};
  a.callers = {{"apply", "wrap.hpp", 9}, {"fill", "main.cpp", 20}};
  b.callers = {{"apply", "wrap.hpp", 9}, {"fill", "main.cpp", 30}};
  c.callers = {{"sort", "main.cpp", 40}};
  std::vector<report::place> places{a, b, c, alone};
  report::tell_apart(places);
  CHECK(places[0].name() == "my_for ← apply ← fill");
  CHECK(places[0].short_line() == "main.cpp:20");
  CHECK(places[1].short_line() == "main.cpp:30");
  CHECK(places[2].name() == "my_for ← sort");
  CHECK(places[3].name() == "other");
  CHECK(places[3].short_line() == "main.cpp:1");
}

TEST_CASE("a binary that was built again since is not believed") {
  const auto p = profile_at(user::outer(), "00112233");
  const auto places = report::resolve_sites(p);
  CHECK(places[0].chain.empty());
  CHECK(places[0].name() == own_offset(p));
}

TEST_CASE("variables are found by any of their bytes, and static locals with their function") {
  auto p = profile_at(user::outer());
  p.modules.push_back({.path = "/nowhere/libfirst.so", .build_id = {}, .begin = 0x1000, .end = 0x2000});
  const auto word = [](const void* at) { return reinterpret_cast<std::uint64_t>(at); };
  const std::string on_heap(100, 'x');
  const auto found = report::resolve_variables(
      p, {word(&user::counters[3]) + 7, word(user::next_number()), word(&hidden), word(on_heap.data()), 0,
          word(std::min(&lonely, &also_lonely) + 32), p.sites[0].address});
  REQUIRE(found.size() == 7);
  CHECK(found[0].name == "user::counters");
  CHECK(found[0].offset == 31);
  CHECK(found[0].bytes == 32);
  CHECK(found[1].name == "user::next_number()::number");
  CHECK(found[1].offset == 0);
  CHECK(found[2].name == "hidden");
  for (std::size_t i = 3; i < found.size(); ++i) CHECK(found[i].name == "");
  const auto rebuilt = profile_at(user::outer(), "00112233");
  CHECK(report::resolve_variables(rebuilt, {word(user::counters)})[0].name == "");
}

TEST_CASE("missing modules, files that are no binaries, and addresses outside every module") {
  auto p = profile_at(0x5000);
  p.modules[0].bias = 0x4000;
  p.modules[0].path = "/nowhere/libgone.so";
  CHECK(report::resolve_sites(p)[0].name() == "libgone.so+0x1000");
  p.modules[0].path = "/proc/self/status";
  CHECK(report::resolve_sites(p)[0].name() == "status+0x1000");
  p.modules[0].path = "/dev/zero";  // reading it would never end
  CHECK(report::resolve_sites(p)[0].name() == "zero+0x1000");
  p.modules[0].path = "";
  CHECK(report::resolve_sites(p)[0].name() == "+0x1000");
  p.sites[0].address = 0;
  CHECK(report::resolve_sites(p)[0].name() == "0x0");
}
