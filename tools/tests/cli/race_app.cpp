// A program with one race, which ends in the way that its first argument names. It is compiled for the race detector.
#include <tine/race/check_races.hpp>
#include <tine/tine.hpp>

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

long racy_total = 0, child_total = 0, late_total = 0;
char* page = nullptr;  // which a handler makes accessible
int faults_handled = 0;
const char* own_path = nullptr;

void race() {
  tine::par_for(0, 100, [](int i) { racy_total += i; });
}
void race_in_child() {
  tine::par_for(0, 100, [](int i) { child_total += i; });
}
void race_late() {
  tine::par_for(0, 100, [](int i) { late_total += i; });
}

/// Runs `end` in a strand, after a race and while a root is open.
void end_inside(void (*end)()) {
  tine::par(
      [&] {
        race();
        end();
      },
      [] {});
  std::puts("continued");
}

[[gnu::noinline]] int overflow(volatile char* outer) {
  volatile char frame[4096];
  frame[0] = outer != nullptr ? outer[0] : '\0';
  return frame[0] == 1 ? 0 : overflow(frame) + frame[0];
}

void allow_page(int, siginfo_t*, void*) {
  ++faults_handled;
  mprotect(page, 4096, PROT_READ | PROT_WRITE);
}
void handle_fault() {
  struct sigaction action{};
  action.sa_sigaction = &allow_page;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, nullptr);
}
void touch_pages() {
  for (int i = 0; i < 3; ++i) {
    page = static_cast<char*>(mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    tine::par([] { page[0] = 1; }, [] {});
  }
  race();
  std::printf("%d faults handled\n", faults_handled);
}

void fork_and(void (*in_child)()) {
  const pid_t child = fork();
  if (child == 0) {
    in_child();
    _exit(0);
  }
  int how = 0;
  waitpid(child, &how, 0);
  if (how != 0) std::printf("the child ended with %d\n", how);
}

[[gnu::noinline]] void throw_uncaught() { throw std::runtime_error{"uncaught"}; }

[[gnu::noinline]] void crash() {
  int* volatile nowhere = nullptr;
  *nowhere = 1;
}

using way = void (*)();
using ways = std::map<std::string, way>;

/// Run in a strand, after a race and while a root is open. A way that comes back races once more.
const ways inside{
    {"segv", crash},
    {"segv-sent", [] { raise(SIGSEGV); }},
    {"bus", [] { raise(SIGBUS); }},
    {"fpe",
     [] {
#if defined(__x86_64__)
       volatile int number = 1, zero = 0;
       std::printf("%d\n", number / zero);
#else
       raise(SIGFPE);  // the processor divides by zero
#endif
     }},
    {"ill",
     [] {
#if defined(__aarch64__)
       asm volatile("udf #0");  // __builtin_trap is a breakpoint there
#else
       __builtin_trap();
#endif
     }},
    {"pipe", [] { raise(SIGPIPE); }},
    {"alarm",
     [] {
       alarm(1);
       for (;;) pause();
     }},
    {"abort", [] { std::abort(); }},
    {"throw-noexcept", []() noexcept { throw_uncaught(); }},
    {"overflow", [] { overflow(nullptr); }},
    {"exit", [] { std::exit(7); }},
    {"_exit", [] { _exit(7); }},
    {"_Exit", [] { std::_Exit(7); }},
    {"quick_exit", [] { std::quick_exit(7); }},
    {"execl", [] { execl("/bin/echo", "echo", "replaced", "it", nullptr); }},
    {"execlp", [] { execlp("echo", "echo", "replaced", "it", nullptr); }},
    {"execle",
     [] {
       const char* const environment[] = {"THIS=is it", nullptr};
       execle("/bin/sh", "sh", "-c", "echo replaced $THIS", nullptr, environment);
     }},
    {"execvp",
     [] {
       char words[][12] = {"echo", "replaced", "it"};
       char* const each[] = {words[0], words[1], words[2], nullptr};
       execvp("echo", each);
     }},
    {"exec-fails", [] { execl("/nowhere/at-all", "at-all", nullptr); }},
    {"exec-again", [] { execl(own_path, own_path, "child-race", nullptr); }},
    {"fork-inside", [] { fork_and(race_in_child); }},
    {"fork-and-crash",
     [] {
       fork_and([] {
         race_in_child();
         crash();
       });
     }},
    {"vfork",
     [] {
       const pid_t child = vfork();
       if (child == 0) execl("/bin/true", "true", nullptr);
       if (child == 0) _exit(1);
       waitpid(child, nullptr, 0);
     }},
    {"system", [] { std::printf("%d\n", std::system("exit 3") / 256); }},
};

/// Run after a race, outside of every root.
const ways outside{
    {"return", [] {}},
    {"segv-outside", crash},
    {"segv-on-thread", [] { std::thread{crash}.join(); }},
    {"throw", throw_uncaught},
    {"overflow-on-thread", [] { std::thread{[] { overflow(nullptr); }}.join(); }},
    {"_exit-on-thread", [] { std::thread{[] { _exit(7); }}.join(); }},
    {"fork", [] { fork_and([] {}); }},  // the child does nothing that is its own
    {"fork-then-race", [] { fork_and(race_in_child); }},
    {"threads",
     [] {
       std::vector<std::thread> all;
       for (int i = 0; i < 4; ++i) all.emplace_back(race);
       for (std::thread& each : all) each.join();
     }},
};

const ways others{
    {"child-race", race_in_child},
    {"_exit-in-handler",
     [] {
       std::signal(SIGSEGV, [](int) { _exit(7); });
       end_inside(crash);
     }},
    {"handler-that-returns",
     [] {
       tine::par([] {}, [] {});
       std::signal(SIGSEGV, [](int) { std::signal(SIGSEGV, SIG_DFL); });
       end_inside(crash);
     }},
    {"handler-that-raises",
     [] {
       struct sigaction action{};
       action.sa_handler = [](int number) {
         struct sigaction standard{};
         standard.sa_handler = SIG_DFL;
         sigaction(number, &standard, nullptr);
         raise(number);
       };
       sigaction(SIGSEGV, &action, nullptr);
       end_inside(crash);
     }},
    {"handled-before",
     [] {
       handle_fault();
       touch_pages();
     }},
    {"handled-after",
     [] {
       tine::par([] {}, [] {});
       handle_fault();
       touch_pages();
     }},
    {"blocks",
     [] {
       std::size_t bytes = 16;
       auto* line = static_cast<char*>(std::malloc(bytes));
       std::printf("%zd characters\n", getline(&line, &bytes, stdin));  // enlarges the block
       char* const copy = strdup(line);
       std::free(line);
       char* text = nullptr;
       std::FILE* const file = open_memstream(&text, &bytes);
       std::fputs(copy, file);
       std::fclose(file);
       text = static_cast<char*>(std::realloc(text, 2 * bytes));
       std::free(copy);
       std::free(text);
     }},
    {"check",
     [] {
       try {
         std::printf("%zu races\n", tine::check_races(race).size());
       } catch (const std::runtime_error& e) {
         std::printf("%s\n", e.what());
       }
     }},
};

}  // namespace

int main(int count, char** words) {
  own_path = words[0];
  const std::string name = count == 2 ? words[1] : "";
  if (const auto way = inside.find(name); way != inside.end()) {
    end_inside(way->second);
    race_late();
  } else if (const auto after = outside.find(name); after != outside.end()) {
    race();
    after->second();
  } else if (others.contains(name)) {
    others.at(name)();
  } else {
    return 9;
  }
  std::puts("the end");
  return 0;
}
