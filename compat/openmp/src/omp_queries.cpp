// OpenMP's functions that ask for and set what a task or the process knows. Any thread may call them.
#include "icvs.hpp"
#include "task.hpp"
#include "team.hpp"

#include <time.h>
#include <algorithm>
#include <climits>

#pragma GCC visibility push(default)

using namespace tine::openmp;

namespace {

constexpr unsigned monotonic_bit = 0x80000000U;

}  // namespace

extern "C" {

int omp_get_thread_num() { return current().number; }
int omp_get_num_threads() { return static_cast<int>(current().team->size); }
int omp_get_max_threads() {
  const icvs& v = *current().vars;
  return static_cast<int>(std::min(v.threads, v.thread_limit));
}
int omp_get_num_procs() { return static_cast<int>(process().processors); }
int omp_in_parallel() { return current().team->active_level > 0 ? 1 : 0; }
int omp_in_explicit_task() { return current().is_implicit ? 0 : 1; }
int omp_in_explicit_task_() { return omp_in_explicit_task(); }
int omp_in_final() { return current().is_final ? 1 : 0; }
int omp_get_level() { return static_cast<int>(current().team->level); }
int omp_get_active_level() { return static_cast<int>(current().team->active_level); }
int omp_get_ancestor_thread_num(int level) { return ancestor_at(current(), level).number; }
int omp_get_team_size(int level) {
  const team* const t = ancestor_at(current(), level).of;
  return t == nullptr ? -1 : static_cast<int>(t->size);
}

void omp_set_num_threads(int n) {
  change_vars(current(), [n](icvs& v) { v.threads = static_cast<unsigned>(std::max(n, 1)); });
}
void omp_set_dynamic(int on) {
  change_vars(current(), [on](icvs& v) { v.dynamic = on != 0; });
}
int omp_get_dynamic() { return current().vars->dynamic ? 1 : 0; }
void omp_set_max_active_levels(int n) {
  if (n < 0) return;
  change_vars(current(), [n](icvs& v) { v.max_active_levels = std::min(n, supported_active_levels); });
}
int omp_get_max_active_levels() { return current().vars->max_active_levels; }
int omp_get_supported_active_levels() { return supported_active_levels; }
void omp_set_nested(int on) {
  if (on == 0) return omp_set_max_active_levels(1);
  if (omp_get_max_active_levels() <= 1) omp_set_max_active_levels(supported_active_levels);
}
int omp_get_nested() {
  return current().vars->max_active_levels > static_cast<int>(current().team->active_level) &&
         current().vars->max_active_levels > 1;
}
int omp_get_thread_limit() { return static_cast<int>(current().vars->thread_limit); }

void omp_set_schedule(unsigned kind, int chunk) {
  const unsigned plain = kind & ~monotonic_bit;
  if (plain < 1 || plain > 4) return;
  change_vars(current(), [=](icvs& v) {
    v.run_sched = static_cast<schedule>(plain);
    v.monotonic = (kind & monotonic_bit) != 0;
    v.run_chunk = std::max(chunk, v.run_sched == schedule::fixed ? 0 : 1);
  });
}
void omp_get_schedule(unsigned* kind, int* chunk) {
  const icvs& v = *current().vars;
  *kind = static_cast<unsigned>(v.run_sched) | (v.monotonic ? monotonic_bit : 0);
  *chunk = v.run_sched == schedule::automatic ? 0 : v.run_chunk;
}

void omp_set_default_device(int n) {
  change_vars(current(), [n](icvs& v) { v.default_device = std::max(n, 0); });
}
int omp_get_default_device() { return current().vars->default_device; }
int omp_get_cancellation() { return process().cancellation ? 1 : 0; }
int omp_get_max_task_priority() { return process().max_task_priority; }

void omp_set_num_teams(int n) { process().num_teams = std::max(n, 0); }
int omp_get_max_teams() { return process().num_teams; }
void omp_set_teams_thread_limit(int n) { process().teams_thread_limit = std::max(n, 0); }
int omp_get_teams_thread_limit() { return process().teams_thread_limit; }

double omp_get_wtime() {
  timespec t{};
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}
double omp_get_wtick() {
  timespec t{};
  ::clock_getres(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

int omp_pause_resource(unsigned kind, int) { return kind == 1 || kind == 2 ? 0 : -1; }
int omp_pause_resource_all(unsigned kind) { return omp_pause_resource(kind, 0); }
void omp_display_env(int verbose) { display_environment(verbose != 0); }

}  // extern "C"

#pragma GCC visibility pop
