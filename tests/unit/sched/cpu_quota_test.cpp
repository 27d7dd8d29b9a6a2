// Quotas of processor time, found in made-up files of many systems, and the default number of workers under them.
#include "sched/cpu_quota.hpp"
#include "sched/circumstances.hpp"
#include "unit/run_child.hpp"

#include <tine/sched/pool.hpp>

#include <unistd.h>
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// Files below a temporary folder.
class made_up_root {
 public:
  made_up_root() {
    std::string path = (fs::temp_directory_path() / "tine quota XXXXXX").string();
    REQUIRE(mkdtemp(path.data()) != nullptr);
    folder_ = path;
  }
  ~made_up_root() { fs::remove_all(folder_); }
  made_up_root(const made_up_root&) = delete;
  made_up_root& operator=(const made_up_root&) = delete;

  void write(const std::string& path, const std::string& content) const {
    fs::create_directories(fs::path{folder_ + path}.parent_path());
    std::ofstream{folder_ + path} << content;
  }
  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
};

struct system_files {
  const char* what;
  std::string groups;  ///< /proc/self/cgroup
  std::string mounts;  ///< /proc/self/mountinfo
  std::vector<std::pair<std::string, std::string>> files;
  double processors;  ///< 0: there is no quota
  std::string source{};
};

const std::string unified_mount = "29 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
const std::string cpu_mount =
    "33 25 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid shared:9 - cgroup cgroup rw,cpu,cpuacct\n";
const std::string memory_mount = "34 25 0:30 / /sys/fs/cgroup/memory rw shared:10 - cgroup cgroup rw,memory\n";

