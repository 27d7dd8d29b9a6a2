// The names of wrappers: mangled and readable ones, and the section of TINE_WRAPPERS.
#include "trace/wrappers.hpp"

#include <doctest/doctest.h>

#include <string_view>
#include <vector>

namespace {

using namespace tine::trace;
using namespace std::string_view_literals;

const std::vector<named_wrapper> named{{"my::loops", "my/loops.hpp"}, {"plain_loop", "plain.h"}};

TEST_CASE("symbols of wrappers begin with the wrapper's name") {
  for (const char* const symbol :
       {"_ZN4tine7par_forIiEEvT_", "_ZNK4tine10task_group8is_emptyEv", "_ZZN4tine3runIiEEvvENKUlvE_clEv",
        "_ZSt8for_eachIPiEvT_", "_ZNSt6vectorIiE4sizeEv", "_ZNKSt8functionIFvvEEclEv", "_ZN3tbb12parallel_forIiEEvT_",
        "_ZN6parlay4sortIPiEEvT_", "_ZN6__pstl10__internal1fEv", "_ZN2my5loops4eachIZ4mainEUliE_EEvT_",
        "_ZN2my5loopsEv", "_ZZN2my5loops4eachEvENKUlvE_clEv", "_ZNKR2my5loops3runEv", "plain_loop"}) {
    CAPTURE(std::string_view{symbol});
    CHECK(is_wrapper_symbol(symbol, named));
  }
}

TEST_CASE("other symbols may have wrappers in their arguments, or longer names") {
  for (const char* const symbol :
       {"main", "_Z4fillRSt6vectorIiE", "_ZN2my5loop24eachEv", "_ZN2my4sortEv", "_ZN5other2my5loopsEv",
        "_ZN5tines3runEv", "plain_loops", "_Z11plain_loopsv", "_ZZ4mainENKUlvE_clEv", "_ZN4userIN4tine4taskEE3runEv",
        "_Z", "_ZN", "_ZN99tine", ""}) {
    CAPTURE(std::string_view{symbol});
    CHECK_FALSE(is_wrapper_symbol(symbol, named));
  }
}

TEST_CASE("symbols of tine differ from those of other wrappers") {
  CHECK(is_symbol_of_tine("_ZN4tine5sched3runEv"));
  CHECK(is_symbol_of_tine("tine_par_for"));
  CHECK(is_symbol_of_tine("make_fcontext"));
  CHECK_FALSE(is_symbol_of_tine("_ZN2my5loops4eachIN4tine4taskEEEvv"));
  CHECK_FALSE(is_symbol_of_tine("_ZSt4sortv"));
}

TEST_CASE("readable names of wrappers") {
  for (const char* const name : {"my::loops", "my::loops::each<int>(int)", "my::loops<int>::run()", "my::loops(int)",
                                 "tine::par_for<int>", "std::for_each", "parlay::sort<int*>", "plain_loop"})
    CHECK(is_wrapper_name(name, named));
  for (const char* const name : {"my::loops2::each", "my::sort", "main", "fill(std::vector<int>&)", "tines::run", ""})
    CHECK_FALSE(is_wrapper_name(name, named));
}

TEST_CASE("a section has each wrapper once, with its header, whatever is between the entries") {
  std::vector<named_wrapper> found;
  read_wrappers("my::loops\nmy/loops.hpp\0\0\0a\nb.hpp\0my::loops\nmy/loops.hpp\0damaged\0\nnameless\0a\nc.hpp"sv,
                found);
  REQUIRE(found.size() == 3);
  CHECK(found[0].name == "my::loops");
  CHECK(found[0].header == "my/loops.hpp");
  CHECK(found[1].header == "b.hpp");
  CHECK(found[2].header == "c.hpp");
  read_wrappers("", found);
  CHECK(found.size() == 3);
}

}  // namespace
