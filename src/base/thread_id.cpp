// Keeps the number of each thread in a thread-local variable.
#include "base/thread_id.hpp"

#include <pthread.h>
#include <unistd.h>

namespace tine::base {
namespace {

[[gnu::tls_model("initial-exec")]] constinit thread_local pid_t known = 0;

// The only thread of a child begins as a copy of the one that has called fork(2).
[[gnu::constructor]] void forget_in_children() noexcept {
  pthread_atfork(nullptr, nullptr, [] { known = 0; });
}

}  // namespace

pid_t thread_id() noexcept {
  if (known == 0) known = gettid();
  return known;
}

}  // namespace tine::base
