#include "mpi/delays.hpp"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <mutex>
#include <random>
#include <vector>

namespace {

using clock_type = std::chrono::steady_clock;

struct held {
  MPI_Comm in;
  MPI_Message message;
  MPI_Status status;
  clock_type::time_point due;
};

struct {
  std::mutex lock;
  std::mt19937_64 random;
  unsigned least = 0, most = 0;
  std::list<held> messages;  // in the order in which they came
  std::uint64_t delayed = 0;
} state;

bool is_on() { return state.most != 0; }

/// With MPI_THREAD_FUNNELED only the thread that has initialised MPI may call it.
void check_thread(const char* call) {
  static const int level = [] {
    int l = 0;
    MPI_Query_thread(&l);
    return l;
  }();
  int is_main = 0;
  MPI_Is_thread_main(&is_main);
  if (level == MPI_THREAD_MULTIPLE || is_main != 0) return;
  std::fprintf(stderr, "%s is called by another thread than that of the environment\n", call);
  std::abort();
}

}  // namespace

void tine::test::delay_messages(std::uint64_t seed, unsigned least_us, unsigned most_us) {
  const std::lock_guard guard{state.lock};
  state.random.seed(seed);
  state.least = least_us;
  state.most = most_us;
}

std::uint64_t tine::test::delayed_messages() { return state.delayed; }

extern "C" int MPI_Improbe(int source, int tag, MPI_Comm in, int* flag, MPI_Message* message, MPI_Status* status) {
  check_thread("MPI_Improbe");
  const std::lock_guard guard{state.lock};
  *flag = 0;
  for (int has_come = 1; has_come != 0;) {
    held h{in, MPI_MESSAGE_NULL, {}, {}};
    if (const int error = PMPI_Improbe(source, tag, in, &has_come, &h.message, &h.status); error != MPI_SUCCESS)
      return error;
    if (has_come == 0) break;
    const unsigned us =
        is_on() ? state.least + static_cast<unsigned>(state.random() % (state.most - state.least + 1)) : 0;
    h.due = clock_type::now() + std::chrono::microseconds{us};
    state.delayed += us != 0;
    state.messages.push_back(h);
  }
  const auto now = clock_type::now();
  std::vector<int> waiting;  // ranks of which an earlier message is not due
  for (auto h = state.messages.begin(); h != state.messages.end(); ++h) {
    const int from = h->status.MPI_SOURCE;
    if (h->in != in || std::ranges::find(waiting, from) != waiting.end()) continue;
    if (h->due > now) {
      waiting.push_back(from);
      continue;
    }
    *flag = 1;
    *message = h->message;
    *status = h->status;
    state.messages.erase(h);
    return MPI_SUCCESS;
  }
  return MPI_SUCCESS;
}

extern "C" int MPI_Testsome(int n, MPI_Request requests[], int* ended, int indices[], MPI_Status statuses[]) {
  check_thread("MPI_Testsome");
  {
    const std::lock_guard guard{state.lock};
    if (is_on() && state.random() % 4 != 0) {
      *ended = 0;
      return MPI_SUCCESS;
    }
  }
  return PMPI_Testsome(n, requests, ended, indices, statuses);
}

extern "C" int MPI_Testall(int n, MPI_Request requests[], int* ended, MPI_Status statuses[]) {
  check_thread("MPI_Testall");
  {
    const std::lock_guard guard{state.lock};
    if (is_on() && state.random() % 2 != 0) {
      *ended = 0;
      return MPI_SUCCESS;
    }
  }
  return PMPI_Testall(n, requests, ended, statuses);
}

extern "C" int MPI_Isend(const void* from, int n, MPI_Datatype type, int to, int tag, MPI_Comm in,
                         MPI_Request* request) {
  check_thread("MPI_Isend");
  return PMPI_Isend(from, n, type, to, tag, in, request);
}

extern "C" int MPI_Irecv(void* to, int n, MPI_Datatype type, int from, int tag, MPI_Comm in, MPI_Request* request) {
  check_thread("MPI_Irecv");
  return PMPI_Irecv(to, n, type, from, tag, in, request);
}
