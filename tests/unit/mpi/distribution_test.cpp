// Distributions, the ranges that wait on one rank, and the bytes of values.
#include <tine/detail/mpi/iteration_ranges.hpp>
#include <tine/detail/mpi/level.hpp>
#include <tine/mpi/codec.hpp>
#include <tine/mpi/distribution.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using tine::mpi::distribution;
using tine::mpi::detail::iteration_range;
using tine::mpi::detail::task_list;
using tine::mpi::detail::waiting_ranges;

std::string message_of(const auto& f) {
  try {
    f();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "nothing was thrown";
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("blocks_are_equal_and_cover_all") {
  for (const std::uint64_t n : {0, 1, 2, 7, 100}) {
    for (const int ranks : {1, 2, 3, 8}) {
      const distribution d = distribution::block(n, ranks);
      CHECK(d.size() == n);
      CHECK(d.ranks() == ranks);
      for (std::uint64_t i = 0; i < n; ++i) {
        const int r = d.rank_of(i);
        CHECK(r >= 0);
        CHECK(r < ranks);
        if (i > 0) CHECK(r >= d.rank_of(i - 1));
      }
      for (int r = 0; r < ranks; ++r) {
        std::uint64_t mine = 0;
        for (const iteration_range& x : d.ranges_of(r)) mine += x.size();
        CHECK(mine >= n / static_cast<unsigned>(ranks));
        CHECK(mine <= n / static_cast<unsigned>(ranks) + 1);
      }
      CHECK(distribution::parse(d.text()) == d);
    }
  }
  CHECK_THROWS_AS(distribution::block(3, 0), std::invalid_argument);
  CHECK_THROWS_AS(distribution::block(3, 2).rank_of(3), std::out_of_range);
}

TEST_CASE("wrong_distributions_are_refused_with_the_iteration_or_the_line") {
  CHECK(has(message_of([] { distribution d{{{{0, 3}}, {{2, 4}}}}; }), "iteration 2 belongs to two ranges"));
  CHECK(has(message_of([] { distribution d{{{{0, 3}}, {{4, 5}}}}; }), "iteration 3 belongs to no rank"));
  CHECK(has(message_of([] { distribution d{{{{1, 3}}}}; }), "iteration 0 belongs to no rank"));
  const auto parsed = [](const char* text) { return message_of([&] { distribution::parse(text); }); };
  CHECK(has(parsed(""), "the text is empty"));
  CHECK(has(parsed("rank 3"), "line 1: 'rank 3' is not 'ranks N'"));
  CHECK(has(parsed("ranks 0"), "line 1"));
  CHECK(has(parsed("ranks 99999999999999999999"), "line 1"));
  CHECK(has(parsed("ranks 2\n0 0 3\n2 3 4\n"), "line 3: '2 3 4'"));
  CHECK(has(parsed("ranks 2\n0 3 3\n"), "line 2"));
  CHECK(has(parsed("ranks 2\n0 0 -3\n"), "line 2"));
  CHECK(has(parsed("ranks 2\n\n"), "line 2"));
  CHECK(has(parsed("ranks 1\n0 0 5\n0 4 9\n"), "iteration 4 belongs to two ranges"));
  CHECK(distribution::parse("ranks 2\n1 0 5\n0 5 6").size() == 6);
  std::mt19937 random{1};
  for (int i = 0; i < 2000; ++i) {  // any text is parsed or refused
    std::string text = i % 2 != 0 ? "ranks 3\n" : "";
    for (auto n = random() % 30; n-- > 0;) text += "0123 \nranks-"[random() % 12];
    static_cast<void>(message_of([&] { distribution::parse(text); }));
  }
}

TEST_CASE("waiting_ranges_are_taken_from_the_front_and_halved_at_the_end") {
  waiting_ranges w;
  CHECK(w.take_front(5, 1).size() == 0);
  CHECK(w.take_half().size() == 0);
  w.add({0, 10});
  w.add({10, 20});
  CHECK(w.in_order().size() == 1);
  const iteration_range front = w.take_front(3, 1);
  CHECK(front.begin == 0);
  CHECK(front.end == 3);
  CHECK(w.take_front(100, 4).end == 3 + 17 / 4);  // a fair share
  const iteration_range half = w.take_half();     // of 7 to 20
  CHECK(half.begin == 13);
  CHECK(half.end == 20);
  w.add({30, 31});
  CHECK(w.take_half().size() == 0);  // no iteration was taken since the addition
  CHECK(w.take_front(100, 1).end == 13);
  CHECK(w.take_half().begin == 30);
  CHECK(w.take_half().size() == 0);
  std::mt19937 random{2};
  for (int round = 0; round < 200; ++round) {  // nothing is lost, and nothing comes twice
    waiting_ranges all;
    all.add({0, 200});
    std::vector<int> seen(200);
    for (;;) {
      const iteration_range r = random() % 2 != 0
                                    ? all.take_half()
                                    : all.take_front(1 + random() % 9, 1 + static_cast<unsigned>(random() % 3));
      if (r.size() == 0 && all.in_order().empty()) break;
      if (r.size() > 1 && random() % 3 == 0) {
        all.add({r.begin, r.begin + 1});
        all.add({r.begin + 1, r.end});
        continue;
      }
      for (std::uint64_t i = r.begin; i < r.end; ++i) ++seen[i];
    }
    CHECK(seen == std::vector<int>(200, 1));
  }
}

TEST_CASE("task_lists_keep_their_tasks_when_they_grow_and_change_places") {
  for (const std::size_t n : {0U, 1U, 5U, 31U, 32U, 33U, 500U}) {
    for (const std::size_t m : {0U, 3U, 40U, 300U}) {
      task_list<std::shared_ptr<std::size_t>> a, b;
      std::vector<std::weak_ptr<std::size_t>> first;
      for (std::size_t i = 0; i < n; ++i) {
        a.emplace_back(std::make_shared<std::size_t>(i));
        first.push_back(a[i]);
      }
      for (std::size_t i = 0; i < m; ++i) b.emplace_back(std::make_shared<std::size_t>(1000 + i));
      REQUIRE(a.size() == n);
      for (std::size_t i = 0; i < n; ++i) CHECK(*a[i] == i);
      a.replace_by(b);
      CHECK(b.size() == 0);
      REQUIRE(a.size() == m);
      for (std::size_t i = 0; i < m; ++i) CHECK(*a[i] == 1000 + i);
      for (const auto& gone : first) CHECK(gone.expired());
      b.emplace_back(std::make_shared<std::size_t>(7));
      CHECK(*b[0] == 7);
    }
  }
}

TEST_CASE("values_are_read_as_they_were_written_and_short_messages_are_refused") {
  struct point {
    double x;
    char name;
  };
  std::vector<std::byte> bytes;
  tine::mpi::writer to{bytes};
  tine::mpi::codec<point>::write(to, {2.5, 'p'});
  tine::mpi::codec<int>::write(to, -4);
  tine::mpi::reader from{bytes};
  const point p = tine::mpi::codec<point>::read(from);
  CHECK(p.x == 2.5);
  CHECK(p.name == 'p');
  CHECK(tine::mpi::codec<int>::read(from) == -4);
  CHECK(from.rest().empty());
  CHECK_THROWS_AS(tine::mpi::codec<char>::read(from), std::out_of_range);
}
