// Functions of the C library and classes of the C++ library that read and write memory of the program.
#include "../race_case.hpp"

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

using race_test::keep;

struct buffers {
  alignas(16) std::array<char, 256> a{}, b{}, c{};
};

RACE_CASE(memcpy_from_what_another_branch_writes) {
  buffers m;
  std::size_t bytes = 200;
  keep(bytes);
  its.races_on(m.a[150]);
  tine::par([&] { std::memcpy(m.b.data(), m.a.data(), bytes); }, [&] { (its.racy ? m.a : m.c)[150] = 1; });
  keep(m);
}

RACE_CASE(memcpy_to_what_another_branch_reads) {
  buffers m;
  std::size_t bytes = 200;
  keep(bytes);
  char seen = 0;
  its.races_on(m.b[199]);
  tine::par([&] { std::memcpy(m.b.data(), m.a.data(), bytes); }, [&] { seen = m.b[its.racy ? 199 : 200]; });
  keep(seen);
}

RACE_CASE(memmove_of_halves) {
  buffers m;
  std::size_t bytes = 128;
  keep(bytes);
  its.races_on(m.a[127]);
  tine::par([&] { std::memmove(m.a.data(), m.b.data(), bytes); },
            [&] { std::memmove(m.a.data() + (its.racy ? 127 : 128), m.b.data(), bytes - 1); });
  keep(m);
}

RACE_CASE(memset_beside_memset) {
  buffers m;
  std::size_t bytes = 100;
  keep(bytes);
  its.races_on(m.a[100]);
  tine::par([&] { std::memset(m.a.data(), 1, bytes); },
            [&] { std::memset(m.a.data() + 101 - (its.racy ? 1 : 0), 2, bytes); }, [&] { m.a[100] = 3; });
  keep(m);
}

RACE_CASE(memcmp_beside_a_write) {
  buffers m;
  std::size_t bytes = 100;
  keep(bytes);
  int equal = 0;
  its.races_on(m.a[10]);
  tine::par([&] { equal = std::memcmp(m.a.data(), m.b.data(), bytes); }, [&] { (its.racy ? m.a : m.c)[10] = 0; });
  keep(equal);
}

RACE_CASE(strlen_beside_a_write) {
  buffers m;
  std::strcpy(m.a.data(), "a text of some length");
  keep(m);
  std::size_t length = 0;
  its.races_on(m.a[5]);
  tine::par([&] { length = std::strlen(m.a.data()); }, [&] { m.a[its.racy ? 5 : 200] = 'x'; });
  keep(length);
}

RACE_CASE(strcpy_and_strcat) {
  buffers m;
  std::strcpy(m.b.data(), "some text");
  keep(m);
  its.races_on(m.a);
  tine::par([&] { std::strcpy(m.a.data(), m.b.data()); },
            [&] { std::strcat((its.racy ? m.a : m.c).data(), m.b.data()); });
  keep(m);
}

RACE_CASE(snprintf_into_a_shared_buffer) {
  buffers m;
  its.races_on(m.a);
  tine::par([&] { std::snprintf(m.a.data(), 100, "%d", 12345); },
            [&] { std::snprintf((its.racy ? m.a : m.b).data(), 100, "%d", 6789); });
  keep(m);
}

RACE_CASE(qsort_beside_a_read) {
  std::array<int, 20> a{};
  std::iota(a.rbegin(), a.rend(), 0);
  int seen = 0, other = 0;
  its.races_on(a);
  tine::par(
      [&] {
        std::qsort(a.data(), a.size(), sizeof(int), [](const void* x, const void* y) {
          return *static_cast<const int*>(x) - *static_cast<const int*>(y);
        });
      },
      [&] { seen = its.racy ? a[7] : other; });
  keep(seen);
}

RACE_CASE(string_append_beside_read) {
  std::string text = "a text that is too long for the object itself";
  text.reserve(100);
  std::string other = text;
  std::size_t length = 0;
  its.races_on(text);
  its.races_in(text.data(), 100);
  tine::par([&] { text += " and more"; }, [&] { length = (its.racy ? text : other).size(); });
  keep(length);
}

RACE_CASE(short_strings) {
  std::string text = "short", other = "short";
  std::string copy;
  its.races_on(text);
  tine::par([&] { copy = text; }, [&] { (its.racy ? text : other)[2] = 'x'; });
  keep(copy);
}

// A vector that grows frees the block from which the other strand reads.
RACE_CASE(growing_vector_beside_a_read) {
  std::vector<int> a(8, 1), b(8, 1);
  int seen = 0;
  its.races_on(a);
  its.races_in(a.data(), 8 * sizeof(int));
  tine::par([&] { seen = a[3]; }, [&] { (its.racy ? a : b).push_back(2); });
  keep(seen);
}

