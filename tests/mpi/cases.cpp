#include "mpi/cases.hpp"

#include <tine/managed.hpp>
#include <tine/mpi/cereal.hpp>

#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>

#include <algorithm>
#include <atomic>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace tine::test {

/// A task that cannot be written if it is bad, and a result that cannot be read if it is bad.
struct fussy {
  int n = 0;
  bool bad = false;
};

}  // namespace tine::test

template <>
struct tine::mpi::codec<tine::test::fussy> {
  static void write(writer& to, const tine::test::fussy& f) {
    if (f.bad && f.n >= 0) throw std::runtime_error{"a bad task"};
    to.write(&f, sizeof f);
  }
  static tine::test::fussy read(reader& from) {
    tine::test::fussy f;
    from.read(&f, sizeof f);
    if (f.bad) throw std::runtime_error{"a bad result"};
    return f;
  }
};

namespace tine::test {
namespace {

void must_be_equal(const char* what, auto got, auto wanted) {
  if (got == wanted) return;
  throw std::runtime_error{std::string{what} + ": " + std::to_string(got) + " instead of " + std::to_string(wanted)};
}

std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

// --- a random tree ---------------------------------------------------------------------------------------------------

struct tree_node {
  std::uint64_t state;
  int depth;
};

int children_of(const tree_node& n) {
  if (n.depth >= 9) return 0;
  return n.depth < 2 ? 4 : static_cast<int>(mixed(n.state) % 4);
}
tree_node child_of(const tree_node& n, int i) { return {mixed(n.state + static_cast<unsigned>(i) + 1), n.depth + 1}; }

std::uint64_t serial_size(const tree_node& n) {
  std::uint64_t all = 1;
  for (int i = 0; i < children_of(n); ++i) all += serial_size(child_of(n, i));
  return all;
}

std::uint64_t size_by(mpi::team& team, const std::vector<tree_node>& own) {
  return team.reduce(
      own, std::uint64_t{0},
      [](const tree_node& n, auto& to) {
        for (int i = 0; i < children_of(n); ++i) to.spawn(child_of(n, i));
        return std::uint64_t{1};
      },
      std::plus<>{});
}

void tree(mpi::team& team, std::uint64_t seed) {
  const tree_node root{mixed(seed), 0};
  std::vector<tree_node> own;
  if (team.rank() == 0) own.push_back(root);
  must_be_equal("nodes", size_by(team, own), serial_size(root));
}

/// Each rank has roots of its own, and the last one has most.
void forest(mpi::team& team, std::uint64_t seed) {
  std::uint64_t wanted = 0;
  std::vector<tree_node> own;
  for (int r = 0; r < team.size(); ++r) {
    for (int i = 0; i < (r + 1 == team.size() ? 5 : r % 2); ++i) {
      const tree_node root{mixed(seed * 100 + static_cast<unsigned>(10 * r + i)), 1};
      wanted += serial_size(root);
      if (r == team.rank()) own.push_back(root);
    }
  }
  must_be_equal("nodes", size_by(team, own), wanted);
}

void nothing(mpi::team& team, std::uint64_t) { must_be_equal("nodes", size_by(team, {}), std::uint64_t{0}); }

// --- a tree whose tasks and results are of types that cannot be copied as bytes ----------------------------------------

struct named_node {
  tree_node at;
  std::string way;  ///< from the root: a letter for each step
  template <class Archive>
  void serialize(Archive& with) {
    with(at.state, at.depth, way);
  }
  named_node child(int i) const { return {child_of(at, i), way + static_cast<char>('a' + i)}; }
};

struct names {
  std::uint64_t count = 0;
  std::vector<std::string> last;  // the greatest three
  template <class Archive>
  void serialize(Archive& with) {
    with(count, last);
  }
};

names both(names a, const names& b) {
  a.count += b.count;
  a.last.insert(a.last.end(), b.last.begin(), b.last.end());
  std::ranges::sort(a.last, std::greater<>{});
  a.last.resize(std::min<std::size_t>(a.last.size(), 3));
  return a;
}

names named_serially(const named_node& n) {
  names all{1, {n.way}};
  for (int i = 0; i < children_of(n.at); ++i) all = both(all, named_serially(n.child(i)));
  return all;
}

void named_tree(mpi::team& team, std::uint64_t seed) {
  const named_node root{{mixed(seed), 0}, ""};
  std::vector<named_node> own;
  if (team.rank() == team.size() - 1) own.push_back(root);
  const names got = team.reduce(
      own, names{},
      [](const named_node& n, auto& to) {
        for (int i = 0; i < children_of(n.at); ++i) to.spawn(n.child(i));
        return names{1, {n.way}};
      },
      both);
  const names wanted = named_serially(root);
  must_be_equal("nodes", got.count, wanted.count);
  if (got.last != wanted.last) throw std::runtime_error{"the last names are wrong"};
}

// --- other shapes of tasks -------------------------------------------------------------------------------------------

/// A chain: each task spawns one, and is long enough that the chain moves between ranks.
void chain(mpi::team& team, std::uint64_t seed) {
  const int length = 20'000 + static_cast<int>(seed % 1000);
  std::vector<int> own;
  if (team.rank() == 0) own.push_back(length);
  const std::int64_t sum = team.reduce(
      own, std::int64_t{0},
      [](int n, auto& to) {
        if (n > 1) to.spawn(n - 1);
        return static_cast<std::int64_t>(n);
      },
      std::plus<>{});
  must_be_equal("sum", sum, static_cast<std::int64_t>(length) * (length + 1) / 2);
}

/// Many tasks of one level, and tasks that fork by themselves.
void flat(mpi::team& team, std::uint64_t seed) {
  std::vector<unsigned> own;
  if (team.rank() == static_cast<int>(seed % static_cast<unsigned>(team.size()))) {
    own.resize(500);
    std::iota(own.begin(), own.end(), 0U);
  }
  const auto sum = team.reduce(
      own, std::uint64_t{0},
      [](unsigned i, auto&) {
        return tine::par_reduce(
            0U, 20 * i, std::uint64_t{0}, [](unsigned k) { return mixed(k) & 0xff; }, std::plus<>{});
      },
      std::plus<>{});
  std::uint64_t wanted = 0, prefix = 0;
  for (unsigned i = 0, k = 0; i < 500; ++i) {
    for (; k < 20 * i; ++k) prefix += mixed(k) & 0xff;
    wanted += prefix;
  }
  must_be_equal("sum", sum, wanted);
}

// --- loops -----------------------------------------------------------------------------------------------------------

void sum_loop(mpi::team& team, std::uint64_t seed) {
  const int first = -static_cast<int>(seed % 50), last = static_cast<int>(seed % 4000);
  const auto sum = team.par_reduce(
      first, last, std::int64_t{0}, [](int i) { return static_cast<std::int64_t>(i) * i; }, std::plus<>{});
  std::int64_t wanted = 0;
  for (int i = first; i < last; ++i) wanted += static_cast<std::int64_t>(i) * i;
  must_be_equal("sum", sum, wanted);
}

/// A loop whose first iterations are the longest, three times, each time by the distribution of the time before.
void distributed_loop(mpi::team& team, std::uint64_t seed) {
  const std::size_t n = 200 + seed % 100;
  auto d = team.block(std::size_t{0}, n);
  for (int phase = 0; phase < 3; ++phase) {
    const mpi::distribution before = d;
    std::vector<std::atomic<int>> mine(n);
    const auto how = phase < 2 ? mpi::follow::loosely : mpi::follow::strictly;
    team.for_each(
        d, std::size_t{0},
        [&](std::size_t i) {
          for (std::uint64_t k = 0, x = i; k < (n - i) * 20; ++k) {
            x = mixed(x);
            if (x == 1) return;
          }
          ++mine[i];
        },
        how);
    std::vector<int> times(mine.begin(), mine.end());
    for (std::size_t i = 0; i < n; ++i)
      must_be_equal("rank of an iteration", d.rank_of(i) == team.rank(), times[i] == 1);
    if (how == mpi::follow::strictly && !(d == before))
      throw std::runtime_error{"a strict loop has changed its distribution"};
    must_be_equal("iterations", d.size(), n);
    if (!(mpi::distribution::parse(d.text()) == d))
      throw std::runtime_error{"a distribution changes when it is written and read"};
  }
}

// --- failures --------------------------------------------------------------------------------------------------------

void must_fail(mpi::team& team, const std::function<void()>& f, const char* text) {
  try {
    f();
  } catch (const mpi::team_error& e) {
    if (std::string{e.what()}.find(text) == std::string::npos)
      throw std::runtime_error{std::string{"wrong message: "} + e.what()};
    if (e.rank() < 0 || e.rank() >= team.size()) throw std::runtime_error{"wrong rank " + std::to_string(e.rank())};
    return;
  }
  throw std::runtime_error{"nothing was thrown"};
}

void failing_tree(mpi::team& team, std::uint64_t seed) {
  std::vector<tree_node> own;
  if (team.rank() == 0) own.push_back({mixed(seed), 0});
  const auto f = [&] {
    team.reduce(
        own, 0,
        [](const tree_node& n, auto& to) {
          if (n.depth == 2 && n.state % 8 < 4) throw std::runtime_error{"bad node"};
          for (int i = 0; i < 4 && n.depth < 6; ++i) to.spawn(child_of(n, i));
          return 1;
        },
        std::plus<>{});
  };
  bool fails = false;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) fails = fails || child_of(child_of({mixed(seed), 0}, i), j).state % 8 < 4;
  }
  fails ? must_fail(team, f, "bad node") : f();
  tree(team, seed);  // the team is as good as before
}

