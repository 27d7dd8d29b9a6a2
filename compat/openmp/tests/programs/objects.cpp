// C++: objects that constructs copy, and their constructions and destructions; exceptions; iterators; reductions of the
// program's own types; members and references in clauses.
#include "cases.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <exception>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

std::atomic<int> made{0}, copied{0}, assigned{0}, ended{0};

struct counted {
  int value = 0;
  std::string text = "a string that is too long for its own object";
  const counted* self = this;
  counted() { ++made; }
  explicit counted(int v) : value{v} { ++made; }
  counted(const counted& other) : value{other.value}, text{other.text} { ++copied; }
  counted& operator=(const counted& other) {
    value = other.value;
    text = other.text;
    ++assigned;
    return *this;
  }
  ~counted() {
    self = nullptr;
    ++ended;
  }
  bool is_whole() const { return self == this && text.size() == 44; }
};

void forget() { made = copied = assigned = ended = 0; }
bool all_ended() { return made + copied == ended; }

constexpr int n_threads = 4;

}  // namespace

CASE(private_objects) {
  forget();
  std::atomic<int> good{0};
  {
    counted c{7};
#pragma omp parallel num_threads(n_threads) private(c)
    good += c.is_whole() && c.value == 0;
    CHECK(c.value == 7);
  }
  CHECK(good == n_threads && made == n_threads + 1 && copied == 0 && all_ended());
}

CASE(firstprivate_objects) {
  forget();
  std::atomic<int> good{0};
  {
    counted c{7};
#pragma omp parallel num_threads(n_threads) firstprivate(c)
    {
      good += c.is_whole() && c.value == 7;
      c.value = omp_get_thread_num();
    }
    CHECK(c.value == 7);
  }
  CHECK(good == n_threads && made == 1 && copied == n_threads && all_ended());
}

CASE(lastprivate_objects) {
  forget();
  {
    counted c{7};
#pragma omp parallel for num_threads(n_threads) lastprivate(c) schedule(dynamic)
    for (int i = 0; i < 30; ++i) c.value = i;
    CHECK(c.value == 29 && c.is_whole());
#pragma omp parallel for num_threads(n_threads) firstprivate(c) lastprivate(c)
    for (int i = 0; i < 30; ++i) c.value += c.value == 29 ? 100 : 1;
    CHECK(c.value > 129 - 1 && c.is_whole());
  }
  CHECK(assigned == 2 && all_ended());
}

CASE(firstprivate_of_tasks) {
  forget();
  std::atomic<int> good{0};
#pragma omp parallel num_threads(n_threads)
#pragma omp single
  {
    counted c{3};
    for (int i = 0; i < 20; ++i) {
      c.value = i;
#pragma omp task firstprivate(c, i) shared(good)
      {
        spin();
        good += c.is_whole() && c.value == i;
      }
    }
#pragma omp task if (0) firstprivate(c) shared(good)
    good += c.is_whole();
#pragma omp task final(true) firstprivate(c) shared(good)
    {
#pragma omp task firstprivate(c) shared(good)
      good += c.is_whole();
    }
#pragma omp taskwait
  }
  CHECK(good == 22 && made == 1 && copied >= 23 && all_ended());
}

CASE(firstprivate_of_taskloops) {
  forget();
  std::atomic<int> good{0};
#pragma omp parallel num_threads(n_threads)
#pragma omp single
  {
    counted c{5}, last{0};
#pragma omp taskloop firstprivate(c) lastprivate(last) shared(good) num_tasks(7)
    for (int i = 0; i < 14; ++i) {
      good += c.is_whole() && c.value == 5;
      last.value = i;
    }
    good += last.value == 13 ? 100 : 0;
  }
  CHECK(good == 114 && all_ended());
}

CASE(objects_of_dependent_tasks) {
  forget();
  std::atomic<int> good{0};
#pragma omp parallel num_threads(n_threads)
#pragma omp single
  {
    int x = 0;
    counted c{1};
    for (int i = 0; i < 10; ++i) {
      c.value = i;
#pragma omp task depend(inout : x) firstprivate(c, i) shared(good, x)
      good += c.is_whole() && c.value == i && x++ == i;
    }
#pragma omp taskwait
  }
  CHECK(good == 10 && all_ended());
}

CASE(copyprivate_objects) {
  forget();
  std::atomic<int> good{0};
#pragma omp parallel num_threads(n_threads)
  {
    counted c{1};
#pragma omp single copyprivate(c)
    c.value = 55;
    good += c.is_whole() && c.value == 55;
  }
  CHECK(good == n_threads && assigned == n_threads - 1 && all_ended());
}

CASE(arrays_of_objects) {
  forget();
  std::atomic<int> good{0};
  {
    counted a[3];
    a[2].value = 9;
#pragma omp parallel num_threads(n_threads) firstprivate(a)
    good += a[0].is_whole() && a[2].is_whole() && a[2].value == 9;
  }
  CHECK(good == n_threads && copied == 3 * n_threads && all_ended());
}

