// An application for journal_test.py: journal_app MODE [NUMBER]. It knows nothing of recordings. The modes are in the
// table at the end.
#include <tine/sync.hpp>
#include <tine/tine.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

std::mutex log_lock;
std::string visits;

/// Notes that the running strand is at the place `id`.
void visit(unsigned id) {
  const std::lock_guard guard{log_lock};
  visits += std::to_string(id) + '\n';
}

unsigned mixed(unsigned id) { return (id * 2654435761U) ^ (id >> 7); }

tine::task<void> task_tree(unsigned id, int depth);

/// A tree of forks, loops and tasks, whose form follows from the ids of its places.
void tree(unsigned id, int depth) {
  visit(id);
  if (depth <= 0) return;
  switch (mixed(id) % 4) {
    case 0:
      tine::par_for(0, 6, [=](int i) { tree(id * 8 + static_cast<unsigned>(i), depth / 2); });
      break;
    case 1:
      tine::run(task_tree, id * 3, depth - 1);
      break;
    default:
      tine::par([=] { tree(id * 2 + 1, depth - 1); }, [=] { tree(id * 2 + 2, depth - 1); });
  }
  visit(id);
}

tine::task<void> task_tree(unsigned id, int depth) {
  visit(id);
  if (depth <= 0) co_return;
  co_await tine::fork(task_tree, id * 2 + 1, depth - 1);
  co_await tine::fork(task_tree, id * 2 + 2, depth - 2);
  tree(id * 5, depth - 2);
  co_await tine::call(task_tree, id * 2 + 3, depth - 2);
  co_await tine::join;
  visit(id);
}

tine::pool& workers() {
  static tine::pool p{{.workers = 3, .promote = tine::promotion::eager(), .pin = tine::affinity::none}};
  return p;
}

void run_tree(unsigned id) {
  workers().run([=] { tree(id, 7); });
}

/// The second branch is certainly stolen in a run that is not serial: the first one waits for it, but not for long.
void stolen_pair(std::atomic<bool>& has_begun) {
  tine::par(
      [&] {
        for (int i = 0; i < 2000 && !has_begun; ++i) std::this_thread::sleep_for(std::chrono::microseconds{100});
      },
      [&] { has_begun = true; });
}

/// Ends in the middle of the second root, in the way that `how` says, after a steal in it.
template <class How>
void end_in_the_middle(How how) {
  run_tree(1);
  workers().run([&] {
    std::atomic<bool> has_begun{false};
    stolen_pair(has_begun);
    tine::par([&] { how(); }, [] { tree(2, 3); });
  });
}

void roots(unsigned n) {
  for (unsigned i = 0; i < 3; ++i) run_tree(n + i);
  auto a = workers().submit([=] { tree(n + 3, 5); });
  a.get();
  auto b = workers().submit([=] { tree(n + 4, 5); });
  b.get();
}

void nested(unsigned n) {
  tine::pool inner{{.workers = 2, .pin = tine::affinity::none}};
  workers().run([&] { tine::par([&] { inner.run([=] { tree(n, 4); }); }, [=] { tree(n + 1, 4); }); });
}

void with_locks(unsigned n) {
  tine::mutex m;
  long sum = 0;
  workers().run([&] {
    tine::par_for(0, 16, [&](int i) {
      const std::lock_guard guard{m};
      tine::par([&] { sum += i; }, [&] { visit(n + static_cast<unsigned>(i)); });
    });
  });
  if (sum != 120) std::abort();
}

void with_exceptions(unsigned n) {
  for (unsigned i = 0; i < 4; ++i) {
    try {
      workers().run([=] {
        tine::par([=] { tree(n + i, 4); },
                  [=] {
                    tree(n + 2 * i, 3);
                    if (i % 2 == 0) throw std::runtime_error{"as planned"};
                  });
      });
      visit(1);
    } catch (const std::runtime_error&) {
      visit(2);
    }
  }
}

void deep(unsigned n) {
  struct step {
    static void down(unsigned left) {
      if (left == 0) return;
      tine::par([=] { down(left - 1); }, [] {});
    }
  };
  workers().run([=] { step::down(n); });
}

void forks_process(unsigned n) {
  run_tree(n);
  const pid_t child = fork();
  if (child == 0) {
    tine::run([=] { tree(n, 3); });
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) std::exit(3);
  run_tree(n + 1);
}

void starts_itself(unsigned n) {
  run_tree(n);
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  if (std::system(("'" + self + "' tree 1 > /dev/null").c_str()) != 0) std::exit(3);
}

void becomes_itself(unsigned n) {
  run_tree(n);
  execl("/proc/self/exe", "journal_app", "tree", "5", nullptr);
}

/// Fails if the second branch reads before the first one has written, which it does if both run at a time.
void overlapping(unsigned) {
  std::atomic<int> state{0}, seen{0};
  workers().run([&] {
    tine::par(
        [&] {
          std::this_thread::sleep_for(std::chrono::milliseconds{20});
          state = 1;
          std::this_thread::sleep_for(std::chrono::milliseconds{1});
        },
        [&] { seen = state.load(); });
  });
  if (seen == 0) std::exit(5);
}

/// Runs very many short trees.
void many(unsigned n) {
  for (unsigned i = 0; i < n; ++i) run_tree(i % 7);
  visits.clear();
}

struct mode {
  const char* name;
  void (*run)(unsigned);
};
constexpr mode modes[] = {
    {"tree", run_tree},
    {"roots", roots},
    {"nested", nested},
    {"machine", [](unsigned n) { tine::pool{}.run([=] { tree(n, 7); }); }},
    {"locks", with_locks},
    {"exceptions", with_exceptions},
    {"deep", deep},
    {"abort", [](unsigned) { end_in_the_middle([] { std::abort(); }); }},
    {"kill", [](unsigned) { end_in_the_middle([] { raise(SIGKILL); }); }},
    {"crash", [](unsigned) { end_in_the_middle([] { raise(SIGSEGV); }); }},
    {"exit", [](unsigned) { end_in_the_middle([] { _exit(7); }); }},
    {"hang", [](unsigned) { end_in_the_middle([] { pause(); }); }},
    {"uncaught", [](unsigned) { end_in_the_middle([] { throw std::runtime_error{"uncaught"}; }); }},
    {"overlap", overlapping},
    {"fork", forks_process},
    {"system", starts_itself},
    {"exec", becomes_itself},
    {"many", many},
};

}  // namespace

int main(int argc, char** argv) {
  const std::string chosen = argc > 1 ? argv[1] : "";
  const unsigned number = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1;
  for (const mode& m : modes) {
    if (chosen != m.name) continue;
    m.run(number);
    std::fputs(visits.c_str(), stdout);
    return 0;
  }
  return 2;
}