void failing_loop(mpi::team& team, std::uint64_t seed) {
  const auto bad = static_cast<int>(seed % 300);
  must_fail(
      team,
      [&] {
        team.for_each(0, 300, [&](int i) {
          if (i == bad) throw std::out_of_range{"bad iteration"};
        });
      },
      "bad iteration");
  must_fail(team, [&] { team.for_each(0, 300, [&](int) { throw 3; }); }, "no std::exception");
}

/// A combination that forks, beside others and at the end of the call.
void forking_combine(mpi::team& team, std::uint64_t seed) {
  using numbers = std::vector<std::uint64_t>;
  const std::size_t n = 64 + seed % 64;
  const numbers got = team.par_reduce(
      std::size_t{0}, n, numbers(n),
      [n](std::size_t i) {
        numbers one(n);
        one[i] = mixed(i);
        return one;
      },
      [](numbers a, const numbers& b) {
        tine::par_for(std::size_t{0}, a.size(), [&](std::size_t i) { a[i] += b[i]; });
        return a;
      });
  for (std::size_t i = 0; i < n; ++i) must_be_equal("number", got[i], mixed(i));
}

/// Tasks that cannot be sent: the call ends well if none of them had to travel.
void bad_tasks(mpi::team& team, std::uint64_t seed) {
  std::vector<fussy> own;
  for (int i = 0; i < 300 && team.rank() == 0; ++i) own.push_back({i, static_cast<unsigned>(i) % 64 == seed % 64});
  try {
    const int got = team.reduce(
        own, 0,
        [](const fussy& f, auto&) {
          for (std::uint64_t k = 0, x = 1; k < 500; ++k) {
            x = mixed(x + k);
            if (x == 1) return 0;
          }
          return f.n;
        },
        std::plus<>{});
    must_be_equal("sum", got, 300 * 299 / 2);
  } catch (const mpi::team_error& e) {
    if (std::string{e.what()}.find("a bad task") == std::string::npos) throw;
  }
  tree(team, seed);
}

