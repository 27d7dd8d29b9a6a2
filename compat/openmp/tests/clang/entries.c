/* Entry points of libomp that clang 19 emits for other targets only, or other compilers do, called by hand. */
#include "check.h"

#include <limits.h>
#include <stdint.h>

typedef struct {
  int reserved_1, flags, reserved_2, reserved_3;
  const char *source;
} ident;
static ident here = {0, 2, 0, 0, ";file;function;1;1;;"};

int __kmpc_global_thread_num(ident *);
void __kmpc_barrier(ident *, int);
void __kmpc_for_static_init_4u(ident *, int, int, int *, uint32_t *, uint32_t *, int32_t *, int32_t, int32_t);
void __kmpc_for_static_init_8(ident *, int, int, int *, int64_t *, int64_t *, int64_t *, int64_t, int64_t);
void __kmpc_for_static_fini(ident *, int);
void __kmpc_dist_for_static_init_4(ident *, int, int, int *, int *, int *, int *, int *, int, int);
void __kmpc_team_static_init_8u(ident *, int, int *, uint64_t *, uint64_t *, int64_t *, int64_t, int64_t);
void __kmpc_dispatch_init_8u(ident *, int, int, uint64_t, uint64_t, int64_t, int64_t);
int __kmpc_dispatch_next_8u(ident *, int, int *, uint64_t *, uint64_t *, int64_t *);
void __kmpc_dispatch_init_4(ident *, int, int, int, int, int, int);
int __kmpc_dispatch_next_4(ident *, int, int *, int *, int *, int *);
void *__kmpc_alloc(int, size_t, omp_allocator_handle_t);
void __kmpc_free(int, void *, omp_allocator_handle_t);
void __kmpc_set_lock(ident *, int, void *);
void __kmpc_unset_lock(ident *, int, void *);
void __kmpc_init_nest_lock(ident *, int, void *);
int __kmpc_test_nest_lock(ident *, int, void *);
void __kmpc_destroy_nest_lock(ident *, int, void *);
int __kmpc_in_parallel(ident *);

enum { chunked = 33, whole = 34, dynamic = 35, guided = 36 };

static void static_loops(void) {
  uint32_t sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    int thread = __kmpc_global_thread_num(&here), last = 7;
    uint32_t lower = UINT_MAX - 9, upper = UINT_MAX;
    int32_t stride = 0;
    __kmpc_for_static_init_4u(&here, thread, whole, &last, &lower, &upper, &stride, 1, 1);
    CHECK(last == 0 || upper == UINT_MAX);
    if (lower <= upper && lower >= UINT_MAX - 9)
      for (uint64_t i = lower; i <= upper; i++) sum++;
    __kmpc_for_static_fini(&here, thread);
    int64_t from = 5, to = 4, by = 0;
    __kmpc_for_static_init_8(&here, thread, chunked, &last, &from, &to, &by, 1, 3);
    CHECK(from > to && last == 0);
    from = -1;
    to = -INT64_C(40);
    __kmpc_for_static_init_8(&here, thread, chunked, &last, &from, &to, &by, -3, 2);
    for (int64_t i = from; i >= -40; to += by, i = from += by)
      for (; i >= -40 && i >= to; i -= 3) sum += 100;
    int n = omp_get_num_threads(), chunks = 7; /* 14 iterations */
    CHECK(last == (omp_get_thread_num() == (chunks - 1) % n));
  }
  CHECK(sum == 10 + 1400);
}

static void dispatched_loops(void) {
  uint64_t sum = 0;
  int lasts = 0;
#pragma omp parallel reduction(+ : sum, lasts)
  for (int kind = dynamic; kind <= guided; kind++) {
    int thread = __kmpc_global_thread_num(&here), last = 0;
    uint64_t lower, upper;
    int64_t step;
    __kmpc_dispatch_init_8u(&here, thread, kind, UINT64_MAX - 99, UINT64_MAX - 1, 2, 7);
    while (__kmpc_dispatch_next_8u(&here, thread, &last, &lower, &upper, &step)) {
      CHECK(step == 2);
      for (uint64_t i = lower;; i += 2) {
        sum++;
        if (i == upper) break;
      }
      if (last) CHECK(upper == UINT64_MAX - 1);
      lasts += last;
    }
    int from, to, by;
    __kmpc_dispatch_init_4(&here, thread, kind | 1 << 29, 10, 9, 1, 1);
    CHECK(!__kmpc_dispatch_next_4(&here, thread, &last, &from, &to, &by));
    __kmpc_dispatch_init_4(&here, thread, kind, 30, -28, -3, 4); /* 20 iterations; the last value is -27 */
    while (__kmpc_dispatch_next_4(&here, thread, &last, &from, &to, &by))
      for (; from >= to; from += by) sum += 1000;
  }
  CHECK(sum == 2 * (50 + 20 * 1000) && lasts == 2);
}

