/* OMP's functions: control variables, which belong to tasks, and what regions inherit of them; memory, time, places. */
#include "cases.h"

CASE(num_threads_belongs_to_the_task) {
  int bad = 0;
  omp_set_num_threads(4);
#pragma omp parallel num_threads(2) reduction(+ : bad)
  {
    bad += omp_get_max_threads() != 4;
    omp_set_num_threads(3 + omp_get_thread_num());
#pragma omp barrier
    const int here = omp_get_max_threads();
    bad += here != 3 + omp_get_thread_num();
#pragma omp task firstprivate(here) shared(bad)
    {
      int wrong = omp_get_max_threads() != here;
      omp_set_num_threads(9);
      wrong += omp_get_max_threads() != 9;
      if (wrong) {
#pragma omp atomic
        bad++;
      }
    }
#pragma omp taskwait
    bad += omp_get_max_threads() != here;
  }
  CHECK(bad == 0 && omp_get_max_threads() == 4);
}

CASE(nested_regions_inherit) {
  int threads = 0, bad = 0;
  omp_set_max_active_levels(3);
#pragma omp parallel num_threads(2) reduction(+ : threads, bad)
  {
    omp_set_num_threads(2 + omp_get_thread_num());
#pragma omp parallel reduction(+ : threads, bad)
    {
      threads++;
      bad += omp_get_max_threads() != 2 + omp_get_ancestor_thread_num(1) || omp_get_max_active_levels() != 3;
      omp_set_num_threads(9);
    }
    bad += omp_get_max_threads() != 2 + omp_get_thread_num();
  }
  CHECK(threads == 5 && bad == 0);
}

CASE(dynamic_belongs_to_the_task) {
  int bad = 0;
  omp_set_dynamic(0);
#pragma omp parallel num_threads(3) reduction(+ : bad)
  {
    omp_set_dynamic(omp_get_thread_num() == 1);
#pragma omp barrier
    bad += omp_get_dynamic() != (omp_get_thread_num() == 1);
  }
  CHECK(bad == 0 && !omp_get_dynamic());
  omp_set_dynamic(1);
  CHECK(omp_get_dynamic());
  omp_set_dynamic(77);
  CHECK(omp_get_dynamic() == 1);
}

CASE(levels) {
  omp_set_max_active_levels(3);
  CHECK(omp_get_max_active_levels() == 3);
  omp_set_max_active_levels(-3);
  CHECK(omp_get_max_active_levels() == 3);
  omp_set_max_active_levels(0);
  CHECK(omp_get_max_active_levels() == 0);
  omp_set_max_active_levels(1 << 30);
  CHECK(omp_get_max_active_levels() <= omp_get_supported_active_levels() && omp_get_max_active_levels() > 1);
  CHECK(omp_get_supported_active_levels() > 4);
  omp_set_nested(0);
  CHECK(omp_get_max_active_levels() == 1 && !omp_get_nested());
  omp_set_nested(1);
  CHECK(omp_get_max_active_levels() > 1 && omp_get_nested());
}

CASE(schedules) {
  const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided};
  omp_sched_t found;
  int chunk;
  for (int k = 0; k < 3; k++) {
    omp_set_schedule(kinds[k], 5 + k);
    omp_get_schedule(&found, &chunk);
    CHECK(((unsigned)found & 15U) == (unsigned)kinds[k] && chunk == 5 + k);
    omp_set_schedule((omp_sched_t)((unsigned)kinds[k] | (unsigned)omp_sched_monotonic), 2);
    omp_get_schedule(&found, &chunk);
    CHECK(((unsigned)found & ~(unsigned)omp_sched_monotonic) == (unsigned)kinds[k] && chunk == 2);
  }
  omp_set_schedule(omp_sched_auto, 3);
  omp_get_schedule(&found, &chunk);
  CHECK(((unsigned)found & 15U) == omp_sched_auto);
}

CASE(of_the_process) {
  CHECK(omp_get_num_procs() > 0 && omp_get_thread_limit() >= threads_asked() && omp_get_max_task_priority() >= 0);
  CHECK(omp_get_num_devices() == 0 && omp_is_initial_device() && omp_get_initial_device() == omp_get_num_devices());
  CHECK(omp_get_num_teams() == 1 && omp_get_team_num() == 0 && !omp_in_final());
  omp_set_default_device(0);
  CHECK(omp_get_default_device() == 0);
}

