// Finds the oldest pending record at a position. A fiber remembers how far it came, so the simulation uses it alone.
#include "simulate/fiber.hpp"

namespace tine::simulate {

std::optional<part> fiber::pending(const program& p, std::uint64_t at, unsigned takers, std::uint64_t& changes) {
  if (at < below_.begin || at >= below_.end()) below_ = inside_;
  for (part here = below_;;) {
    switch (here.is) {
      case part::kind::tree: {
        const tree_node& n = p.nodes[here.node];
        if (n.children == 0) {
          if (!n.is_divisible()) return changes = here.end(), std::nullopt;
          here = inside_leaf(p, here.node);
          continue;
        }
        here = part_of(p, child_at(p, n, at));
        break;
      }
      case part::kind::branches: {
        const part own = part_of(p, child_at(p, p.nodes[here.node], at));
        if (own.end() < here.end()) {
          found_ = own;
          return part{part::kind::branches, here.node, own.end(), here.end() - own.end(), 0, 0};
        }
        here = own;
        break;
      }
      case part::kind::range: {
        const std::uint64_t own = end_of_iterations(p, here, at);
        if (own < here.end()) {
          const std::uint64_t all = here.end() - own, share = (all + takers) / (takers + 1);
          const std::uint64_t from = end_of_iterations_below(p, here, here.end() - share, own);
          found_ = here, found_.work = from - here.begin;
          part taken = here;
          taken.begin = from, taken.work = here.end() - from;
          return taken;
        }
        const std::uint32_t child = child_at(p, p.nodes[here.node], at);
        if (p.nodes[child].is_iterations) return changes = here.end(), std::nullopt;
        here = part_of(p, child);
        break;
      }
      case part::kind::blocks:
        below_ = here;
        here = block_at(here, block_index(here, at));
        continue;
      case part::kind::block:
        if (here.work <= here.span) return changes = here.end(), std::nullopt;
        if (const part first = first_branch(here); at < first.begin) {
          return changes = first.begin, std::nullopt;
        } else if (at < first.end()) {
          found_ = first;
          return second_branch(here);
        }
        here = second_branch(here);
        continue;
    }
    below_ = here;
  }
}

}  // namespace tine::simulate
