// Tasks of clang with private objects: each is constructed and destroyed once, whether its task runs, is cancelled or
// is large, and its constructor may make tasks of its own.
#include "check.h"

#include <atomic>
#include <stdexcept>
#include <vector>

/* libomp 19 hangs at a taskwait in a constructor of a private object, because the object's task isn't made yet. */
static const bool is_on_libomp = getenv("TINE_NUM_THREADS") == nullptr;
static std::atomic<int> living{0}, made{0}, from_constructors{0};

struct counted {
  int value;
  std::vector<int> more;
  explicit counted(int v) : value{v}, more(10, v) { note(); }
  counted(const counted& other) : value{other.value}, more{other.more} {
    note();
    if (is_on_libomp) return;
    int done = 0;
#pragma omp task shared(done)
    {
      done = 1;
      from_constructors++;
    }
#pragma omp taskwait
    CHECK(done == 1 || omp_get_cancellation());
  }
  ~counted() { --living; }

 private:
  static void note() {
    ++living;
    ++made;
  }
};

struct large {
  counted c;
  char bytes[5000];
  explicit large(int v) : c{v} { memset(bytes, v, sizeof bytes); }
};

static void privates() {
  std::atomic<long> sum{0};
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 50; i++) {
      counted c{i};
      large l{i};
#pragma omp task firstprivate(c) shared(sum)
      sum += c.value + c.more[9];
#pragma omp task firstprivate(l) shared(sum) if (i % 2 == 0)
      sum += l.bytes[4999];
#pragma omp task firstprivate(c) shared(sum) depend(inout : sum)
      sum += c.value;
#pragma omp task firstprivate(c) shared(sum) final(true)
      {
        CHECK(omp_in_final());
#pragma omp task firstprivate(c) shared(sum)
        sum += c.value;
      }
    }
    counted c{1};
#pragma omp taskloop firstprivate(c) grainsize(3) shared(sum)
    for (int i = 0; i < 40; i++) sum += c.value;
  }
  CHECK(sum == 5 * 1225 + 40);
  CHECK(living == 0 && made > 300 && (from_constructors >= 200 || is_on_libomp));
}

/* A task whose group is cancelled doesn't run, but its objects are destroyed. */
static void cancelled() {
  std::atomic<int> run{0};
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
  {
    counted c{1};
    for (int i = 0; i < 30; i++) {
#pragma omp task firstprivate(c) shared(run)
      run += c.value;
#pragma omp task firstprivate(c) shared(run) depend(inout : c)
      run += 0;
    }
#pragma omp task if (0)
    {
#pragma omp cancel taskgroup
    }
    for (int i = 0; i < 30; i++) {
#pragma omp task firstprivate(c) shared(run) depend(in : run)
      run += c.value;
    }
  }
  CHECK(run <= 60 && living == 0);
  CHECK(omp_get_cancellation() ? run <= 30 : run == 60);
}

static void exceptions() {
  std::atomic<int> caught{0};
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < 40; i++) {
    try {
      if (i % 2) throw std::runtime_error{"odd"};
    } catch (const std::runtime_error&) {
      caught++;
    }
  }
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 20; i++) {
#pragma omp task shared(caught)
#pragma omp critical(name)
    try {
      throw 1;
    } catch (int n) {
      caught += n;
    }
  }
  CHECK(caught == 40);
}

template <class T>
static T total(const std::vector<T>& values) {
  T sum{};
#pragma omp parallel for reduction(+ : sum)
  for (auto i = values.begin(); i < values.end(); ++i) sum += *i;
  return sum;
}

int main() {
  privates();
  cancelled();
  exceptions();
  CHECK(total(std::vector<int>(1000, 3)) == 3000 && total(std::vector<double>(100, 0.5)) == 50);
  return 0;
}
