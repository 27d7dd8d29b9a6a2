// libomp's functions for programs beyond OpenMP's own: kmp_*, and those omp_* that libgomp of GCC 12 doesn't have. Most
// of them set what tine does otherwise, so they have no effect. Any thread may call them.
#include "compiled_task.hpp"
#include "icvs.hpp"
#include "task.hpp"
#include "team.hpp"

#include <sched.h>
#include <algorithm>
#include <cstdlib>

#pragma GCC visibility push(default)

using namespace tine::openmp;

namespace {

constexpr int no_blocktime = 0, library_throughput = 2;
constexpr std::size_t stack_bytes = std::size_t{4} << 20;

/// A mask of processors, which the program holds by an address of ours.
using mask = cpu_set_t*;

bool is_processor(int n) noexcept { return n >= 0 && n < CPU_SETSIZE; }

}  // namespace

extern "C" {

void kmp_set_blocktime(int) {}
int kmp_get_blocktime() { return no_blocktime; }
void kmp_set_library(int) {}
void kmp_set_library_serial() {}
void kmp_set_library_turnaround() {}
void kmp_set_library_throughput() {}
int kmp_get_library() { return library_throughput; }
void kmp_set_stacksize(int) {}
void kmp_set_stacksize_s(std::size_t) {}
std::size_t kmp_get_stacksize_s() { return stack_bytes; }
int kmp_get_stacksize() { return static_cast<int>(stack_bytes); }
void kmp_set_defaults(const char*) {}
void kmp_set_disp_num_buffers(int) {}
void kmp_set_warnings_on() {}
void kmp_set_warnings_off() {}
int kmp_get_cancellation_status(int) { return process().cancellation ? 1 : 0; }
int kmp_get_num_known_threads() { return static_cast<int>(process().first.threads); }

void* kmp_malloc(std::size_t bytes) { return std::malloc(bytes); }
void* kmp_aligned_malloc(std::size_t bytes, std::size_t align) {
  void* block = nullptr;
  return ::posix_memalign(&block, std::max(align, sizeof(void*)), bytes) == 0 ? block : nullptr;
}
void* kmp_calloc(std::size_t n, std::size_t each) { return std::calloc(n, each); }
void* kmp_realloc(void* block, std::size_t bytes) { return std::realloc(block, bytes); }
void kmp_free(void* block) { std::free(block); }

// A pool pins its workers itself, so a thread of a team can't be pinned. Masks are plain values.

int kmp_get_affinity_max_proc() { return CPU_SETSIZE; }
void kmp_create_affinity_mask(mask* m) { *m = static_cast<mask>(std::calloc(1, sizeof(cpu_set_t))); }
void kmp_destroy_affinity_mask(mask* m) {
  std::free(*m);
  *m = nullptr;
}
int kmp_set_affinity_mask_proc(int n, mask* m) {
  if (!is_processor(n)) return -1;
  CPU_SET(n, *m);
  return 0;
}
int kmp_unset_affinity_mask_proc(int n, mask* m) {
  if (!is_processor(n)) return -1;
  CPU_CLR(n, *m);
  return 0;
}
int kmp_get_affinity_mask_proc(int n, mask* m) { return is_processor(n) && CPU_ISSET(n, *m) ? 1 : 0; }
int kmp_get_affinity(mask* m) { return ::sched_getaffinity(0, sizeof(cpu_set_t), *m) == 0 ? 0 : -1; }
int kmp_set_affinity(mask*) { return -1; }

int omp_control_tool(int, int, void*) { return -2; }  // there is no tool
int omp_control_tool_(const int*, const int*, void*) { return -2; }

// Names of functions in C, where those of Fortran need another one: omp.h or compiled code calls them.

int omp_get_ancestor_thread_num(int);
int omp_get_team_size(int);
void omp_set_dynamic(int);
void omp_set_max_active_levels(int);
void omp_set_nested(int);
void omp_set_num_threads(int);
void omp_set_schedule(unsigned, int);
void omp_set_affinity_format(const char*);
std::size_t omp_get_affinity_format(char*, std::size_t);
void omp_display_affinity(const char*);
std::size_t omp_capture_affinity(char*, std::size_t, const char*);

int ompc_get_ancestor_thread_num(int level) { return omp_get_ancestor_thread_num(level); }
int ompc_get_team_size(int level) { return omp_get_team_size(level); }
void ompc_set_dynamic(int on) { omp_set_dynamic(on); }
void ompc_set_max_active_levels(int n) { omp_set_max_active_levels(n); }
void ompc_set_nested(int on) { omp_set_nested(on); }
void ompc_set_num_threads(int n) { omp_set_num_threads(n); }
void ompc_set_schedule(unsigned kind, int chunk) { omp_set_schedule(kind, chunk); }
void ompc_set_affinity_format(const char* format) { omp_set_affinity_format(format); }
std::size_t ompc_get_affinity_format(char* buffer, std::size_t size) { return omp_get_affinity_format(buffer, size); }
void ompc_display_affinity(const char* format) { omp_display_affinity(format); }
std::size_t ompc_capture_affinity(char* buffer, std::size_t size, const char* format) {
  return omp_capture_affinity(buffer, size, format);
}
void kmpc_set_blocktime(int) {}
void kmpc_set_library(int) {}
void kmpc_set_stacksize(int) {}
void kmpc_set_stacksize_s(std::size_t) {}
void kmpc_set_defaults(const char*) {}
void kmpc_set_disp_num_buffers(int) {}
void* kmpc_malloc(std::size_t bytes) { return kmp_malloc(bytes); }
void* kmpc_aligned_malloc(std::size_t bytes, std::size_t align) { return kmp_aligned_malloc(bytes, align); }
void* kmpc_calloc(std::size_t n, std::size_t each) { return kmp_calloc(n, each); }
void* kmpc_realloc(void* block, std::size_t bytes) { return kmp_realloc(block, bytes); }
void kmpc_free(void* block) { kmp_free(block); }
int kmpc_set_affinity_mask_proc(int n, mask* m) { return kmp_set_affinity_mask_proc(n, m); }
int kmpc_unset_affinity_mask_proc(int n, mask* m) { return kmp_unset_affinity_mask_proc(n, m); }
int kmpc_get_affinity_mask_proc(int n, mask* m) { return kmp_get_affinity_mask_proc(n, m); }

// There are no foreign runtimes to work with.

constexpr int interop_empty = -1;

int omp_get_num_interop_properties(const void*) { return 0; }
std::intptr_t omp_get_interop_int(const void*, int, int* error) {
  if (error != nullptr) *error = interop_empty;
  return 0;
}
void* omp_get_interop_ptr(const void*, int, int* error) {
  if (error != nullptr) *error = interop_empty;
  return nullptr;
}
const char* omp_get_interop_str(const void*, int, int* error) {
  if (error != nullptr) *error = interop_empty;
  return nullptr;
}
const char* omp_get_interop_name(const void*, int) { return nullptr; }
const char* omp_get_interop_type_desc(const void*, int) { return nullptr; }
const char* omp_get_interop_rc_desc(const void*, int) { return nullptr; }

}  // extern "C"

#pragma GCC visibility pop
