// Starts a search beside other work, and gives it up after a while.
#define _POSIX_C_SOURCE 199309L
#include <tine/c.h>

#include <stdio.h>
#include <time.h>

static int look(void* data, int64_t begin, int64_t end) {
  const int64_t wanted = *(const int64_t*)data;
  for (int64_t n = begin; n < end; ++n) {
    if (n % 1000 * n == wanted) return 1;  // ends the loop, too: the first number that fits, in the order of the loop
  }
  return 0;
}

static int search(void* data) { return tine_par_for_chunks(0, INT64_MAX, look, data); }

int main(void) {
  int64_t wanted = -1;
  tine_handle* handle;
  if (tine_submit(tine_normal, search, &wanted, &handle) != 0) {
    fprintf(stderr, "%s\n", tine_last_message());
    return 1;
  }
  const struct timespec while_others_work = {0, 50000000};
  nanosleep(&while_others_work, NULL);
  tine_handle_request_stop(handle);
  const int status = tine_handle_wait(&handle);
  puts(status == tine_stopped ? "given up" : status == 1 ? "found" : tine_last_message());
  return 0;
}
