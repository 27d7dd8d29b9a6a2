// Objects and the ways to them: virtual calls, pointers, references, captures, members.
#include "../race_case.hpp"

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

RACE_ON_X(reference_that_a_branch_returns) {
  tine::par(
      [&] {
        auto [a, b] = tine::par([&]() -> int& { return x; }, [&]() -> int& { return y; });
        a = 1;
        b = 1;
      },
      [&] {
        if (its.racy) ++x;
      });
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
