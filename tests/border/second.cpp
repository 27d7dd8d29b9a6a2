// The program's other file, which may come from another compiler.
#include "checks.hpp"

namespace border {
namespace {
struct second {
  ~second() {}
  int value;
};
}  // namespace

int check_second() { return checks<second>{}.run(); }
tine::task<word> grow_in_second(int depth, values v) { co_return co_await tine::call(grow<second>, depth, v); }
void print_layouts_of_second() { print_layouts<second>("second"); }

}  // namespace border
