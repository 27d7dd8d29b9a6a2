// The program: this file's checks, the other file's, and tasks of the other file forked here.
#include "checks.hpp"

namespace {

using namespace border;

struct first {
  ~first() {}
  int value;
};

tine::task<word> mixed(int depth, values v) {
  if (depth == 0) co_return v.sum();
  word l = 0;
  const values left = v.first(), right = v.second();
  co_await tine::fork(&l, grow_in_second, depth - 1, left);
  const word r = co_await tine::call(mixed, depth - 1, right);
  co_await tine::join;
  co_return mix(l + 3 * r + left.sum() + right.sum() + v.sum());
}

int check_mixed() {
  tine::pool p{{.workers = 4, .promote = tine::promotion::eager(), .pin = tine::affinity::none}};
  int wrong = 0;
  for (word k = 0; k < 20; ++k) {
    const values v{k, 2, 3, 4, 5, 1, 2};
    wrong += p.run(mixed, 9, v) != grown<first>(9, v);
  }
  if (wrong != 0) std::printf("wrong: coroutines of two files\n");
  return wrong;
}

}  // namespace

int main() {
  print_layouts<first>("first");
  print_layouts_of_second();
  const int wrong = checks<first>{}.run() + check_second() + check_mixed();
  std::printf("%d wrong\n", wrong);
  return wrong != 0 ? 1 : 0;
}
