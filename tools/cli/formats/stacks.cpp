// Fork paths as the stacks of a profile.
#include "cli/formats/stacks.hpp"

#include <algorithm>

namespace tine::cli {

std::vector<std::uint32_t> stack_of(const std::vector<trace::path>& paths, std::uint32_t path) {
  std::vector<std::uint32_t> stack;
  for (; path != trace::nothing; path = paths[path].parent) {
    if (paths[path].site != trace::nothing) stack.push_back(paths[path].site);
  }
  std::reverse(stack.begin(), stack.end());
  return stack;
}

std::vector<std::uint32_t> cut_paths(const std::vector<trace::path>& paths) {
  std::vector<std::uint32_t> cut(paths.size()), depth(paths.size());
  for (std::uint32_t i = 0; i < paths.size(); ++i) {
    const std::uint32_t parent = paths[i].parent;
    const std::uint32_t above = parent == trace::nothing ? 0 : depth[parent];
    const bool is_too_deep = above >= most_frames;
    cut[i] = is_too_deep ? cut[parent] : i;
    depth[i] = is_too_deep ? above : above + (paths[i].site != trace::nothing ? 1 : 0);
  }
  return cut;
}

stack_totals totals_of_stacks(const std::vector<trace::path>& paths) {
  const std::vector<std::uint32_t> cut = cut_paths(paths);
  stack_totals totals{std::vector<std::uint64_t>(paths.size()), std::vector<std::uint64_t>(paths.size())};
  for (std::size_t i = 0; i < paths.size(); ++i) {
    totals.work[cut[i]] += paths[i].work;
    totals.count[cut[i]] += paths[i].count;
  }
  return totals;
}

}  // namespace tine::cli