/// A result that cannot be read.
void bad_result(mpi::team& team, std::uint64_t seed) {
  const int bad = static_cast<int>(seed % static_cast<unsigned>(team.size()));
  const int own = team.rank() == bad ? 1 : 0;
  const auto f = [&] {
    team.reduce(
        std::vector<int>{own}, fussy{-1, false}, [](int x, auto&) { return fussy{-1, x != 0}; },
        [](const fussy& a, const fussy& b) { return fussy{-1, a.bad || b.bad}; });
  };
  team.size() == 1 ? f() : must_fail(team, f, "a bad result");
  tree(team, seed);
}

}  // namespace

const named_case team_cases[] = {{"forking_combine", &forking_combine},
                                 {"bad_tasks", &bad_tasks},
                                 {"bad_result", &bad_result},
                                 {"tree", &tree},
                                 {"forest", &forest},
                                 {"nothing", &nothing},
                                 {"named_tree", &named_tree},
                                 {"chain", &chain},
                                 {"flat", &flat},
                                 {"sum_loop", &sum_loop},
                                 {"distributed_loop", &distributed_loop},
                                 {"failing_tree", &failing_tree},
                                 {"failing_loop", &failing_loop}};
const unsigned team_case_count = sizeof team_cases / sizeof *team_cases;

}  // namespace tine::test
