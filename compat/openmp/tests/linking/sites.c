// Regions and tasks, at most one to a function: a report names the lines that say `here`.
#include <stdio.h>

static int count;

static void tick(void) {
#pragma omp atomic
  ++count;
}

__attribute__((noinline)) static void region(void) {
#pragma omp parallel  // here
  tick();
}

__attribute__((noinline)) static void loop(int n) {
#pragma omp parallel for schedule(dynamic)  // here
  for (int i = 0; i < n; ++i) tick();
}

__attribute__((noinline)) static void tasks(int n) {
  for (int i = 0; i < n; ++i) {
#pragma omp task  // here
    tick();
  }
#pragma omp taskwait
}

__attribute__((noinline)) static void tasks_of_loop(int n) {
#pragma omp taskloop  // here
  for (int i = 0; i < n; ++i) tick();
}

int main(void) {
  region();
  loop(100);
#pragma omp parallel  // here
#pragma omp single
  {
    tasks(10);
    tasks_of_loop(10);
  }
  printf("%d\n", count > 120);
  return 0;
}
