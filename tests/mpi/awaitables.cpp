// Strands that wait for MPI: in tasks, in plain code, on every worker, inside tine::sequential and outside the pool.
//
//     mpirun -n 3 awaitables [--multiple] [--delays]
//
// Each check is made on every rank. The last line says how many passed, on all ranks together.
#include "mpi/delays.hpp"

#include <tine/coro.hpp>
#include <tine/managed.hpp>
#include <tine/mpi.hpp>

#include <unistd.h>
#include <atomic>
#include <complex>
#include <cstdio>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <vector>

namespace {

namespace mpi = tine::mpi;

std::atomic<long> passed{0}, failed{0};
int rank = 0, size = 1;

void check(bool good, const char* what) {
  ++(good ? passed : failed);
  if (!good) std::fprintf(stderr, "rank %d: %s is wrong\n", rank, what);
}

int next() { return (rank + 1) % size; }
int previous() { return (rank + size - 1) % size; }

// --- in tasks --------------------------------------------------------------------------------------------------------

tine::task<int> pass_around(int tag) {
  int token = rank;
  for (int i = 0; i < size; ++i) {
    int got = -1;
    tine::eventually<mpi::received> from;
    co_await tine::fork(
        &from, [](int& to, int t) -> tine::task<mpi::received> { co_return co_await mpi::receive(to, previous(), t); },
        std::ref(got), tag);
    co_await tine::call([](int x, int t) -> tine::task<void> { co_await mpi::send(x, next(), t); }, token, tag);
    co_await tine::join;
    check(from->from == previous() && from->tag == tag && from->count == 1, "the source of a message");
    token = got;
  }
  co_return token;
}

tine::task<void> rings_at_once() {
  constexpr int rings = 20;
  int ends[rings];
  for (int i = 0; i < rings; ++i) co_await tine::fork(&ends[i], pass_around, 100 + i);
  co_await tine::join;
  for (const int e : ends) check(e == rank, "a token that went around");
}

tine::task<void> collectives() {
  std::vector<double> x(1000, rank);
  co_await mpi::broadcast(std::span<double>{x}, size - 1);
  check(x == std::vector<double>(1000, size - 1), "a broadcast");
  std::int64_t sum = rank + 1;
  co_await mpi::all_reduce(sum, MPI_SUM);
  check(sum == std::int64_t{size} * (size + 1) / 2, "a sum over all ranks");
  std::complex<float> z{1, static_cast<float>(rank)};
  co_await mpi::all_reduce(z, MPI_SUM);
  check(z.real() == static_cast<float>(size), "a complex sum");
  co_await mpi::barrier();
}

struct particle {
  double x[3];
  char name[5];
};

tine::task<void> large_and_strange_types() {
  std::vector<particle> out(50'000), in(60'000);
  for (std::size_t i = 0; i < out.size(); ++i) out[i].x[1] = static_cast<double>(i) + rank;
  tine::eventually<mpi::received> got;
  co_await tine::fork(
      &got,
      [](std::span<particle> to) -> tine::task<mpi::received> {
        co_return co_await mpi::receive(to, MPI_ANY_SOURCE, 7);
      },
      std::span{in});
  co_await tine::call([](std::span<const particle> from) -> tine::task<void> { co_await mpi::send(from, next(), 7); },
                      std::span<const particle>{out});
  co_await tine::join;
  check(got->count == out.size() && got->from == previous(), "the length of a long message");
  bool same = true;
  for (std::size_t i = 0; i < out.size(); ++i) same = same && in[i].x[1] == static_cast<double>(i) + previous();
  check(same, "a long message");
}

// --- requests of the program -----------------------------------------------------------------------------------------

/// Only the thread of the environment may start requests.
void waits_for_requests() {
  std::vector<int> in(8, -1), out(8, rank);
  std::vector<MPI_Request> requests(9, MPI_REQUEST_NULL);  // the last one is null
  for (int i = 0; i < 8; ++i)
    MPI_Irecv(&in[static_cast<unsigned>(i)], 1, MPI_INT, previous(), 30 + i, MPI_COMM_WORLD,
              &requests[static_cast<unsigned>(i)]);
  for (int i : {5, 1, 0, 2, 7, 3, 4, 6}) mpi::send(out[static_cast<unsigned>(i)], next(), 30 + i).get();
  std::vector<bool> seen(8);
  for (int i = 0; i < 5; ++i) {
    const std::size_t at = mpi::wait_any(requests).get();
    check(at < 8 && !seen[at] && requests[at] == MPI_REQUEST_NULL && in[at] == previous(), "a request of wait_any");
    if (at < 8) seen[at] = true;
  }
  const std::vector<MPI_Status> rest = mpi::wait_all(requests).get();
  check(rest.size() == 9, "the statuses of wait_all");
  check(in == std::vector<int>(8, previous()), "the messages of wait_all");
  check(mpi::wait_any(requests).get() == requests.size(), "wait_any of null requests");
  check(mpi::wait_all({}).get().empty(), "wait_all of no request");
  MPI_Request none = MPI_REQUEST_NULL;
  mpi::wait(none).get();
  // a persistent request
  int a = rank, b = -1;
  MPI_Request to, from;
  MPI_Send_init(&a, 1, MPI_INT, next(), 50, MPI_COMM_WORLD, &to);
  MPI_Recv_init(&b, 1, MPI_INT, previous(), 50, MPI_COMM_WORLD, &from);
  for (int i = 0; i < 3; ++i) {
    a = rank + 100 * i;
    MPI_Start(&from);
    MPI_Start(&to);
    const MPI_Status s = mpi::wait(from).get();
    mpi::wait(to).get();
    check(b == previous() + 100 * i && s.MPI_SOURCE == previous(), "a persistent request");
  }
  MPI_Request_free(&to);
  MPI_Request_free(&from);
}

// --- in plain code ---------------------------------------------------------------------------------------------------

int fib(int n) {
  return n < 2 ? n : tine::par([n] { return fib(n - 1); }, [n] { return fib(n - 2); }, std::plus<>{});
}

/// Branches wait on whatever worker they run, while others compute.
void branches_wait() {
  std::atomic<int> sum{0};
  tine::par_for(0, 24, [&](int i) {
    if (i % 3 == 2) {
      check(fib(18) == 2584, "a computation beside messages");
      return;
    }
    int got = -1;
    const auto receives = [&] { mpi::receive(got, previous(), 200 + i).get(); };
    const auto sends = [&] { mpi::send(rank * 1000 + i, next(), 200 + i).get(); };
    i % 2 == 0 ? tine::par(receives, sends) : tine::par(sends, receives);
    check(got == previous() * 1000 + i, "a message to a branch");
    sum += got;
  });
}

/// A message moves while the thread that calls MPI computes, as long as it forks.
void moves_beside_a_computation() {
  std::atomic<bool> has_come{false};
  tine::par(
      [&] {
        while (!has_come) fib(12);
      },
      [&] {
        int got = -1;
        for (int i = 0; i < 5; ++i) {
          tine::par([&] { mpi::send(i, next(), 300).get(); }, [&] { mpi::receive(got, previous(), 300).get(); });
          check(got == i, "a message beside a computation");
        }
        has_come = true;
      });
}

void waits_sequentially() {
  tine::sequential([] {
    int got = -1;
    MPI_Request r;
    MPI_Irecv(&got, 1, MPI_INT, previous(), 400, MPI_COMM_WORLD, &r);
    mpi::send(rank, next(), 400).get();
    mpi::wait(r).get();
    check(got == previous(), "a message inside tine::sequential");
  });
}

/// Errors of a communicator with MPI's own handler are thrown.
void throws_errors() {
  MPI_Comm own;
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
  bool thrown = false;
  try {
    mpi::send(rank, size + 5, 0, own).get();
  } catch (const mpi::error& e) {
    thrown = std::string_view{e.what()}.find("MPI_Isend failed: ") != std::string_view::npos;
  }
  check(thrown, "the error of a send to a rank that does not exist");
  // Open MPI does not report it for a message to the rank itself.
  std::vector<int> in(1), out(2);
  thrown = size == 1;
  try {
    MPI_Request r;
    MPI_Irecv(in.data(), 1, MPI_INT, previous(), 1, own, &r);
    mpi::send(std::span<const int>{out}, next(), 1, own).get();
    mpi::wait(r).get();
  } catch (const mpi::error& e) {
    thrown = std::string_view{e.what()}.find("runcat") != std::string_view::npos;
  }
  check(thrown, "the error of a message that is too long");
  MPI_Comm_free(&own);
}

void all_checks(bool has_second_worker) {
  tine::run(rings_at_once);
  tine::run(collectives);
  tine::run(large_and_strange_types);
  waits_for_requests();
  branches_wait();
  if (has_second_worker) moves_beside_a_computation();
  waits_sequentially();
  throws_errors();
}

}  // namespace

