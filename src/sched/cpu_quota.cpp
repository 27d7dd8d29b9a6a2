// Reads the files of Linux's control groups (cgroups(7)): /proc/self/cgroup names the groups of the process,
// /proc/self/mountinfo the folders where the hierarchies are mounted. It has no state.
#include "sched/cpu_quota.hpp"

#include "base/file_text.hpp"

#include <algorithm>
#include <charconv>
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

/// Cuts the text in front of the first `separator` off `rest`, and returns it. Without a separator that is all of it.
std::string_view cut(std::string_view& rest, char separator) {
  const std::size_t end = std::min(rest.find(separator), rest.size());
  const std::string_view head = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return head;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  words.reserve(12);
  while (!line.empty()) {
    if (const std::string_view word = cut(line, ' '); !word.empty()) words.push_back(word);
  }
  return words;
}

/// Returns true if `word` is one of the words that commas separate in `list`.
bool lists(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    if (cut(list, ',') == word) return true;
  }
  return false;
}

/// Returns the path in a line of mountinfo, where a blank is written as \040.
std::string unescaped(std::string_view path) {
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

std::vector<hierarchy> mounted(const std::string& root) {
  std::vector<hierarchy> found;
  const std::string text = base::file_text(root + "/proc/self/mountinfo").value_or("");
  for (std::string_view rest = text; !rest.empty();) {
    // 36 35 0:30 GROUP FOLDER rw,... [more] - TYPE source rw,cpu,cpuacct
    const std::string_view line = cut(rest, '\n');
    const std::size_t dash = line.find(" - cgroup");  // a container may have hundreds of other mounts
    if (dash == std::string_view::npos) continue;
    const std::vector<std::string_view> type = words_of(line.substr(dash + 3));
    if (type.size() < 3) continue;
    const bool is_unified = type[0] == "cgroup2";
    if (!is_unified && !(type[0] == "cgroup" && lists(type[2], "cpu"))) continue;
    const std::vector<std::string_view> words = words_of(line.substr(0, dash));
    if (words.size() < 6) continue;
    found.push_back({is_unified, unescaped(words[4]), unescaped(words[3])});
  }
  return found;
}

/// Returns the group of the process in that hierarchy, or an empty string. `groups`: the text of /proc/self/cgroup.
std::string group_in(const hierarchy& h, std::string_view groups) {
  while (!groups.empty()) {
    // 0::/GROUP for version 2, 4:cpu,cpuacct:/GROUP for version 1
    std::string_view line = cut(groups, '\n');
    cut(line, ':');
    const std::string_view controllers = cut(line, ':');
    if (!line.empty() && (h.is_unified ? controllers.empty() : lists(controllers, "cpu"))) return std::string{line};
  }
  return {};
}

/// Returns the path of `group` below the group that is mounted, without a slash at its end. A group that lies
/// elsewhere, as a container may see it, has no folder of its own there; then we can read only the mounted group.
std::string below_mounted(const std::string& group, const std::string& top) {
  const std::string prefix = top == "/" ? "" : top;
  const bool is_below = group.starts_with(prefix) && (group.size() == prefix.size() || group[prefix.size()] == '/');
  std::string path = is_below && group.find("/..") == std::string::npos ? group.substr(prefix.size()) : "";
  while (path.ends_with('/')) path.pop_back();
  return path;
}

std::string first_line(const std::string& path) {
  std::string text = base::file_text(path).value_or("");
  text.resize(std::min(text.find('\n'), text.size()));
  return text;
}

/// Returns the whole number above 0 that `text` is, or nothing. (A quota of -1 means that there is none.)
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
    const std::string line = first_line(root + file);
    const std::vector<std::string_view> words = words_of(line);
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
  const std::vector<hierarchy> hierarchies = mounted(root);
  if (hierarchies.empty()) return least;
  const std::string groups = base::file_text(root + "/proc/self/cgroup").value_or("");
  for (const hierarchy& h : hierarchies) {
    for (std::string path = below_mounted(group_in(h, groups), h.top);; path.resize(path.rfind('/'))) {
      std::optional<cpu_quota> here = quota_of(h, root, path);
      if (here && (!least || here->processors < least->processors)) least = std::move(here);
      if (path.empty()) break;
    }
  }
  return least;
}

}  // namespace tine::sched
