// Objects and the ways to them: virtual calls, pointers, references, captures, members.
#include "../race_case.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

using race_test::keep;

struct shape {
  virtual ~shape() = default;
  virtual void grow() = 0;
  virtual int size() const = 0;
};
struct box : shape {
  int side = 1;
  void grow() override { ++side; }
  int size() const override { return side; }
};
struct line : shape {
  int length = 1;
  void grow() override { ++length; }
  int size() const override { return length; }
};

RACE_CASE(virtual_call_on_one_object) {
  const auto a = std::make_unique<box>();
  const auto b = std::make_unique<line>();
  shape* first = a.get();
  shape* second = its.racy ? first : b.get();
  keep(first);
  keep(second);
  its.races_on(a->side);
  tine::par([&] { first->grow(); }, [&] { second->grow(); });
}

CLEAN_CASE(virtual_calls_on_many_objects) {
  std::vector<std::unique_ptr<shape>> shapes;
  for (int i = 0; i < 20; ++i) {
    if (i % 2 == 0)
      shapes.push_back(std::make_unique<box>());
    else
      shapes.push_back(std::make_unique<line>());
  }
  tine::par_for(shapes, [](const std::unique_ptr<shape>& s) { s->grow(); });
  int sum = tine::par_reduce(shapes, 0, [](const std::unique_ptr<shape>& s) { return s->size(); }, std::plus<>{});
  keep(sum);
}

// A virtual call reads the pointer to the table, which the end of the object writes.
RACE_CASE(destructor_beside_a_virtual_call) {
  auto a = std::make_unique<box>();
  const auto b = std::make_unique<box>();
  shape* used = its.racy ? static_cast<shape*>(a.get()) : b.get();
  keep(used);
  int size = 0;
  its.races_on(*a);
  its.races_on(a);
  tine::par([&] { size = used->size(); }, [&] { a = nullptr; });
  keep(size);
}

RACE_CASE(two_names_of_one_array) {
  std::array<double, 50> a{}, b{};
  its.races_on(a);
  double* const x = a.data();
  double* y = its.racy ? a.data() + 1 : b.data();
  keep(y);
  tine::par_for(0, 49, [&](int i) { x[i] = y[i]; });
  keep(a);
}

RACE_CASE(overlapping_rows_of_one_block) {
  std::vector<double> block(100);
  std::vector<double*> rows;
  const std::size_t stride = its.racy ? 9 : 10;
  for (std::size_t i = 0; i < 10; ++i) rows.push_back(block.data() + i * stride);
  its.races_in(block.data(), 100 * sizeof(double));
  tine::par_for(std::size_t{0}, rows.size(), [&](std::size_t i) {
    for (std::size_t k = 0; k < 10; ++k) rows[i][k] = 1;
  });
  keep(block);
}

RACE_CASE(member_function_that_caches) {
  struct circle {
    double radius = 2;
    mutable double area = -1;
    bool caches = false;
    double get() const {
      if (!caches) return radius * radius;
      if (area < 0) area = radius * radius;
      return area;
    }
  };
  const circle c{.caches = its.racy};
  std::array<double, 20> seen{};
  its.races_on(c.area);
  tine::par_for(std::size_t{0}, seen.size(), [&](std::size_t i) { seen[i] = c.get(); });
  keep(seen);
}

RACE_CASE(capture_by_reference_in_place_of_by_value) {
  std::vector<std::pair<int, int>> results(10);
  int sum = 0;
  its.races_on(sum);
  tine::par_for(std::size_t{0}, results.size(), [&, own = sum](std::size_t i) {
    int mine = own;
    int& chosen = its.racy ? sum : mine;
    chosen += static_cast<int>(i);
    results[i] = {chosen, mine};
  });
  keep(results);
}

// The operands of a comparison are members of one base class.
struct counted {
  static inline int made = 0;
  explicit counted(bool counts) {
    if (counts) ++made;
  }
};

RACE_CASE(constructor_that_counts) {
  its.races_on(counted::made);
  tine::par_for(0, 20, [&](int) {
    counted c{its.racy};
    keep(c);
  });
}

struct link {
  int value = 0;
  link* next = nullptr;
};

// A walk along a list, while another strand appends to it.
RACE_CASE(walk_along_a_growing_list) {
  link first, second, third;
  first.next = &second;
  int sum = 0;
  its.races_on(second.next);
  tine::par(
      [&] {
        for (const link* l = &first; l != nullptr; l = l->next) sum += l->value;
      },
      [&] {
        if (its.racy) second.next = &third;
      });
  keep(sum);
}

// A task for each element of a list, which the parent follows.
CLEAN_CASE(tasks_along_a_list) {
  std::array<link, 30> links;
  for (std::size_t i = 0; i + 1 < links.size(); ++i) links[i].next = &links[i + 1];
  struct walk {
    static void from(link* l) {
      if (l == nullptr) return;
      tine::par([=] { l->value += 1; }, [=] { from(l->next); });
    }
  };
  walk::from(&links[0]);
  keep(links);
}

RACE_CASE(pointer_to_member_and_pointer_to_function) {
  struct pair {
    int a = 0, b = 0;
    void set_a() { a = 1; }
    void set_b() { b = 1; }
  } p;
  void (pair::*set)() = its.racy ? &pair::set_a : &pair::set_b;
  keep(set);
  its.races_on(p.a);
  tine::par([&] { p.set_a(); }, [&] { (p.*set)(); });
  keep(p);
}

RACE_CASE(reference_that_a_branch_returns) {
  int x = 0, y = 0;
  its.races_on(x);
  tine::par(
      [&] {
        auto [a, b] = tine::par([&]() -> int& { return x; }, [&]() -> int& { return y; });
        a = 1;
        b = 1;
      },
      [&] {
        if (its.racy) ++x;
      });
  keep(x);
  keep(y);
}

// The result of a branch goes to a variable of the caller only after the join.
CLEAN_CASE(assignment_of_results) {
  std::string a = "before", b = "before";
  auto both = tine::par([&] { return a + "!"; }, [&] { return b + a; });
  a = std::move(both.first);
  b = std::move(both.second);
  keep(a);
  keep(b);
}

// A value that is moved into a branch belongs to the branch.
CLEAN_CASE(values_moved_into_branches) {
  std::vector<int> v(50, 1), w(50, 2);
  int sum = tine::par(
      [v = std::move(v)]() mutable {
        v.push_back(1);
        return static_cast<int>(v.size());
      },
      [w = std::move(w)]() mutable {
        w.clear();
        return static_cast<int>(w.size());
      },
      std::plus<>{});
  keep(sum);
}

}  // namespace
