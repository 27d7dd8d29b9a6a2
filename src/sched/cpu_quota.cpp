// Reads the files of Linux's control groups (cgroups(7)): /proc/self/cgroup names the groups of the process,
// /proc/self/mountinfo the folders where the hierarchies are mounted.
#include "sched/cpu_quota.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

namespace tine::sched {
namespace {

/// A hierarchy of control groups that may limit processor time.
struct hierarchy {
  bool is_unified;     ///< version 2
  std::string folder;  ///< where it is mounted
  std::string top;     ///< the group that is mounted there
};

/// Returns the words of a line.
std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in{line};
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

/// Returns true if `word` is one of the words that commas separate in `list`.
bool lists(const std::string& list, std::string_view word) {
  std::istringstream in{list};
  for (std::string each; std::getline(in, each, ',');) {
    if (each == word) return true;
  }
  return false;
}

/// Returns the path in a line of mountinfo, where a blank is written as \040.
std::string unescaped(const std::string& path) {
  std::string plain;
  for (std::size_t i = 0; i < path.size(); ++i) {
    unsigned code = 0;
    const char* const digits = path.data() + i + 1;
    if (path[i] == '\\' && i + 3 < path.size() && std::from_chars(digits, digits + 3, code, 8).ptr == digits + 3) {
      plain += static_cast<char>(code);
      i += 3;
    } else {
      plain += path[i];
    }
  }
  return plain;
}

/// Returns the hierarchies that are mounted.
std::vector<hierarchy> mounted(const std::string& root) {
  std::vector<hierarchy> found;
  std::ifstream file{root + "/proc/self/mountinfo"};
  for (std::string line; std::getline(file, line);) {
    // 36 35 0:30 GROUP FOLDER rw,... [more] - TYPE source rw,cpu,cpuacct
    const std::vector<std::string> words = words_of(line);
    const auto dash = std::find(words.begin(), words.end(), "-");
    if (words.size() < 6 || words.end() - dash < 4) continue;
    const bool is_unified = dash[1] == "cgroup2";
    if (!is_unified && !(dash[1] == "cgroup" && lists(dash[3], "cpu"))) continue;
    found.push_back({is_unified, unescaped(words[4]), unescaped(words[3])});
  }
  return found;
}

/// Returns the group of the process in that hierarchy; an empty string if it is in none.
std::string group_in(const hierarchy& h, const std::string& root) {
  std::ifstream file{root + "/proc/self/cgroup"};
  for (std::string line; std::getline(file, line);) {
    // 0::/GROUP for version 2, 4:cpu,cpuacct:/GROUP for version 1
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (h.is_unified ? controllers.empty() : lists(controllers, "cpu")) return line.substr(second + 1);
  }
  return {};
}

/// Returns the path of `group` below the group that is mounted, without a slash at its end. A group that lies
/// elsewhere, as a container may see it, has no folder of its own there; then the mounted group is all that can be
/// read.
std::string below_mounted(const std::string& group, const std::string& top) {
  const std::string prefix = top == "/" ? "" : top;
  const bool is_below = group.starts_with(prefix) && (group.size() == prefix.size() || group[prefix.size()] == '/');
  std::string path = is_below && group.find("/..") == std::string::npos ? group.substr(prefix.size()) : "";
  while (path.ends_with('/')) path.pop_back();
  return path;
}

std::string first_line(const std::string& path) {
  std::ifstream file{path};
  std::string line;
  std::getline(file, line);
  return line;
}

/// Returns the whole number that `text` is; nothing if it is none that is above 0. A quota of -1 is none.
std::optional<std::uint64_t> number_in(const std::string& text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end || number == 0) return std::nullopt;
  return number;
}

std::optional<cpu_quota> quota_of(const hierarchy& h, const std::string& root, const std::string& path) {
  const std::string folder = h.folder + path;
  std::string file, quota, period;
  if (h.is_unified) {
    file = folder + "/cpu.max";
    const std::vector<std::string> words = words_of(first_line(root + file));
    if (words.empty()) return std::nullopt;
    quota = words[0];
    period = words.size() > 1 ? words[1] : "100000";
  } else {
    file = folder + "/cpu.cfs_quota_us";
    quota = first_line(root + file);
    period = first_line(root + folder + "/cpu.cfs_period_us");
  }
  const auto q = number_in(quota), p = number_in(period);
  if (!q || !p) return std::nullopt;
  return cpu_quota{static_cast<double>(*q) / static_cast<double>(*p), file + ' ' + quota + '/' + period};
}

}  // namespace

std::optional<cpu_quota> find_cpu_quota(const std::string& root) {
  std::optional<cpu_quota> least;
  for (const hierarchy& h : mounted(root)) {
    for (std::string path = below_mounted(group_in(h, root), h.top);; path.resize(path.rfind('/'))) {
      std::optional<cpu_quota> here = quota_of(h, root, path);
      if (here && (!least || here->processors < least->processors)) least = std::move(here);
      if (path.empty()) break;
    }
  }
  return least;
}

}  // namespace tine::sched