namespace {

struct lowest {
  int value = 1 << 30;
  int where = -1;
  void add(int v, int at) {
    if (v < value || (v == value && at < where)) value = v, where = at;
  }
};
#pragma omp declare reduction(least:lowest : omp_out.add(omp_in.value, omp_in.where)) initializer(omp_priv = lowest{})
#pragma omp declare reduction(append : std::vector<int> : omp_out.insert(omp_out.end(), omp_in.begin(), omp_in.end()))

struct number {
  double x = 0;
  number& operator+=(const number& other) {
    x += other.x;
    return *this;
  }
};
#pragma omp declare reduction(+ : number : omp_out += omp_in)

}  // namespace

CASE(reductions_of_own_types) {
  lowest l;
  std::vector<int> all;
  number n;
#pragma omp parallel for num_threads(n_threads) reduction(least : l) reduction(append : all) reduction(+ : n)
  for (int i = 0; i < 100; ++i) {
    l.add((i * 37 + 11) % 101, i);
    all.push_back(i);
    n += number{i * 0.5};
  }
  std::sort(all.begin(), all.end());
  bool is_complete = all.size() == 100;
  for (std::size_t i = 0; i < all.size(); ++i) is_complete &= all[i] == static_cast<int>(i);
  CHECK(is_complete && n.x == 2475 && l.value == 0 && (l.where * 37 + 11) % 101 == 0);
}

CASE(reductions_of_own_types_over_tasks) {
  lowest l;
  std::vector<int> all;
#pragma omp parallel num_threads(n_threads)
#pragma omp single
  {
#pragma omp taskgroup task_reduction(least : l) task_reduction(append : all)
    for (int i = 0; i < 30; ++i) {
#pragma omp task in_reduction(least : l) in_reduction(append : all)
      {
        l.add(i, i);
        all.push_back(i);
      }
    }
#pragma omp taskloop reduction(append : all) num_tasks(5)
    for (int i = 30; i < 50; ++i) all.push_back(i);
  }
  CHECK(l.value == 0 && all.size() == 50 && std::accumulate(all.begin(), all.end(), 0) == 1225);
}

CASE(random_access_iterators) {
  std::vector<int> v(300);
  std::deque<int> d(300, 1);
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 7)
  for (auto it = v.begin(); it < v.end(); ++it) *it = static_cast<int>(it - v.begin());
  int sum = 0;
#pragma omp parallel for num_threads(n_threads) reduction(+ : sum)
  for (auto it = d.rbegin(); it != d.rend(); it += 1) sum += *it;
#pragma omp parallel for num_threads(n_threads) reduction(+ : sum) schedule(guided)
  for (int& x : v) sum += x;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(10)
  for (auto it = v.begin(); it < v.end(); it += 2) *it = -1;
  CHECK(sum == 300 + 44850 && std::count(v.begin(), v.end(), -1) == 150);
}

CASE(exceptions_inside) {
  int caught = 0;
#pragma omp parallel for num_threads(n_threads) reduction(+ : caught)
  for (int i = 0; i < 40; ++i) {
    try {
      if (i % 3 == 0) throw std::string{"three"};
    } catch (const std::string& s) {
      caught += s == "three";
    }
  }
  CHECK(caught == 14);
}

CASE(exceptions_inside_of_constructs) {
  std::atomic<int> caught{0};
#pragma omp parallel num_threads(n_threads)
  {
#pragma omp single
    try {
      throw 1;
    } catch (int) {
      ++caught;
    }
#pragma omp critical
    try {
      throw std::runtime_error{"critical"};
    } catch (const std::exception&) {
      ++caught;
    }
#pragma omp sections
    {
#pragma omp section
      try {
        throw 2.5;
      } catch (double) {
        ++caught;
      }
    }
#pragma omp single
    for (int i = 0; i < 20; ++i) {
#pragma omp task shared(caught)
      try {
        std::vector<int> v(3);
        v.at(static_cast<std::size_t>(i + 3)) = 1;
      } catch (const std::out_of_range&) {
        ++caught;
      }
    }
  }
  CHECK(caught == 1 + n_threads + 1 + 20);
}

// While a handler waits, other strands run on its worker, which throw as well. Each has exceptions of its own.
CASE(exceptions_over_waits) {
  std::atomic<int> good{0};
#pragma omp parallel num_threads(n_threads)
  for (int k = 0; k < 20; ++k) {
    const int mine = omp_get_thread_num() * 100 + k;
    try {
      try {
        throw mine;
      } catch (int first) {
#pragma omp barrier
        if (first != mine) throw std::runtime_error{"another one's exception"};
#pragma omp task shared(good)
        try {
          throw std::string{"task"};
        } catch (const std::string&) {
        }
#pragma omp taskwait
        throw;
      }
    } catch (int again) {
      good += again == mine;
    }
    good += std::uncaught_exceptions() == 0 && std::current_exception() == nullptr;
  }
  CHECK(good == 2 * 20 * n_threads);
}

