// Writes the chain of forks and loops around a place as text. It goes outwards along positions that only the running
// strand changes.
#include "replay/fork_path.hpp"

namespace tine::detail {

std::string fork_path(const sched::position& at, std::uint32_t number) {
  constexpr int most_levels = 16;
  std::string path = std::to_string(number);
  const sched::position* p = &at;
  for (int level = 0; p != nullptr; ++level) {
    if (level == most_levels) return "…/" + path;
    if (!p->is_cursor()) {
      path = std::to_string(p->own) + (p->is_in_loop() ? "[0]/" : p->is_in_second() ? ".1/" : ".0/") + path;
      p = p->up();
      continue;
    }
    const cursor& c = static_cast<const cursor&>(*p);
    if (c.above == nullptr) break;
    const std::string begin = std::to_string(c.begin);
    const bool is_fork = c.above->what == schedule::kind::fork;
    path = std::to_string(c.above->number) + (is_fork ? '.' + begin : '[' + begin + ']') + '/' + path;
    p = &c.above->parent;
  }
  return path;
}

std::string fork_path(const replay_node& n) {
  return std::string{name_of(n.what)} + ' ' + fork_path(n.parent, n.number);
}

}  // namespace tine::detail
