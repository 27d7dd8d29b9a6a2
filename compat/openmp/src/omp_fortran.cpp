// gfortran's names of OpenMP's functions: a trailing underscore, arguments by reference, and `_8_` for integers of 64
// bits. Any thread may call them.
#include "locks.hpp"

#include <algorithm>
#include <climits>
#include <cstdint>

#pragma GCC visibility push(default)

using namespace tine::openmp;
using i4 = std::int32_t;
using i8 = std::int64_t;

namespace {

/// The nearest number of 32 bits.
i4 narrowed(i8 n) noexcept { return static_cast<i4>(std::clamp<i8>(n, INT_MIN, INT_MAX)); }

}  // namespace

extern "C" {

#define TINE_GET(name) \
  i4 omp_get_##name(); \
  i4 omp_get_##name##_() { return omp_get_##name(); }
TINE_GET(dynamic)
TINE_GET(max_threads)
TINE_GET(nested)
TINE_GET(num_procs)
TINE_GET(num_threads)
TINE_GET(thread_num)
TINE_GET(active_level)
TINE_GET(level)
TINE_GET(max_active_levels)
TINE_GET(thread_limit)
TINE_GET(cancellation)
TINE_GET(default_device)
TINE_GET(num_devices)
TINE_GET(num_teams)
TINE_GET(proc_bind)
TINE_GET(team_num)
TINE_GET(initial_device)
TINE_GET(max_task_priority)
TINE_GET(num_places)
TINE_GET(partition_num_places)
TINE_GET(place_num)
TINE_GET(supported_active_levels)
TINE_GET(device_num)
TINE_GET(max_teams)
TINE_GET(teams_thread_limit)
#undef TINE_GET

i4 omp_in_parallel();
i4 omp_in_parallel_() { return omp_in_parallel(); }
i4 omp_in_final();
i4 omp_in_final_() { return omp_in_final(); }
i4 omp_is_initial_device();
i4 omp_is_initial_device_() { return omp_is_initial_device(); }
double omp_get_wtime();
double omp_get_wtime_() { return omp_get_wtime(); }
double omp_get_wtick();
double omp_get_wtick_() { return omp_get_wtick(); }

#define TINE_SET(name)                                        \
  void omp_set_##name(i4);                                    \
  void omp_set_##name##_(const i4* n) { omp_set_##name(*n); } \
  void omp_set_##name##_8_(const i8* n) { omp_set_##name(narrowed(*n)); }
TINE_SET(dynamic)
TINE_SET(nested)
TINE_SET(num_threads)
TINE_SET(max_active_levels)
TINE_SET(default_device)
TINE_SET(num_teams)
TINE_SET(teams_thread_limit)
#undef TINE_SET

i4 omp_get_ancestor_thread_num(i4);
i4 omp_get_ancestor_thread_num_(const i4* level) { return omp_get_ancestor_thread_num(*level); }
i4 omp_get_ancestor_thread_num_8_(const i8* level) { return omp_get_ancestor_thread_num(narrowed(*level)); }
i4 omp_get_team_size(i4);
i4 omp_get_team_size_(const i4* level) { return omp_get_team_size(*level); }
i4 omp_get_team_size_8_(const i8* level) { return omp_get_team_size(narrowed(*level)); }

void omp_set_schedule(unsigned, i4);
void omp_set_schedule_(const i4* kind, const i4* chunk) { omp_set_schedule(static_cast<unsigned>(*kind), *chunk); }
void omp_set_schedule_8_(const i4* kind, const i8* chunk) {
  omp_set_schedule(static_cast<unsigned>(*kind), narrowed(*chunk));
}
void omp_get_schedule(unsigned*, i4*);
void omp_get_schedule_(i4* kind, i4* chunk) {
  unsigned k = 0;
  omp_get_schedule(&k, chunk);
  *kind = static_cast<i4>(k);
}
void omp_get_schedule_8_(i4* kind, i8* chunk) {
  i4 c = 0;
  omp_get_schedule_(kind, &c);
  *chunk = c;
}

i4 omp_get_place_num_procs(i4);
i4 omp_get_place_num_procs_(const i4* place) { return omp_get_place_num_procs(*place); }
i4 omp_get_place_num_procs_8_(const i8* place) { return omp_get_place_num_procs(narrowed(*place)); }
void omp_get_place_proc_ids_(const i4*, i4*) {}  // there are no places
void omp_get_place_proc_ids_8_(const i8*, i8*) {}
void omp_get_partition_place_nums_(i4*) {}
void omp_get_partition_place_nums_8_(i8*) {}

i4 omp_pause_resource(unsigned, i4);
i4 omp_pause_resource_(const i4* kind, const i4* device) {
  return omp_pause_resource(static_cast<unsigned>(*kind), *device);
}
i4 omp_pause_resource_all_(const i4* kind) { return omp_pause_resource(static_cast<unsigned>(*kind), 0); }
void omp_display_env(i4);
void omp_display_env_(const i4* verbose) { omp_display_env(*verbose); }
void omp_display_env_8_(const i8* verbose) { omp_display_env(*verbose != 0 ? 1 : 0); }
void omp_fulfill_event(void*);
void omp_fulfill_event_(void* event) { omp_fulfill_event(event); }  // the module passes it by value

void omp_init_lock(word_lock*);
void omp_set_lock(word_lock*);
void omp_unset_lock(word_lock*);
i4 omp_test_lock(word_lock*);
void omp_init_lock_(word_lock* l) { omp_init_lock(l); }
void omp_init_lock_with_hint_(word_lock* l, const i4*) { omp_init_lock(l); }
void omp_destroy_lock_(word_lock*) {}
void omp_set_lock_(word_lock* l) { omp_set_lock(l); }
void omp_unset_lock_(word_lock* l) { omp_unset_lock(l); }
i4 omp_test_lock_(word_lock* l) { return omp_test_lock(l); }

void omp_init_nest_lock(nested_lock_variable*);
void omp_destroy_nest_lock(nested_lock_variable*);
void omp_set_nest_lock(nested_lock_variable*);
void omp_unset_nest_lock(nested_lock_variable*);
i4 omp_test_nest_lock(nested_lock_variable*);
void omp_init_nest_lock_(nested_lock_variable* l) { omp_init_nest_lock(l); }
void omp_init_nest_lock_with_hint_(nested_lock_variable* l, const i4*) { omp_init_nest_lock(l); }
void omp_destroy_nest_lock_(nested_lock_variable* l) { omp_destroy_nest_lock(l); }
void omp_set_nest_lock_(nested_lock_variable* l) { omp_set_nest_lock(l); }
void omp_unset_nest_lock_(nested_lock_variable* l) { omp_unset_nest_lock(l); }
i4 omp_test_nest_lock_(nested_lock_variable* l) { return omp_test_nest_lock(l); }

}  // extern "C"

#pragma GCC visibility pop
