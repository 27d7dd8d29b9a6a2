/* For all files of cases, in C and C++. A case is a function with a name and a known answer:
 *
 *   CASE(empty_loop) { CHECK(1 + 1 == 2); }
 *
 * A failed check prints its line, and the case continues. Without arguments the program runs all cases; otherwise it runs
 * those that are named, or lists them with -l. It prints a line for each case. A case that doesn't end in time, too, is
 * named, and ends the program. */
#pragma once

#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct test_case {
  const char* name;
  void (*run)(void);
  struct test_case* next;
};

enum { case_seconds = 30, most_threads = 16 };

static struct test_case *first_case, **last_case = &first_case;
static const char* running = "";
static int failures, threads_of_run;

__attribute__((unused)) static void add_case(struct test_case* c) {
  *last_case = c;
  last_case = &c->next;
}

#define CASE(name)                                            \
  static void case_##name(void);                              \
  __attribute__((constructor)) static void add_##name(void) { \
    static struct test_case c = {#name, case_##name, NULL};   \
    add_case(&c);                                             \
  }                                                           \
  static void case_##name(void)

__attribute__((unused)) static void fails(const char* file, int line, const char* text) {
  const int before = __atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);
  if (before < 3) printf("%s: %s:%d: not true: %s\n", running, file, line, text);
}
#define CHECK(holds) ((holds) ? (void)0 : fails(__FILE__, __LINE__, #holds))

/* The size of a team that doesn't ask for one. */
__attribute__((unused)) static int threads_asked(void) { return threads_of_run; }

/* Gives other threads time to do something too early. */
__attribute__((unused)) static void spin(void) {
  for (volatile int i = 0; i < 1000; i++) {
  }
}

static void name_hanging_case(int signal) {
  char text[128];
  const int length = snprintf(text, sizeof text, "no end %s\n", running);
  _exit(write(STDOUT_FILENO, text, (size_t)length) == length && signal == SIGALRM ? 1 : 2);
}

static int is_named(const char* name, int argc, char** argv) {
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], name) == 0) return 1;
  return argc == 1;
}

/* Each case starts with the control variables of the environment. */
int main(int argc, char** argv) {
  const int threads = threads_of_run = omp_get_max_threads(), dynamic = omp_get_dynamic(),
            levels = omp_get_max_active_levels();
  omp_sched_t kind;
  int chunk, all_passed = 1;
  omp_get_schedule(&kind, &chunk);
  setvbuf(stdout, NULL, _IOLBF, 4096);
  signal(SIGALRM, name_hanging_case);
  for (const struct test_case* c = first_case; c != NULL; c = c->next) {
    if (argc == 2 && strcmp(argv[1], "-l") == 0) {
      puts(c->name);
      continue;
    }
    if (!is_named(c->name, argc, argv)) continue;
    running = c->name;
    failures = 0;
    alarm(case_seconds);
    c->run();
    alarm(0);
    printf("%s %s\n", failures == 0 ? "passed" : "failed", c->name);
    all_passed &= failures == 0;
    omp_set_num_threads(threads);
    omp_set_dynamic(dynamic);
    omp_set_max_active_levels(levels);
    omp_set_schedule(kind, chunk);
  }
  return all_passed ? 0 : 1;
}