CASE(time) {
  const double start = omp_get_wtime();
  CHECK(omp_get_wtick() > 0 && omp_get_wtick() < 1);
  double last = start;
  for (int i = 0; i < 1000; i++) {
    const double now = omp_get_wtime();
    CHECK(now >= last);
    last = now;
  }
  usleep(2000);
  CHECK(omp_get_wtime() - start >= 0.002);
}

CASE(affinity_format) {
  char text[64], before[200];
  omp_get_affinity_format(before, sizeof before);
  CHECK(omp_capture_affinity(text, sizeof text, "%0.4n|%{nesting_level}|%%") == 8 && !strcmp(text, "0000|0|%"));
  CHECK(omp_capture_affinity(text, 3, "abcdef") == 6 && !strcmp(text, "ab"));
  CHECK(omp_capture_affinity(NULL, 0, "abcdef") == 6);
  omp_set_affinity_format("%N");
  CHECK(omp_get_affinity_format(text, sizeof text) == 2 && !strcmp(text, "%N"));
  omp_set_affinity_format(before);
  int bad = 0;
#pragma omp parallel num_threads(3) reduction(+ : bad)
  {
    char mine[64], expected[64];
    omp_capture_affinity(mine, sizeof mine, "%n of %N, level %L, from %a");
    snprintf(expected, sizeof expected, "%d of 3, level 1, from 0", omp_get_thread_num());
    bad += strcmp(mine, expected) != 0;
  }
  CHECK(bad == 0);
}

CASE(places) {
  const int n = omp_get_num_places();
  CHECK(n >= 0 && omp_get_place_num() < (n == 0 ? 1 : n) && omp_get_partition_num_places() <= n);
  CHECK(omp_get_proc_bind() >= omp_proc_bind_false && omp_get_proc_bind() <= omp_proc_bind_spread);
  for (int i = 0; i < n; i++) CHECK(omp_get_place_num_procs(i) > 0);
}

CASE(pauses) {
  int threads = 0;
  CHECK(omp_pause_resource_all(omp_pause_soft) == 0 || omp_get_level() == 0);
#pragma omp parallel num_threads(3) reduction(+ : threads)
  threads++;
  CHECK(threads == 3);
}

CASE(memory) {
  const omp_allocator_handle_t all[] = {omp_null_allocator,  omp_default_mem_alloc, omp_large_cap_mem_alloc,
                                        omp_const_mem_alloc, omp_high_bw_mem_alloc, omp_low_lat_mem_alloc,
                                        omp_thread_mem_alloc};
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    char* const p = (char*)omp_alloc(100, all[i]);
    CHECK(p != NULL);
    if (p == NULL) continue;
    memset(p, (int)i, 100);
    CHECK(p[99] == (char)i);
    omp_free(p, all[i]);
  }
  omp_free(NULL, omp_default_mem_alloc);
  CHECK(omp_get_default_allocator() == omp_default_mem_alloc);
}

CASE(memory_of_zeros_and_sizes) {
  int* p = (int*)omp_calloc(50, sizeof(int), omp_default_mem_alloc);
  int good = 0;
  for (int i = 0; i < 50; i++) good += p[i] == 0;
  for (int i = 0; i < 50; i++) p[i] = i;
  p = (int*)omp_realloc(p, 5000 * sizeof(int), omp_default_mem_alloc, omp_default_mem_alloc);
  for (int i = 0; i < 50; i++) good += p[i] == i;
  p = (int*)omp_realloc(p, 10 * sizeof(int), omp_default_mem_alloc, omp_default_mem_alloc);
  for (int i = 0; i < 10; i++) good += p[i] == i;
  CHECK(good == 110);
  CHECK(omp_realloc(p, 0, omp_default_mem_alloc, omp_default_mem_alloc) == NULL);
  p = (int*)omp_realloc(NULL, 40, omp_default_mem_alloc, omp_default_mem_alloc);
  CHECK(p != NULL);
  omp_free(p, omp_default_mem_alloc);
  CHECK(omp_calloc((size_t)-1 / 2, 8, omp_default_mem_alloc) == NULL);
  CHECK(omp_alloc(0, omp_default_mem_alloc) == NULL);
}

