// Runs the threads of FFTW as iterations of tine's loops: transforms inside a parallel loop take no more threads.
#include <tine/c.h>

#include <fftw3.h>
#include <stdio.h>
#include <stdlib.h>

struct jobs {
  void* (*work)(char*);
  char* first;
  size_t bytes;
};

static int run_job(void* data, int64_t i) {
  const struct jobs* j = data;
  j->work(j->first + j->bytes * (size_t)i);
  return 0;
}

static void run_jobs(void* (*work)(char*), char* first, size_t bytes, int n, void* unused) {
  struct jobs j = {work, first, bytes};
  (void)unused;
  tine_par_for(0, n, run_job, &j);
}

enum { side = 128, images = 16 };
static fftw_plan plan;
static fftw_complex* image[images];

static int transform(void* unused, int64_t i) {
  (void)unused;
  fftw_execute_dft(plan, image[i], image[i]);
  return 0;
}

static int threads_of_process(void) {
  int n = 0;
  char line[128];
  FILE* const status = fopen("/proc/self/status", "r");
  while (status != NULL && fgets(line, sizeof line, status) != NULL && sscanf(line, "Threads: %d", &n) != 1) {
  }
  if (status != NULL) fclose(status);
  return n;
}

int main(void) {
  fftw_init_threads();
  fftw_threads_set_callback(run_jobs, NULL);
  fftw_plan_with_nthreads(8);
  for (int i = 0; i < images; ++i) image[i] = fftw_alloc_complex(side * side);
  plan = fftw_plan_dft_2d(side, side, image[0], image[0], FFTW_FORWARD, FFTW_ESTIMATE);
  for (int i = 0; i < images; ++i) {
    for (int k = 0; k < side * side; ++k) image[i][k][0] = i + 1, image[i][k][1] = 0;
  }
  if (tine_par_for(0, images, transform, NULL) != 0) return 1;
  double sum = 0;
  for (int i = 0; i < images; ++i) sum += image[i][0][0];
  printf("sum %.0f, more threads than workers: %d\n", sum / (side * side), threads_of_process() > tine_worker_count());
  return 0;
}