static void league(void) {
  int sum = 0;
#pragma omp teams num_teams(3) thread_limit(3) reduction(+ : sum)
#pragma omp parallel reduction(+ : sum)
  {
    int thread = __kmpc_global_thread_num(&here), last, lower = 0, upper = 99, upper_of_team, stride;
    __kmpc_dist_for_static_init_4(&here, thread, whole, &last, &lower, &upper, &upper_of_team, &stride, 1, 1);
    for (int i = lower; i <= upper && i <= 99; i++) sum++;
    CHECK(last == 0 || upper == 99);
  }
  CHECK(sum == 100);
  int chunks = 0;
#pragma omp teams num_teams(3) reduction(+ : chunks)
  {
    int last;
    uint64_t lower = 0, upper = 29;
    int64_t stride;
    __kmpc_team_static_init_8u(&here, 0, &last, &lower, &upper, &stride, 1, 5);
    for (uint64_t i = lower; i < 30; i += (uint64_t)stride) chunks++;
  }
  CHECK(chunks == 6);
}

/* Memory, locks of 8 bytes, and the functions kmp_*. */
static void others(void) {
  omp_nest_lock_t locks[2];
  memset(locks, 0x55, sizeof locks);
  __kmpc_init_nest_lock(&here, 0, &locks[0]);
  CHECK(__kmpc_test_nest_lock(&here, 0, &locks[0]) == 1 && omp_test_nest_lock(&locks[0]) == 2);
  omp_unset_nest_lock(&locks[0]);
  omp_unset_nest_lock(&locks[0]);
  __kmpc_destroy_nest_lock(&here, 0, &locks[0]);
  for (size_t i = 0; i < sizeof locks[1]; i++) CHECK(((char *)&locks[1])[i] == 0x55); /* a lock has 8 bytes here */
  omp_lock_t lock;
  omp_init_lock(&lock);
  int sum = 0;
#pragma omp parallel
  for (int i = 0; i < 100; i++) {
    __kmpc_set_lock(&here, __kmpc_global_thread_num(&here), &lock);
    sum++;
    __kmpc_unset_lock(&here, __kmpc_global_thread_num(&here), &lock);
  }
  CHECK(sum == 100 * threads_asked() && !__kmpc_in_parallel(&here));
  omp_destroy_lock(&lock);
  char *block = __kmpc_alloc(0, 100, omp_default_mem_alloc);
  memset(block, 1, 100);
  __kmpc_free(0, block, omp_default_mem_alloc);
  omp_alloctrait_t trait = {omp_atk_alignment, 256};
  omp_allocator_handle_t aligned = omp_init_allocator(omp_default_mem_space, 1, &trait);
  void *large = omp_alloc(1000, aligned);
  CHECK((uintptr_t)large % 256 == 0);
  omp_free(large, aligned);
  omp_destroy_allocator(aligned);
  kmp_set_blocktime(0);
  CHECK(kmp_get_blocktime() == 0 && kmp_get_stacksize_s() > 0 && kmp_get_library() > 0);
  void *grown = kmp_realloc(kmp_calloc(10, 10), 1000);
  CHECK(grown != NULL && ((char *)grown)[99] == 0);
  kmp_free(grown);
  kmp_affinity_mask_t mask;
  kmp_create_affinity_mask(&mask);
  kmp_destroy_affinity_mask(&mask);
}

int main(void) {
  static_loops();
  dispatched_loops();
  if (getenv("TINE_NUM_THREADS") != NULL) league(); /* libomp 19 fails an assertion if it can't have three teams */
  others();
  return 0;
}