CASE(memory_of_an_alignment) {
  for (size_t align = 16; align <= 4096; align *= 4) {
    const omp_alloctrait_t traits[] = {{omp_atk_alignment, align}, {omp_atk_pinned, omp_atv_false}};
    const omp_allocator_handle_t a = omp_init_allocator(omp_default_mem_space, 2, traits);
    int* p = (int*)omp_calloc(10, sizeof(int), a);
    CHECK((size_t)p % align == 0 && p[9] == 0);
    p[3] = 5;
    p = (int*)omp_realloc(p, 3000 * sizeof(int), a, a);
    CHECK((size_t)p % align == 0 && p[3] == 5);
    omp_free(p, a);
    void* const q = omp_aligned_alloc(align * 2, align * 2, a);
    CHECK((size_t)q % (align * 2) == 0);
    omp_free(q, omp_null_allocator);
    char* const r = (char*)omp_aligned_calloc(align, 3, align, omp_default_mem_alloc);
    CHECK((size_t)r % align == 0 && r[3 * align - 1] == 0);
    omp_free(r, omp_default_mem_alloc);
    omp_destroy_allocator(a);
  }
}

CASE(memory_of_a_pool) {
  const omp_alloctrait_t traits[] = {{omp_atk_pool_size, 4096}, {omp_atk_fallback, omp_atv_null_fb}};
  const omp_allocator_handle_t a = omp_init_allocator(omp_default_mem_space, 2, traits);
  for (int k = 0; k < 5; k++) {
    void* const p = omp_alloc(2500, a);
    CHECK(p != NULL && omp_alloc(2500, a) == NULL && omp_alloc(100000, a) == NULL);
    omp_free(p, a);
  }
  omp_destroy_allocator(a);
}

CASE(memory_with_a_fallback) {
  const omp_alloctrait_t null[] = {{omp_atk_fallback, omp_atv_null_fb}};
  omp_allocator_handle_t a = omp_init_allocator(omp_default_mem_space, 1, null);
  CHECK(omp_alloc((size_t)1 << 62, a) == NULL);
  omp_alloctrait_t other[] = {{omp_atk_pool_size, 100},
                              {omp_atk_fallback, omp_atv_allocator_fb},
                              {omp_atk_fb_data, (omp_uintptr_t)omp_default_mem_alloc}};
  const omp_allocator_handle_t b = omp_init_allocator(omp_default_mem_space, 3, other);
  char* const p = (char*)omp_alloc(5000, b);
  CHECK(p != NULL);
  if (p != NULL) p[4999] = 1;
  omp_free(p, b);
  omp_destroy_allocator(b);
  omp_destroy_allocator(a);
}

/* The default allocator is a control variable of the task, too. */
CASE(default_allocator_belongs_to_the_task) {
  int bad = 0;
#pragma omp parallel num_threads(2) reduction(+ : bad)
  {
    if (omp_get_thread_num() == 1) omp_set_default_allocator(omp_large_cap_mem_alloc);
#pragma omp barrier
    bad += omp_get_default_allocator() != (omp_get_thread_num() == 1 ? omp_large_cap_mem_alloc : omp_default_mem_alloc);
#pragma omp barrier
    omp_set_default_allocator(omp_default_mem_alloc);
  }
  CHECK(bad == 0 && omp_get_default_allocator() == omp_default_mem_alloc);
}

CASE(memory_of_many_threads) {
  int bad = 0;
#pragma omp parallel num_threads(5) reduction(+ : bad)
  for (int k = 1; k < 50; k++) {
    char* const p = (char*)omp_alloc((size_t)k * 10, omp_default_mem_alloc);
    memset(p, omp_get_thread_num(), (size_t)k * 10);
    if (k % 8 == 0) {
#pragma omp barrier
    }
    for (int i = 0; i < k * 10; i++) bad += p[i] != omp_get_thread_num();
    omp_free(p, omp_default_mem_alloc);
  }
  CHECK(bad == 0);
}
