/* Control variables, which belong to tasks; the environment; memory, time, places, leagues and devices. The runner sets
 * the variables of the environment that main checks. */
#include "check.h"

static void belong_to_tasks(void) {
  const int before = omp_get_max_threads();
#pragma omp parallel num_threads(2)
  {
    omp_set_num_threads(3 + omp_get_thread_num());
    omp_set_dynamic(omp_get_thread_num());
#pragma omp barrier
    CHECK(omp_get_max_threads() == 3 + omp_get_thread_num() && omp_get_dynamic() == omp_get_thread_num());
    const int here = omp_get_max_threads();
#pragma omp task firstprivate(here)
    {
      CHECK(omp_get_max_threads() == here);
      omp_set_num_threads(9);
      CHECK(omp_get_max_threads() == 9);
    }
#pragma omp taskwait
    CHECK(omp_get_max_threads() == here);
  }
  CHECK(omp_get_max_threads() == before && !omp_get_dynamic());
  omp_set_nested(1);
  CHECK(omp_get_max_active_levels() > 1 && omp_get_nested());
  omp_set_nested(0);
  CHECK(omp_get_max_active_levels() == 1);
  omp_set_max_active_levels(-3);
  CHECK(omp_get_max_active_levels() == 1);
  omp_set_default_device(0);
  CHECK(omp_get_default_device() == 0 && omp_get_num_procs() > 0 && omp_get_supported_active_levels() > 4);
}

static void memory(void) {
  char* const p = omp_alloc(100, omp_default_mem_alloc);
  memset(p, 1, 100);
  omp_free(p, omp_null_allocator);
  omp_alloctrait_t trait = {omp_atk_alignment, 128};
  const omp_allocator_handle_t a = omp_init_allocator(omp_default_mem_space, 1, &trait);
  int* const q = omp_calloc(10, sizeof(int), a);
  CHECK((size_t)q % 128 == 0 && q[9] == 0);
  q[3] = 5;
  int* const r = omp_realloc(q, 1000 * sizeof(int), a, a);
  CHECK(r[3] == 5);
  omp_free(r, a);
  omp_destroy_allocator(a);
  CHECK(omp_get_default_allocator() == omp_default_mem_alloc);
}

static void others(void) {
  const double start = omp_get_wtime();
  CHECK(omp_get_wtick() > 0 && omp_get_wtime() >= start);
  char text[64];
  CHECK(omp_capture_affinity(text, sizeof text, "%0.4n|%{nesting_level}|%%") == 8 && !strcmp(text, "0000|0|%"));
  omp_set_affinity_format("%N");
  CHECK(omp_get_affinity_format(text, sizeof text) == 2 && !strcmp(text, "%N"));
  CHECK(omp_pause_resource_all(omp_pause_soft) == 0 || omp_get_level() == 0);
  int teams = 0;
#pragma omp teams num_teams(3) reduction(+ : teams)
  teams += omp_get_num_teams() * 10 + omp_get_team_num();
  CHECK(teams == 93 && omp_get_num_teams() == 1);
}

static void devices(void) {
  int a[10], sum = 0, mine = 4;
  for (int i = 0; i < 10; i++) a[i] = i;
#pragma omp target map(tofrom : a, sum) firstprivate(mine)
  {
    mine++;
    for (int i = 0; i < 10; i++) sum += a[i] * mine;
  }
  CHECK(sum == 225 && mine == 4 && omp_is_initial_device());
#pragma omp target data map(tofrom : a)
  {
#pragma omp target teams distribute parallel for map(tofrom : a)
    for (int i = 0; i < 10; i++) a[i]++;
#pragma omp target update from(a)
  }
#pragma omp target enter data map(to : a)
#pragma omp target exit data map(from : a)
  for (int i = 0; i < 10; i++) CHECK(a[i] == i + 1);
  int dep = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : dep) shared(dep)
    dep = 1;
#pragma omp target depend(in : dep) map(tofrom : dep) nowait
    dep++;
#pragma omp taskwait
  }
  CHECK(dep == 2);
}

int main(void) {
  omp_sched_t kind;
  int chunk;
  omp_get_schedule(&kind, &chunk);
  CHECK((kind & 15) == omp_sched_guided && chunk == 5);
  CHECK(omp_get_max_active_levels() == 3 && omp_get_thread_limit() == 40 && omp_get_max_task_priority() == 7);
#pragma omp parallel
  CHECK(omp_get_max_threads() == 2);
  omp_set_max_active_levels(1);
  belong_to_tasks();
  memory();
  others();
  devices();
  return 0;
}