CASE(exceptions_through_calls_around_regions) {
  bool is_caught = false;
  const auto f = [](int depth, const auto& self) -> int {
    int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    sum += 1;
    if (depth == 0) throw std::runtime_error{"after a region"};
    return sum + self(depth - 1, self);
  };
  try {
    f(4, f);
  } catch (const std::runtime_error&) {
    is_caught = true;
  }
  int sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
  sum += 1;
  CHECK(is_caught && sum == 3);
}

// The exception goes from the region to the program in a variable.
CASE(exceptions_carried_out) {
  std::exception_ptr first;
#pragma omp parallel for num_threads(n_threads)
  for (int i = 0; i < 20; ++i) {
    try {
      if (i == 13) throw std::runtime_error{"thirteen"};
    } catch (...) {
#pragma omp critical
      first = std::current_exception();
    }
  }
  std::string what;
  try {
    if (first) std::rethrow_exception(first);
  } catch (const std::exception& e) {
    what = e.what();
  }
  CHECK(what == "thirteen");
}

namespace {

struct grid {
  std::array<int, 60> cells{};
  int scale = 3;
  int sum = 0;
  int fill() {
#pragma omp parallel for num_threads(n_threads) firstprivate(scale) reduction(+ : sum)
    for (int i = 0; i < 60; ++i) {
      cells[static_cast<std::size_t>(i)] = i * scale;
      sum += i;
    }
    return sum;
  }
  void by_tasks() {
#pragma omp parallel num_threads(n_threads)
#pragma omp single
    for (int& c : cells) {
      int* const at = &c;
#pragma omp task firstprivate(scale, at)
      *at -= scale;
    }
  }
};

template <class T, int threads>
T sum_of(const std::vector<T>& v) {
  T sum{};
#pragma omp parallel for num_threads(threads) reduction(+ : sum)
  for (std::size_t i = 0; i < v.size(); ++i) sum += v[i];
  return sum;
}

}  // namespace

CASE(members_in_clauses) {
  grid g;
  CHECK(g.fill() == 1770 && g.cells[20] == 60);
  g.by_tasks();
  CHECK(g.cells[20] == 57 && g.scale == 3);
}

CASE(templates) {
  CHECK((sum_of<int, 3>({1, 2, 3, 4}) == 10) && (sum_of<double, 2>({0.5, 0.25}) == 0.75) && (sum_of<long, 1>({}) == 0));
}

CASE(references) {
  int x = 0, values[3] = {1, 2, 3};
  int& r = x;
  int(&a)[3] = values;
#pragma omp parallel num_threads(n_threads) firstprivate(a) reduction(+ : r)
  {
    a[0]++;
    r += a[0];
  }
  CHECK(x == 2 * n_threads && values[0] == 1);
#pragma omp parallel num_threads(n_threads)
#pragma omp single
  for (int i = 0; i < 5; ++i) {
#pragma omp task shared(r)
    {
#pragma omp atomic
      r += i;
    }
  }
  CHECK(x == 2 * n_threads + 10);
}

CASE(lambdas) {
  std::atomic<int> sum{0};
  const auto body = [&sum](int i) {
#pragma omp task shared(sum)
    sum += i;
  };
#pragma omp parallel num_threads(n_threads)
#pragma omp single
  for (int i = 0; i < 30; ++i) body(i);
  const auto region = [&] {
#pragma omp parallel for num_threads(n_threads)
    for (int i = 0; i < 30; ++i) sum += 1;
  };
  region();
  CHECK(sum == 465);
}

CASE(regions_of_std_threads) {
  std::atomic<int> sum{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&sum] {
      for (int k = 0; k < 10; ++k) {
#pragma omp parallel num_threads(3)
        {
#pragma omp barrier
          sum += omp_get_thread_num();
        }
      }
    });
  }
  for (auto& t : threads) t.join();
  CHECK(sum == 90);
}

// Objects with a larger alignment than the heap's.
CASE(aligned_objects) {
  struct alignas(64) wide {
    double v[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  } w;
  std::atomic<int> good{0};
#pragma omp parallel num_threads(n_threads) firstprivate(w)
  good += reinterpret_cast<std::size_t>(&w) % 64 == 0 && w.v[7] == 8;
  CHECK(good == n_threads);
}

CASE(shared_pointers) {
  auto p = std::make_shared<int>(0);
#pragma omp parallel num_threads(n_threads)
#pragma omp single
  for (int i = 0; i < 20; ++i) {
#pragma omp task firstprivate(p)
    {
#pragma omp atomic
      *p += 1;
    }
  }
  CHECK(*p == 20 && p.use_count() == 1);
}
