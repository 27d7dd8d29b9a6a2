// Teams: their communicators, and how their calls start and end. A team runs one call at a time.
#include <tine/mpi/team.hpp>

#include "mpi/job_record.hpp"
#include "mpi/progress.hpp"
#include "mpi/running_call.hpp"
#include "mpi/team_state.hpp"

#include <tine/detail/mpi/awaited_call.hpp>

#include <sched.h>
#include <cstring>
#include <stdexcept>
#include <string>

namespace tine::mpi {
namespace detail {
namespace {

/// A collective operation of MPI.
template <class Start>
class collective_call : public single_call {
 public:
  collective_call(const char* name, Start start) noexcept : single_call{name}, start_{std::move(start)} {}
  void result() const noexcept {}

 private:
  int start() noexcept final { return start_(&request_); }
  Start start_;
};

template <class Start>
void wait_for(const char* name, Start start) {
  awaitable<collective_call<Start>>{name, std::move(start)}.get();
}

}  // namespace

MPI_Comm team_state::copy_of(MPI_Comm c) {
  MPI_Comm copy = MPI_COMM_NULL;
  wait_for("MPI_Comm_idup", [&](MPI_Request* r) { return MPI_Comm_idup(c, &copy, r); });
  return copy;
}

team_state::team_state(environment& e, const team_options& o)
    : in{e}, comm{copy_of(o.communicator)}, options{o}, mail{comm} {
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
}

team_state::~team_state() {
  const std::vector<long long> sent = mail.sent_to(size);
  long long expected = 0;
  wait_for("MPI_Ireduce_scatter_block", [&](MPI_Request* r) {
    return MPI_Ireduce_scatter_block(sent.data(), &expected, 1, MPI_LONG_LONG, MPI_SUM, comm, r);
  });
  int from = 0;
  while (mail.received() < expected || mail.has_unsent()) {
    mail.look();
    for (message m; mail.take(from, m);) {
    }
    sched_yield();
  }
  MPI_Comm_free(&comm);
}

namespace {

/// Calls `f`, and turns what it throws into team_error.
template <class F>
void throw_team_error(int rank, F f) {
  try {
    f();
  } catch (const std::exception& e) {
    throw team_error{rank, e.what()};
  } catch (...) {
    throw team_error{rank, "an exception that is no std::exception"};
  }
}

/// A team of one rank never sends a message.
void run_alone(team_state& team, team_call& call) {
  const base::ticks began = base::now();
  throw_team_error(0, [&] { team.in.pool().run([&] { call.run_own(); }); });
  const team_counters before = team.totals;
  team.totals.call_ns += base::to_nanoseconds(base::now() - began);
  job_record::instance().add_call(before, team.totals);
}

}  // namespace

void run_with_team(team_state& team, team_call& call) {
  if (team.size == 1) return run_alone(team, call);
  ++team.call;
  running_call running{team, call};
  team.in.pool().run([&]() -> task<void> { return running.run_all(); });
  const payload& outcome = running.outcome();
  if (!running.has_failed()) {
    return throw_team_error(team.rank, [&] {
      reader from{outcome};
      call.take(from);
    });
  }
  std::string text(outcome.size(), ' ');
  reader{outcome}.read(text.data(), text.size());
  const std::size_t space = text.find(' ');
  throw team_error{std::stoi(text.substr(0, space)), text.substr(space + 1)};
}

std::vector<std::vector<iteration_range>> gather_ranges(team_state& team, const std::vector<iteration_range>& own) {
  const auto ranks = static_cast<std::size_t>(team.size);
  const int mine = static_cast<int>(2 * own.size());
  std::vector<int> counts(ranks), begins(ranks + 1);
  wait_for("MPI_Iallgather",
           [&](MPI_Request* r) { return MPI_Iallgather(&mine, 1, MPI_INT, counts.data(), 1, MPI_INT, team.comm, r); });
  for (std::size_t i = 0; i < ranks; ++i) begins[i + 1] = begins[i] + counts[i];
  std::vector<iteration_range> all(static_cast<std::size_t>(begins.back()) / 2);
  wait_for("MPI_Iallgatherv", [&](MPI_Request* r) {
    return MPI_Iallgatherv(own.data(), mine, MPI_UINT64_T, all.data(), counts.data(), begins.data(), MPI_UINT64_T,
                           team.comm, r);
  });
  std::vector<std::vector<iteration_range>> by_rank(ranks);
  for (std::size_t i = 0; i < ranks; ++i)
    by_rank[i].assign(all.begin() + begins[i] / 2, all.begin() + begins[i + 1] / 2);
  return by_rank;
}

}  // namespace detail

team::team(environment& in, const team_options& o) {
  if (o.radix < 2)
    throw std::invalid_argument{"tine::mpi::team: the radix of the lifelines is " + std::to_string(o.radix) +
                                ", and must be 2 or more"};
  if (in.pool().settings().resume != resume_policy::same_thread) {
    throw std::invalid_argument{"tine::mpi::team: the pool must have resume_policy::same_thread"};
  }
  state_.reset(new detail::team_state{in, o});
}

team::~team() = default;
int team::rank() const noexcept { return state_->rank; }
int team::size() const noexcept { return state_->size; }
team_counters team::counters() const noexcept { return state_->totals; }
tine::pool& team::pool() const noexcept { return state_->in.pool(); }
void team::state_deleter::operator()(detail::team_state* t) const noexcept { delete t; }

}  // namespace tine::mpi
