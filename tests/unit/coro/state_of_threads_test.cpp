// The state that stays with a thread: a root finds that of its caller, and a stolen branch that of its worker's thread.
#include <tine/tine.hpp>

#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>
#include <doctest/doctest.h>

#include <csignal>
#include <string>
#include <thread>
#include <vector>

namespace {

/// State that stays with a thread: a stolen branch has that of its worker's thread.
struct thread_words {
  sigset_t mask;
  stack_t stack;
  locale_t locale;
  int cancel_type, priority;
  cpu_set_t processors;
  char name[16];

  static thread_words now() {
    thread_words w{};
    pthread_sigmask(SIG_SETMASK, nullptr, &w.mask);
    sigaltstack(nullptr, &w.stack);
    w.locale = uselocale(nullptr);
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &w.cancel_type);
    pthread_setcanceltype(w.cancel_type, nullptr);
    w.priority = getpriority(PRIO_PROCESS, static_cast<id_t>(gettid()));
    sched_getaffinity(0, sizeof w.processors, &w.processors);
    pthread_getname_np(pthread_self(), w.name, sizeof w.name);
    return w;
  }
  friend bool operator==(const thread_words& a, const thread_words& b) {
    bool same_mask = true;
    for (int s = 1; s < SIGRTMIN; ++s) same_mask &= sigismember(&a.mask, s) == sigismember(&b.mask, s);
    return same_mask && a.stack.ss_sp == b.stack.ss_sp && a.locale == b.locale && a.cancel_type == b.cancel_type &&
           a.priority == b.priority && CPU_EQUAL(&a.processors, &b.processors) && std::string{a.name} == b.name;
  }
};

}  // namespace

TEST_CASE("a thread keeps its mask, alternate stack, locale, cancel type, processors, priority and name in a root") {
  std::thread{[] {
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &mask, nullptr);
    const locale_t c = newlocale(LC_ALL_MASK, "C", nullptr);
    uselocale(c);
    pthread_setname_np(pthread_self(), "ours");
    std::vector<char> memory(static_cast<std::size_t>(SIGSTKSZ) + 65536);
    const stack_t stack{memory.data(), 0, memory.size()};
    sigaltstack(&stack, nullptr);
    for (const auto resume :
         {tine::resume_policy::same_thread, tine::resume_policy::origin, tine::resume_policy::finisher}) {
      for (const unsigned workers : {1U, 2U, 8U}) {
        tine::pool p{
            {.workers = workers, .resume = resume, .promote = tine::promotion::eager(), .pin = tine::affinity::none}};
        const thread_words before = thread_words::now();
        const std::thread::id here = std::this_thread::get_id();
        p.run([&] {
          CHECK(thread_words::now() == before);
          tine::par_for(0, 200, [&](int) {
            const thread_words now = thread_words::now();
            if (std::this_thread::get_id() == here) {
              CHECK(now == before);
            } else {
              CHECK(now.locale == LC_GLOBAL_LOCALE);
              CHECK(std::string{now.name} != "ours");
            }
          });
        });
        CHECK(thread_words::now() == before);
      }
    }
    const stack_t none{nullptr, SS_DISABLE, 0};
    sigaltstack(&none, nullptr);
    uselocale(LC_GLOBAL_LOCALE);
    freelocale(c);
  }}.join();
}