const system_files systems[] = {
    {"no control groups at all", "", "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n", {}, 0},
    {"no proc", "", "", {}, 0},
    {"version 2, no limit",
     "0::/user.slice\n",
     unified_mount,
     {{"/sys/fs/cgroup/user.slice/cpu.max", "max 100000\n"}},
     0},
    {"version 2, two processors",
     "0::/app\n",
     unified_mount,
     {{"/sys/fs/cgroup/app/cpu.max", "200000 100000\n"}},
     2,
     "/sys/fs/cgroup/app/cpu.max 200000/100000"},
    {"version 2, a fifth of a processor",
     "0::/app\n",
     unified_mount,
     {{"/sys/fs/cgroup/app/cpu.max", "20000 100000\n"}},
     0.2},
    {"version 2, a period of its own",
     "0::/app\n",
     unified_mount,
     {{"/sys/fs/cgroup/app/cpu.max", "75000 50000\n"}},
     1.5},
    {"version 2, the period left out", "0::/app\n", unified_mount, {{"/sys/fs/cgroup/app/cpu.max", "300000\n"}}, 3},
    {"version 2, an ancestor limits",
     "0::/a/b/c\n",
     unified_mount,
     {{"/sys/fs/cgroup/a/cpu.max", "150000 100000\n"},
      {"/sys/fs/cgroup/a/b/cpu.max", "max 100000\n"},
      {"/sys/fs/cgroup/a/b/c/cpu.max", "400000 100000\n"}},
     1.5,
     "/sys/fs/cgroup/a/cpu.max 150000/100000"},
    {"version 2, the group itself limits more than its ancestor",
     "0::/a/b\n",
     unified_mount,
     {{"/sys/fs/cgroup/a/cpu.max", "800000 100000\n"}, {"/sys/fs/cgroup/a/b/cpu.max", "100000 100000\n"}},
     1},
    {"version 2, a level without the controller",
     "0::/a/b/c\n",
     unified_mount,
     {{"/sys/fs/cgroup/a/cpu.max", "300000 100000\n"}},
     3},
    {"version 2, the group of a sibling does not count",
     "0::/a\n",
     unified_mount,
     {{"/sys/fs/cgroup/ab/cpu.max", "100000 100000\n"}},
     0},
    {"a container with a namespace of its own",
     "0::/\n",
     unified_mount,
     {{"/sys/fs/cgroup/cpu.max", "250000 100000\n"}},
     2.5},
    {"a container whose group lies outside of its namespace",
     "0::/../../other.slice\n",
     unified_mount,
     {{"/sys/fs/cgroup/cpu.max", "100000 100000\n"}},
     1},
    {"a container that sees the path of its host",
     "0::/docker/4f2a\n",
     "29 23 0:26 /docker/4f2a /sys/fs/cgroup ro - cgroup2 cgroup rw\n",
     {{"/sys/fs/cgroup/cpu.max", "600000 100000\n"}},
     6},
    {"a group whose name begins like the mounted one",
     "0::/docker/4f2ab\n",
     "29 23 0:26 /docker/4f2a /sys/fs/cgroup ro - cgroup2 cgroup rw\n",
     {{"/sys/fs/cgroup/cpu.max", "600000 100000\n"}, {"/sys/fs/cgroupb/cpu.max", "100000 100000\n"}},
     6},
    {"version 2 in another folder",
     "0::/app\n",
     "29 23 0:26 / /mnt/my\\040groups rw - cgroup2 none rw\n",
     {{"/mnt/my groups/app/cpu.max", "100000 50000\n"}},
     2},
    {"version 1, no limit",
     "4:cpu,cpuacct:/\n",
     cpu_mount,
     {{"/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n"},
      {"/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"}},
     0},
    {"version 1, three and a half processors",
     "9:memory:/m\n4:cpu,cpuacct:/app\n",
     memory_mount + cpu_mount,
     {{"/sys/fs/cgroup/cpu,cpuacct/app/cpu.cfs_quota_us", "350000\n"},
      {"/sys/fs/cgroup/cpu,cpuacct/app/cpu.cfs_period_us", "100000\n"}},
     3.5,
     "/sys/fs/cgroup/cpu,cpuacct/app/cpu.cfs_quota_us 350000/100000"},
    {"version 1, an ancestor limits",
     "4:cpu,cpuacct:/a/b\n",
     cpu_mount,
     {{"/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "100000\n"},
      {"/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "200000\n"},
      {"/sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_quota_us", "-1\n"},
      {"/sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_period_us", "100000\n"}},
     0.5},
    {"version 1, the controllers mounted one by one",
     "3:cpuacct:/x\n2:cpu:/app\n",
     "40 25 0:40 / /cg/cpuacct rw - cgroup none rw,cpuacct\n41 25 0:41 / /cg/cpu rw - cgroup none rw,cpu\n",
     {{"/cg/cpu/app/cpu.cfs_quota_us", "200000\n"},
      {"/cg/cpu/app/cpu.cfs_period_us", "100000\n"},
      {"/cg/cpuacct/app/cpu.cfs_quota_us", "100000\n"},
      {"/cg/cpuacct/app/cpu.cfs_period_us", "100000\n"}},
     2},
    {"version 1 in a container that sees the path of its host",
     "4:cpu,cpuacct:/docker/77\n",
     "33 25 0:29 /docker/77 /sys/fs/cgroup/cpu,cpuacct ro - cgroup cgroup rw,cpu,cpuacct\n",
     {{"/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "50000\n"},
      {"/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"}},
     0.5},
    {"both versions, and version 1 has the controller",
     "4:cpu,cpuacct:/app\n0::/app\n",
     "29 23 0:26 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n" + cpu_mount,
     {{"/sys/fs/cgroup/cpu,cpuacct/app/cpu.cfs_quota_us", "400000\n"},
      {"/sys/fs/cgroup/cpu,cpuacct/app/cpu.cfs_period_us", "100000\n"}},
     4},
    {"a quota that is no number", "0::/app\n", unified_mount, {{"/sys/fs/cgroup/app/cpu.max", "many 100000\n"}}, 0},
    {"a quota of nothing", "0::/app\n", unified_mount, {{"/sys/fs/cgroup/app/cpu.max", "0 100000\n"}}, 0},
    {"a period of nothing", "0::/app\n", unified_mount, {{"/sys/fs/cgroup/app/cpu.max", "100000 0\n"}}, 0},
    {"an empty file", "0::/app\n", unified_mount, {{"/sys/fs/cgroup/app/cpu.max", ""}}, 0},
    {"damaged lines",
     "0\n:\n::\n",
     "29 23 0:26 /\n- cgroup2\n\n" + unified_mount,
     {{"/sys/fs/cgroup/cpu.max", "100000 100000\n"}},
     1},
};

}  // namespace

TEST_CASE("the quota of a process is the smallest of all its control groups") {
  for (const system_files& s : systems) {
    CAPTURE(std::string{s.what});
    const made_up_root root;
    root.write("/proc/self/cgroup", s.groups);
    root.write("/proc/self/mountinfo", s.mounts);
    for (const auto& [path, content] : s.files) root.write(path, content);
    const auto found = tine::sched::find_cpu_quota(root.folder());
    CHECK(found.has_value() == (s.processors != 0));
    if (!found) continue;
    CHECK(found->processors == doctest::Approx(s.processors));
    if (!s.source.empty()) CHECK(found->source == s.source);
  }
}

TEST_CASE("a pool has as many workers as its process has processors, or time for") {
  using tine::sched::cpu_quota;
  using tine::sched::defaults_under;
  struct expectation {
    tine::sched::circumstances here;
    unsigned workers;
    bool pinned;
    const char* reason;
  };
  const auto quota = [](double processors) { return cpu_quota{processors, "cpu.max"}; };
  const expectation all[] = {
      {{8, 1, 8, {}}, 8, true, "8 processors"},
      {{1, 1, 1, {}}, 1, true, "1 processor"},
      {{4, 1, 64, {}}, 4, true, "the affinity mask of this process has 4 processors of 64"},
      {{64, 2, 64, quota(2)}, 2, false, "cpu.max of 64 processors"},
      {{64, 2, 64, quota(1.5)}, 2, false, "cpu.max of 64 processors"},
      {{64, 2, 64, quota(0.2)}, 1, false, "cpu.max of 64 processors"},
      {{64, 2, 64, quota(1e-12)}, 1, false, "cpu.max of 64 processors"},
      {{64, 2, 64, quota(63.5)}, 64, false, "cpu.max of 64 processors"},
      {{4, 1, 64, quota(4)}, 4, true, "the affinity mask of this process has 4 processors of 64"},
      {{4, 1, 4, quota(1e12)}, 4, true, "4 processors"},
      {{2, 1, 2, quota(1), 6}, 6, false, "TINE_NUM_THREADS"},
      {{2, 1, 2, {}, 1}, 1, true, "TINE_NUM_THREADS"},
      {{1000, 8, 1000, {}}, 512, true, "a pool has at most 512 workers, of 1000 processors"},
  };
  for (const expectation& e : all) {
    const tine::pool_defaults d = defaults_under(e.here);
    CAPTURE(std::string{e.reason});
    CHECK(d.workers == e.workers);
    CHECK(d.pinned == e.pinned);
    CHECK(d.reason == e.reason);
  }
}

namespace {

/// A control group of this machine with a quota of a fifth of a processor; not usable where the test may not make
/// groups.
struct real_group {
  static constexpr const char* folder = "/sys/fs/cgroup/cpu/tine-unit-test";
  real_group() {
    std::error_code refused;
    fs::create_directory(folder, refused);
    std::ofstream{std::string{folder} + "/cpu.cfs_period_us"} << 100'000;
    std::ofstream{std::string{folder} + "/cpu.cfs_quota_us"} << 20'000;
    long quota = 0;
    std::ifstream{std::string{folder} + "/cpu.cfs_quota_us"} >> quota;
    usable = quota == 20'000;
  }
  ~real_group() { rmdir(folder); }
  bool usable;
};

const tine::test::child_body limited{"a fifth of a processor", [] {
                                       unsetenv("TINE_NUM_THREADS");
                                       std::ofstream{std::string{real_group::folder} + "/cgroup.procs"} << getpid();
                                       std::ifstream groups{"/proc/self/cgroup"};
                                       const std::string in{std::istreambuf_iterator<char>{groups}, {}};
                                       if (in.find("tine-unit-test") == std::string::npos)
                                         return;  // the system refuses
                                       const tine::pool_defaults d = tine::defaults_of_this_process();
                                       tine::test::claim(d.workers == 1 && !d.pinned, d.reason.c_str());
                                       tine::test::claim(d.reason.find("20000/100000") != std::string::npos,
                                                         d.reason.c_str());
                                       tine::pool p;
                                       tine::test::claim(p.workers() == 1, "one worker");
                                       tine::test::claim(p.run([] { return 7; }) == 7, "it runs");
                                     }};

}  // namespace

TEST_CASE("a process in a real control group has fewer workers") {
  const real_group group;
  if (!group.usable) {
    MESSAGE("not run: no control group can be made here");
    return;
  }
  const tine::test::child_end end = tine::test::run_child("a fifth of a processor");
  CHECK_MESSAGE(end.exited_with(0), end.said);
}

TEST_CASE("the quota of this process can be asked for") { CHECK_NOTHROW(tine::sched::find_cpu_quota()); }
