// Programs that break OpenMP's rules, or the limits of the library, one for each argument: a message or a result, never
// a hang. run.py knows how each must end.
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <climits>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>

extern "C" {
void GOMP_parallel_end();
void GOMP_taskgroup_end();
void GOMP_critical_end();
void GOMP_barrier();
void GOMP_ordered_start();
void GOMP_ordered_end();
bool GOMP_loop_ull_dynamic_start(bool, unsigned long long, unsigned long long, unsigned long long, unsigned long long,
                                 unsigned long long*, unsigned long long*);
void GOMP_loop_end();
}

namespace {

void must(bool holds, int line) {
  if (holds) return;
  std::fprintf(stderr, "line %d: not true\n", line);
  std::_Exit(9);
}
#define MUST(holds) must(holds, __LINE__)

int region(int threads = 3) {
  int sum = 0;
#pragma omp parallel reduction(+ : sum) num_threads(threads)
  {
#pragma omp barrier
    sum += omp_get_thread_num();
  }
  return sum;
}

void end_without_start() { GOMP_parallel_end(); }
void end_group_without_start() { GOMP_taskgroup_end(); }
void leave_critical_without_entering() {
  GOMP_critical_end();
  int n = 0;
#pragma omp parallel num_threads(3)
#pragma omp critical
  n++;
  MUST(n == 3);
}
void ordered_without_loop() {
  GOMP_ordered_start();
  GOMP_ordered_end();
  GOMP_ordered_end();
  int sum = 0;
#pragma omp parallel for schedule(dynamic) num_threads(3) reduction(+ : sum)
  for (int i = 0; i < 10; i++) {
    GOMP_ordered_start();
    sum += i;
    GOMP_ordered_end();
  }
  MUST(sum == 45);
}
void barrier_in_task() {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task
    GOMP_barrier();
  }
}

void negative_threads() { region(-2); }
void set_negative_threads() {
  omp_set_num_threads(-2);
  MUST(omp_get_max_threads() == 1 && region() == 3);
}
void too_many_threads() { region(100000); }
void set_too_many_threads() {
  omp_set_num_threads(INT_MAX);
#pragma omp parallel
  _exit(8);
}
void thousands_of_threads() { MUST(region(2000) == 2000 * 1999 / 2); }
void chunks_of_no_size() {
  volatile int chunk = -3;
  int ran = 0;
#pragma omp parallel for schedule(dynamic, chunk) num_threads(3) reduction(+ : ran)
  for (int i = 0; i < 50; i++) ran++;
#pragma omp parallel for schedule(guided, chunk) num_threads(3) reduction(+ : ran)
  for (int i = 0; i < 50; i++) ran++;
#pragma omp parallel for ordered schedule(dynamic, chunk) num_threads(3) reduction(+ : ran)
  for (int i = 0; i < 50; i++) ran++;
  chunk = 0;
#pragma omp parallel for schedule(dynamic, chunk) num_threads(3) reduction(+ : ran)
  for (long i = 0; i < 50; i++) ran++;
#pragma omp parallel for schedule(guided, chunk) num_threads(3) reduction(+ : ran)
  for (unsigned long long i = 0; i < 50; i++) ran++;
  MUST(ran == 250);
}
void loop_with_no_step() {
  unsigned long long first = 0, last = 0;
  MUST(!GOMP_loop_ull_dynamic_start(true, 0, 10, 0, 1, &first, &last));
  GOMP_loop_end();
}

void exit_from_region() {
#pragma omp parallel num_threads(4)
  {
    if (omp_get_thread_num() == 2) std::exit(3);
#pragma omp barrier
  }
}
void exit_from_task() {
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int i = 0; i < 50; i++) {
#pragma omp task
    if (i == 20) std::exit(3);
  }
}
void abort_in_region() {
#pragma omp parallel num_threads(4)
  {
    if (omp_get_thread_num() == 2) std::abort();
#pragma omp barrier
  }
}
void regions_at_exit() {
  struct at_end {
    ~at_end() { MUST(region() == 3); }
  };
  static const at_end object;
  std::atexit([] { MUST(region(4) == 6); });
  MUST(region() == 3);
}
void stack_overflow() {
#pragma omp parallel num_threads(3)
  {
    struct local {
      static int down(volatile char* above) {
        volatile char block[4096];
        block[0] = above[0];
        return down(block) + block[1];
      }
    };
    volatile char first = 1;
    std::printf("%d\n", local::down(&first));
  }
}