RACE_CASE(map_inserts_beside_a_find) {
  std::map<int, int> m{{1, 1}, {2, 2}, {3, 3}}, other = m;
  bool found = false;
  its.races_on(m);
  for (const auto& item : m) its.races_in(reinterpret_cast<const char*>(&item) - 32, 48);
  tine::par([&] { found = m.find(3) != m.end(); }, [&] { (its.racy ? m : other)[4] = 4; });
  keep(found);
}

TINE_CASE(splice_of_lists, always, never, "functions of libstdc++.so link the nodes") {
  std::list<int> a{1, 2, 3}, b{4, 5}, c;
  its.races_on(a);
  its.races_in(reinterpret_cast<const char*>(&a.front()) - 16, 24);
  its.races_in(reinterpret_cast<const char*>(&a.back()) - 16, 24);
  its.races_in(reinterpret_cast<const char*>(&*std::next(a.begin())) - 16, 24);
  tine::par([&] { c.assign(a.begin(), a.end()); },
            [&] {
              if (its.racy) a.splice(a.end(), b);
            });
  keep(c);
}

CLEAN_CASE(containers_of_strands) {
  std::array<int, 30> seen{};
  tine::par_for(std::size_t{0}, seen.size(), [&](std::size_t i) {
    std::set<int> s;
    std::deque<int> d;
    std::unordered_map<int, std::string> m;
    for (int k = 0; k < 20; ++k) {
      s.insert(k * 7 % 20);
      d.push_front(k);
      m[k] = "text";
    }
    seen[i] = *s.begin() + d.front() + static_cast<int>(m.size());
  });
  keep(seen);
}

// The counts of shared_ptr are atomic; the pointers themselves are not.
TINE_CASE(copies_of_a_shared_pointer, under_determinism, under_determinism, nullptr) {
  const auto p = std::make_shared<int>(5);
  its.races_in(reinterpret_cast<const char*>(p.get()) - 8, 8);  // the counts
  std::array<int, 30> seen{};
  tine::par_for(std::size_t{0}, seen.size(), [&](std::size_t i) {
    const std::shared_ptr<int> mine = p;
    seen[i] = *mine;
  });
  keep(seen);
}

RACE_CASE(assignment_of_a_shared_pointer) {
  auto p = std::make_shared<int>(5), q = std::make_shared<int>(6);
  std::shared_ptr<int> copy;
  its.races_on(p);
  its.races_in(reinterpret_cast<const char*>(p.get()) - 16, 24);  // the object, which ends
  tine::par([&] { copy = its.racy ? p : q; }, [&] { p = nullptr; });
  keep(copy);
}

// The strand that drops the last reference destroys the object, behind all others.
TINE_CASE(last_reference_dropped_by_one_of_the_branches, under_determinism, under_determinism, nullptr) {
  std::vector<std::shared_ptr<std::vector<int>>> all;  // at once, so that each has memory of its own
  for (int i = 0; i < 5; ++i) all.push_back(std::make_shared<std::vector<int>>(10, i));
  for (auto& a : all) {
    auto b = a;
    its.races_in(reinterpret_cast<const char*>(a.get()) - 8, 8 + sizeof *a);  // the counts, and the vector as it ends
    int x = 0, y = 0;
    tine::par(
        [&, mine = std::move(a)]() mutable {
          x = (*mine)[3];
          mine = nullptr;
        },
        [&, mine = std::move(b)]() mutable {
          y = (*mine)[4];
          mine = nullptr;
        });
    keep(x);
    keep(y);
  }
}

CLEAN_CASE(string_streams_of_strands) {
  std::array<std::string, 10> out;
  tine::par_for(std::size_t{0}, out.size(), [&](std::size_t i) {
    std::ostringstream s;
    s << i << ' ' << 1.5 * static_cast<double>(i) << std::hex << i;
    out[i] = s.str();
  });
  keep(out);
}

CLEAN_CASE(printf_of_strands) {
  std::FILE* const nothing = std::fopen("/dev/null", "w");
  tine::par_for(0, 20, [&](int i) { std::fprintf(nothing, "%d %s\n", i, "text"); });
  std::fclose(nothing);
}

CLEAN_CASE(conversions_of_numbers) {
  const std::string text = "12 34.5";
  std::array<double, 20> seen{};
  tine::par_for(std::size_t{0}, seen.size(),
                [&](std::size_t i) { seen[i] = std::atoi(text.c_str()) + std::strtod(text.c_str() + 3, nullptr); });
  keep(seen);
}

}  // namespace
