// The functions of C that compiled programs call: strings, numbers and the process.
#include "emulated.hpp"
#include "started.hpp"
#include "unit/run_child.hpp"

#include <tine/managed.hpp>
#include <tine/sched/pool.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace {

const tine::test::started is_started;

using tine::test::ml;
using tine::test::text;

std::string real(double x) { return text(tine_ml_real_to_text(TINE_ML_GEN, 12, x)); }
std::string fixed(int digits, double x) { return text(tine_ml_real_to_text(TINE_ML_FIX, digits, x)); }

}  // namespace

TEST_CASE("reals have the texts of SML") {
  constexpr std::pair<double, const char*> texts[] = {{1, "1.0"},        {-1.5, "~1.5"},      {0, "0.0"},
                                                      {-0.0, "~0.0"},    {1e12, "1E12"},      {999999999999.9, "1E12"},
                                                      {1e-4, "0.0001"},  {1e-5, "1E~5"},      {1.5e-7, "1.5E~7"},
                                                      {HUGE_VAL, "inf"}, {-HUGE_VAL, "~inf"}, {NAN, "nan"}};
  for (const auto& [x, expected] : texts) CHECK(real(x) == expected);
  CHECK(real(1e11) == "100000000000.0");
  CHECK(real(1.23456789012e12) == "1.23456789012E12");
  CHECK(real(2.0 / 3) == "0.666666666667");
  CHECK(real(std::numeric_limits<double>::max()) == "1.79769313486E308");
  CHECK(real(std::numeric_limits<double>::denorm_min()) == "4.94065645841E~324");
  constexpr std::tuple<int, double, const char*> fixed_texts[] = {
      {3, 1, "1.000"},      {0, 2.5, "2"},        {0, 3.5, "4"},   {20, 0.1, "0.10000000000000000555"},
      {2, -0.001, "~0.00"}, {3, HUGE_VAL, "inf"}, {3, NAN, "nan"}, {-5, 1.5, "2"}};
  for (const auto& [digits, x, expected] : fixed_texts) CHECK(fixed(digits, x) == expected);
  CHECK(text(tine_ml_real_to_text(TINE_ML_SCI, -1, 1.5)) == "2E0");
  CHECK(text(tine_ml_real_to_text(TINE_ML_GEN, 0, 0.15)) == "0.1");
  CHECK(fixed(0, 1e300).size() == 301);
  CHECK(fixed(10'000, 1).size() == 10'002);
  CHECK(fixed(std::numeric_limits<int>::max(), 1).size() == 10'002);
}

TEST_CASE("reals are read in SML's syntax") {
  const auto read = [](std::string_view s) {
    double x = 12345;
    return tine_ml_real_of_string(ml(s), &x) == 1 ? real(x) : std::string{"none"};
  };
  for (const char* s : {"1", "1.", "+1", "1.0", " \t\n\v\f\r1", "1e", "1e~", "1x", "1.0.0"})
    CHECK_MESSAGE(read(s) == "1.0", s);
  for (const char* s : {"", "   ", "abc", ".", "~", "e5", "+-1", "~~1", ".e1", "- 1", "i", "na"})
    CHECK_MESSAGE(read(s) == "none", s);
  constexpr std::pair<const char*, const char*> others[] = {
      {"~1.5e3x", "~1500.0"}, {"-2.5", "~2.5"}, {".5", "0.5"},       {"~.5E~1", "~0.05"}, {"1e-3", "0.001"},
      {"1E+5", "100000.0"},   {"0x10", "0.0"},  {"1e999", "inf"},    {"~1e999", "~inf"},  {"1e~999", "0.0"},
      {"00012.50", "12.5"},   {"~Inf", "~inf"}, {"INFINITY", "inf"}, {"NaN", "nan"}};
  for (const auto& [s, expected] : others) CHECK(read(s) == expected);
  CHECK(read(std::string(100'000, '9')) == "inf");
  CHECK(read(std::string_view{"1\0"
                              "2",
                              3}) == "1.0");
  double untouched = 7;
  CHECK(tine_ml_real_of_string(ml("x"), &untouched) == 0);
  CHECK(untouched == 7);
}

TEST_CASE("the text of a real is read back exactly enough") {
  std::mt19937_64 dice{7};
  for (int i = 0; i < 3000; ++i) {
    const double x =
        std::ldexp(static_cast<double>(static_cast<std::int64_t>(dice())), static_cast<int>(dice() % 2000) - 1063);
    double y = 0;
    CHECK(tine_ml_real_of_string(tine_ml_real_to_text(TINE_ML_GEN, 12, x), &y) == 1);
    CHECK(real(y) == real(x));
    CHECK(tine_ml_real_of_string(tine_ml_real_to_text(TINE_ML_EXACT, 0, x), &y) == 1);
    CHECK(y == x);
  }
}

TEST_CASE("numbers and characters have the texts of SML") {
  CHECK(text(tine_ml_int_to_string(0)) == "0");
  CHECK(text(tine_ml_int_to_string(-5)) == "~5");
  CHECK(text(tine_ml_int_to_string(std::numeric_limits<std::int64_t>::min())) == "~9223372036854775808");
  CHECK(text(tine_ml_word_to_string(0)) == "0");
  CHECK(text(tine_ml_word_to_string(0xabcdef)) == "ABCDEF");
  CHECK(text(tine_ml_word_to_string(-1)) == "FFFFFFFFFFFFFFFF");
  constexpr std::pair<int, const char*> characters[] = {{'a', "a"},    {'"', "\\\""},  {'\\', "\\\\"}, {0, "\\^@"},
                                                        {28, "\\^\\"}, {127, "\\127"}, {255, "\\255"}};
  for (const auto& [c, expected] : characters) CHECK(text(tine_ml_char_to_string(c)) == expected);
  CHECK(text(tine_ml_string_to_string(ml("\a\b\t\n\v\f\r'x\x1a"))) == "\\a\\b\\t\\n\\v\\f\\r'x\\^Z");
}

TEST_CASE("strings are compared byte by byte, and copied, also onto themselves") {
  CHECK(tine_ml_compare_strings(ml(""), ml("")) == 0);
  CHECK(tine_ml_compare_strings(ml("a"), ml("")) == 1);
  CHECK(tine_ml_compare_strings(ml("abc"), ml("abd")) == -1);
  CHECK(tine_ml_compare_strings(ml("abc"), ml("ab")) == 1);
  CHECK(tine_ml_compare_strings(ml("\xff"), ml("a")) == 1);
  CHECK(tine_ml_compare_strings(ml(std::string_view{"a\0b", 3}), ml(std::string_view{"a\0a", 3})) == 1);
  void* const s = ml("0123456789");
  tine_ml_copy_bytes(s, 2, s, 0, 5);
  CHECK(text(s) == "0101234789");
  tine_ml_copy_bytes(s, 0, ml("xyz"), 1, 2);
  CHECK(text(s) == "yz01234789");
  tine_ml_copy_bytes(s, 9, s, 0, 0);
  tine_ml_copy_bytes(s, 9, s, 0, -1);
  CHECK(text(s) == "yz01234789");
}

TEST_CASE("the program's arguments are strings") {
  char name[] = "app", first[] = "one", second[] = "";
  char* words[] = {name, first, second, nullptr};
  tine_ml_set_arguments(3, words);
  CHECK(tine_ml_argument_count() == 2);
  CHECK(text(tine_ml_program_name()) == "app");
  CHECK(text(tine_ml_argument(0)) == "one");
  CHECK(text(tine_ml_argument(1)).empty());
  CHECK(text(tine_ml_argument(2)).empty());
  CHECK(text(tine_ml_argument(-1)).empty());
  CHECK(text(tine_ml_argument(std::numeric_limits<std::int64_t>::max() - 1)).empty());
}

TEST_CASE("clocks run") {
  const std::int64_t before = tine_ml_clock_ns();
  CHECK(tine_ml_time_ns() > 1'700'000'000'000'000'000);
  CHECK(tine_ml_clock_ns() >= before);
}

TEST_CASE("the table names all functions") {
  int n = 0;
  for (const tine_ml_function* f = tine_ml_functions; f->name != nullptr; ++f, ++n) {
    CHECK(std::string_view{f->name}.starts_with("tine_ml_"));
    CHECK((f->address != nullptr));
  }
  CHECK(n == 33);
}

namespace {

using tine::test::child_body;

/// Calls the function in a branch that another worker has taken, while others compute.
template <class F>
void in_the_middle(F end) {
  tine_ml_start();
  tine_ml_print(ml("printed before the end\n"));
  tine::pool p{{.workers = 4}};
  p.run([&] {
    tine::par(
        [] {
          for (;;) tine::par([] { tine_ml_allocate(3); }, [] { tine_ml_allocate(3); });
        },
        end);
  });
}

const child_body exits{"exits", [] { in_the_middle([] { tine_ml_exit(7); }); }};
const child_body raises{"raises", [] { in_the_middle([] { tine_ml_uncaught(ml("Fail: text")); }); }};
const child_body exits_twice{
    "exits_twice", [] { in_the_middle([] { tine::par([] { tine_ml_exit(9); }, [] { tine_ml_exit(9); }); }); }};

}  // namespace

TEST_CASE("a worker ends a parallel program") {
  for (int i = 0; i < 20; ++i) {
    CHECK(tine::test::run_child("exits").exited_with(7));
    CHECK(tine::test::run_child("exits_twice").exited_with(9));
    const auto raised = tine::test::run_child("raises");
    CHECK(raised.exited_with(1));
    // qemu blocks all signals from the arrival of one until it enters the handler, so tine may add that the program had
    // blocked its signal.
    const std::string expected = "uncaught exception Fail: text\n";
    CHECK((tine::test::is_emulated() ? raised.said.substr(0, expected.size()) : raised.said) == expected);
  }
}