void exception_leaves_region() {
#pragma omp parallel num_threads(3)
  {
    if (omp_get_thread_num() == 1) throw std::runtime_error{"left"};
#pragma omp barrier
  }
}
void exception_leaves_task() {
#pragma omp parallel num_threads(3)
#pragma omp single
  {
#pragma omp task
    throw std::runtime_error{"left"};
  }
}
void exception_leaves_critical() {
  try {
#pragma omp critical
    throw std::runtime_error{"left"};
  } catch (const std::exception&) {
    std::_Exit(8);
  }
}
void jump_inside_of_region() {
  volatile int sum = 0;
#pragma omp parallel num_threads(3)
  {
    std::jmp_buf back;
    if (setjmp(back) == 0) {
#pragma omp barrier
#pragma omp critical
      sum += 1;
      std::longjmp(back, 1);
    }
#pragma omp barrier
#pragma omp critical
    sum += 10;
  }
  MUST(sum == 33);
}

void unset_lock_twice() {
  omp_lock_t lock;
  omp_init_lock(&lock);
  omp_set_lock(&lock);
  omp_unset_lock(&lock);
  omp_unset_lock(&lock);
  omp_unset_lock(&lock);
  int sum = 0;
#pragma omp parallel num_threads(3)
  for (int i = 0; i < 50; i++) {
    omp_set_lock(&lock);
    sum++;
    omp_unset_lock(&lock);
  }
  MUST(sum == 150);
}
void unset_nested_lock_twice() {
  omp_nest_lock_t lock;
  omp_init_nest_lock(&lock);
  omp_set_nest_lock(&lock);
  omp_unset_nest_lock(&lock);
  omp_unset_nest_lock(&lock);
  MUST(omp_test_nest_lock(&lock) == 1 && omp_test_nest_lock(&lock) == 2);
}
void destroy_held_lock() {
  omp_lock_t lock;
  omp_nest_lock_t nested;
  omp_init_lock(&lock);
  omp_set_lock(&lock);
  omp_destroy_lock(&lock);
  omp_init_lock(&lock);
  MUST(omp_test_lock(&lock) != 0);
  omp_init_nest_lock(&nested);
  omp_set_nest_lock(&nested);
  omp_destroy_nest_lock(&nested);
  omp_destroy_nest_lock(&nested);
}
void fulfil_null() { omp_fulfill_event((omp_event_handle_t)0); }
void fulfil_twice() {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    omp_event_handle_t event;
#pragma omp task detach(event)
    {
      omp_fulfill_event(event);
      omp_fulfill_event(event);
    }
  }
}

void fork_in_region() {
  int good = 0;
#pragma omp parallel num_threads(3) reduction(+ : good)
  {
    const pid_t child = fork();
    if (child == 0) _exit(7);
    int status = 0;
    good += waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7;
  }
  MUST(good == 3);
}
void region_in_child_of_region() {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    const pid_t child = fork();
    if (child == 0) {
      alarm(5);
      _exit(region(2) == 1 ? 7 : 8);
    }
    int status = 0;
    waitpid(child, &status, 0);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 10);
  }
}

#define ENTRY(name) {#name, name}
const std::map<std::string, void (*)()> programs = {ENTRY(end_without_start),
                                                    ENTRY(end_group_without_start),
                                                    ENTRY(leave_critical_without_entering),
                                                    ENTRY(ordered_without_loop),
                                                    ENTRY(barrier_in_task),
                                                    ENTRY(negative_threads),
                                                    ENTRY(set_negative_threads),
                                                    ENTRY(too_many_threads),
                                                    ENTRY(set_too_many_threads),
                                                    ENTRY(thousands_of_threads),
                                                    ENTRY(chunks_of_no_size),
                                                    ENTRY(loop_with_no_step),
                                                    ENTRY(exit_from_region),
                                                    ENTRY(exit_from_task),
                                                    ENTRY(abort_in_region),
                                                    ENTRY(regions_at_exit),
                                                    ENTRY(stack_overflow),
                                                    ENTRY(exception_leaves_region),
                                                    ENTRY(exception_leaves_task),
                                                    ENTRY(exception_leaves_critical),
                                                    ENTRY(jump_inside_of_region),
                                                    ENTRY(unset_lock_twice),
                                                    ENTRY(unset_nested_lock_twice),
                                                    ENTRY(destroy_held_lock),
                                                    ENTRY(fulfil_null),
                                                    ENTRY(fulfil_twice),
                                                    ENTRY(fork_in_region),
                                                    ENTRY(region_in_child_of_region)};

}  // namespace

int main(int argc, char** argv) {
  const auto found = argc == 2 ? programs.find(argv[1]) : programs.end();
  if (found == programs.end()) return 2;
  found->second();
  std::puts("end");
  return 0;
}
