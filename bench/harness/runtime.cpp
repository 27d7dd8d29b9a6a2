// The choice of a runtime and of the executable that has it, the serial runtime, and the stack of the main thread.
#include "harness/runtime.hpp"

#include "harness/value.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace bench {
namespace {

class serial_runtime : public runtime {
 public:
  void run(const std::function<void()>& root) override { root(); }
};

/// Lets the main thread's stack grow to `bytes`. The kernel reads the limit when the stack grows, so it is early enough
/// to raise it here, up to the 128 MiB that the kernel always leaves free below the stack.
void allow_main_stack(std::size_t bytes) {
  rlimit limit{};
  getrlimit(RLIMIT_STACK, &limit);
  if (limit.rlim_cur >= bytes) return;
  limit.rlim_cur = bytes;
  if (setrlimit(RLIMIT_STACK, &limit) != 0)
    throw std::runtime_error{
        format("this problem needs {} MiB of stack, and the system's hard limit (ulimit -Hs) "
               "allows only {} MiB",
               bytes >> 20, limit.rlim_max >> 20)};
}

}  // namespace

void move_to_rivals(runtime_kind kind, char** arguments) {
  const bool is_rival = kind == runtime_kind::tbb || kind == runtime_kind::openmp || kind == runtime_kind::openmp_team;
  if (!is_rival || start_tbb != nullptr) return;
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe");
  const std::filesystem::path there = here.parent_path() / "rivals" / here.filename();
  execv(there.c_str(), arguments);
  throw std::system_error{errno, std::generic_category(), there};
}

std::unique_ptr<runtime> start_runtime(runtime_kind kind, const runtime_options& options) {
  allow_main_stack(options.stack_bytes);
  switch (kind) {
    case runtime_kind::tine:
    case runtime_kind::tine_heartbeat:
    case runtime_kind::tine_eager:
    case runtime_kind::tine_tasks:
      return start_tine(kind, options);
    case runtime_kind::tbb:
      return start_tbb(options);
    case runtime_kind::openmp:
    case runtime_kind::openmp_team:
      return start_openmp(kind, options);
    case runtime_kind::serial:
      break;
  }
  return std::make_unique<serial_runtime>();
}

}  // namespace bench
