// MPI from its initialisation to its end, and the handlers that end a job with a sentence.
#include <tine/mpi/environment.hpp>

#include "mpi/description.hpp"
#include "mpi/job_record.hpp"
#include "mpi/progress.hpp"

#include <tine/mpi/error.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

namespace tine::mpi {
namespace detail {

std::string description_of(int error_code) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  if (MPI_Error_string(error_code, text, &length) != MPI_SUCCESS) return "error " + std::to_string(error_code);
  return {text, static_cast<std::size_t>(length)};
}

namespace {

const char* name_of(int level) noexcept {
  switch (level) {
    case MPI_THREAD_SINGLE:
      return "MPI_THREAD_SINGLE";
    case MPI_THREAD_FUNNELED:
      return "MPI_THREAD_FUNNELED";
    case MPI_THREAD_SERIALIZED:
      return "MPI_THREAD_SERIALIZED";
    default:
      return "MPI_THREAD_MULTIPLE";
  }
}

/// The error handler: ends the job.
void end_job(MPI_Comm* where, int* code, ...) {
  const char* const call = progress::instance().current_call();
  int kind = MPI_SUCCESS;
  MPI_Error_class(*code, &kind);
  // tine has tested several requests at once: each strand gets the error of its own request. MPICH calls this handler
  // then, whatever the communicator of the request is.
  if (call != nullptr && kind == MPI_ERR_IN_STATUS) return;
  int rank = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::fprintf(stderr, "tine::mpi: rank %d: %s failed: %s. The job ends.\n", rank,
               call != nullptr ? call : "a call of MPI", description_of(*code).c_str());
  std::fflush(stderr);
  MPI_Abort(*where, 1);
}

int world_rank = 0;
std::terminate_handler terminate_before = nullptr;

/// An exception that no code catches unwinds no stack, so the environment's destructor is not called.
void say_terminated() {
  const char* what = "std::terminate was called";
  std::string text;
  try {
    if (std::current_exception() != nullptr) throw;
  } catch (const std::exception& e) {
    text = std::string{"no code has caught the exception '"} + e.what() + "'";
    what = text.c_str();
  } catch (...) {
    what = "no code has caught an exception";
  }
  std::fprintf(stderr, "tine::mpi: rank %d: %s. The job ends.\n", world_rank, what);
  std::fflush(stderr);
  if (terminate_before != nullptr) terminate_before();
  std::abort();
}

void replace_terminate_handler(int rank) {
  world_rank = rank;
  const std::terminate_handler before = std::set_terminate(&say_terminated);
  if (before != &say_terminated) terminate_before = before;
}

void replace_error_handler() {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(&end_job, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  MPI_Errhandler_free(&handler);
}

}  // namespace
}  // namespace detail

environment::environment(int& argc, char**& argv, threads allowed, tine::pool* p) : pool_{p} {
  begin(&argc, &argv, allowed);
}

environment::environment(threads allowed, tine::pool* p) : pool_{p} { begin(nullptr, nullptr, allowed); }

void environment::begin(int* argc, char*** argv, threads allowed) {
  uncaught_ = std::uncaught_exceptions();
  const int wanted = allowed == threads::multiple ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED;
  int is_initialised = 0;
  int provided = MPI_THREAD_SINGLE;
  MPI_Initialized(&is_initialised);
  if (is_initialised != 0) {
    MPI_Query_thread(&provided);
    int is_main = 0;
    MPI_Is_thread_main(&is_main);
    if (is_main == 0 && allowed == threads::funneled) {
      throw error{"tine::mpi::environment: another thread has initialised MPI; make the environment on that thread"};
    }
  } else if (const int code = MPI_Init_thread(argc, argv, wanted, &provided); code != MPI_SUCCESS) {
    throw error{"tine::mpi::environment: MPI_Init_thread failed: " + detail::description_of(code)};
  }
  has_initialised_ = is_initialised == 0;
  if (provided < wanted) {
    if (has_initialised_) MPI_Finalize();
    throw error{std::string{"tine::mpi::environment: MPI provides "} + detail::name_of(provided) + ", and " +
                detail::name_of(wanted) + " is needed; " +
                (has_initialised_
                     ? "use a library of MPI that is built with it"
                     : "initialise MPI with MPI_Init_thread and that level, or let the environment do it")};
  }
  if (pool_ == nullptr) pool_ = &default_pool();
  detail::progress::instance().begin(allowed, *pool_);
  detail::replace_error_handler();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  detail::replace_terminate_handler(rank_);
  if (size_ > 1) detail::job_record::instance().begin(rank_, size_);
}

environment::~environment() {
  if (std::uncaught_exceptions() > uncaught_ && size_ > 1) {
    std::fprintf(stderr, "tine::mpi: rank %d: an exception leaves the block of the environment. The job ends.\n",
                 rank_);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  detail::progress::instance().end();
  std::fflush(stdout);  // a launcher may drop what a process writes after MPI_Finalize
  int is_finalised = 0;
  MPI_Finalized(&is_finalised);
  if (has_initialised_ && is_finalised == 0) MPI_Finalize();
}

team_error::team_error(int rank, const std::string& message)
    : std::runtime_error{"tine::mpi: rank " + std::to_string(rank) + ": " + message}, rank_{rank} {}

}  // namespace tine::mpi
