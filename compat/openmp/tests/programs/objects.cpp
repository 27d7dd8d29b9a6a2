/* C++: objects that tasks copy, exceptions inside of a region, iterators, and reductions of user types. */
#include "check.h"

#include <string>
#include <vector>

struct counted {
  static int alive;
  std::string name = "a string that is too long for its own object";
  const counted* self = this;
  counted() {
#pragma omp atomic
    ++alive;
  }
  counted(const counted& other) : name{other.name} {
#pragma omp atomic
    ++alive;
  }
  ~counted() {
#pragma omp atomic
    --alive;
  }
};
int counted::alive = 0;

struct lowest {
  int value = 1 << 30;
  void add(int v) { value = v < value ? v : value; }
};
#pragma omp declare reduction(least:lowest : omp_out.add(omp_in.value)) initializer(omp_priv = lowest{})

static void copies() {
  int good = 0;
#pragma omp parallel
#pragma omp single
  {
    counted c;
    for (int i = 0; i < 20; ++i) {
#pragma omp task firstprivate(c) shared(good)
      {
#pragma omp atomic
        good += c.self == &c && c.name.size() == 44;
      }
    }
#pragma omp task if (0) firstprivate(c) shared(good)
    {
#pragma omp atomic
      good += c.self == &c;
    }
#pragma omp taskloop firstprivate(c) shared(good) num_tasks(7)
    for (int i = 0; i < 14; ++i) {
#pragma omp atomic
      good += c.self == &c;
    }
#pragma omp taskwait
  }
  CHECK(good == 35 && counted::alive == 0);
}

static void throws() {
  int caught = 0;
#pragma omp parallel for reduction(+ : caught)
  for (int i = 0; i < 40; ++i) {
    try {
      if (i % 3 == 0) throw std::string{"three"};
    } catch (const std::string& s) {
      caught += s == "three";
    }
  }
  CHECK(caught == 14);
}

int main() {
  copies();
  throws();
  std::vector<int> v(500);
#pragma omp parallel for schedule(dynamic, 7)
  for (auto it = v.begin(); it < v.end(); ++it) *it = static_cast<int>(500 - (it - v.begin()));
  lowest l;
#pragma omp parallel for reduction(least : l)
  for (std::size_t i = 0; i < v.size(); ++i) l.add(v[i]);
  CHECK(l.value == 1 && v[0] == 500);
  return 0;
}