int main(int argc, char** argv) {
  bool multiple = false, delays = false;
  for (int i = 1; i < argc; ++i) {
    multiple = multiple || std::string_view{argv[i]} == "--multiple";
    delays = delays || std::string_view{argv[i]} == "--delays";
  }
  alarm(100);
  {
    MPI_Request r = MPI_REQUEST_NULL;
    bool thrown = false;
    try {
      mpi::wait(r).get();
    } catch (const std::logic_error&) {
      thrown = true;
    }
    check(thrown, "a wait without an environment");
  }
  mpi::environment environment{argc, argv, multiple ? mpi::threads::multiple : mpi::threads::funneled};
  rank = environment.rank();
  size = environment.size();
  try {
    mpi::environment second;
    check(false, "a second environment");
  } catch (const std::logic_error&) {
    check(true, "a second environment");
  }
  if (delays) tine::test::delay_messages(static_cast<unsigned>(rank), 0, 50);
  const bool has_second_worker = environment.pool().workers() > 1;
  all_checks(has_second_worker);                      // outside the pool, except what forks
  tine::run([&] { all_checks(has_second_worker); });  // on the pool
  if (multiple) {
    // Any thread that is no worker may wait, too.
    std::thread{[] {
      int got = -1;
      MPI_Request r;
      MPI_Irecv(&got, 1, MPI_INT, previous(), 500, MPI_COMM_WORLD, &r);
      mpi::send(rank, next(), 500).get();
      mpi::wait(r).get();
      check(got == previous(), "a message to a thread outside of the pool");
    }}.join();
  }
  tine::test::delay_messages(0, 0, 0);
  long mine[2] = {passed, failed}, all[2] = {0, 0};
  MPI_Reduce(mine, all, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) std::printf("%ld passed, %ld failed\n", all[0], all[1]);
  return failed == 0 ? 0 : 1;
}
