// Makes a thread's table of walks, which lives until the thread ends.
#include "augment/known_walks.hpp"

#include "sched/scheduler_time.hpp"

#include <cstdlib>
#include <utility>

namespace tine::detail {
namespace {

struct until_thread_ends {
  // zeros that take no memory where no walk was
  until_thread_ends() noexcept { walks_of_thread = static_cast<known_walks*>(std::calloc(1, sizeof(known_walks))); }
  ~until_thread_ends() { std::free(std::exchange(walks_of_thread, nullptr)); }
  until_thread_ends(const until_thread_ends&) = delete;
  until_thread_ends& operator=(const until_thread_ends&) = delete;
};
static_assert(base::is_implicit_lifetime<known_walk>);

constinit thread_local bool is_made = false;

}  // namespace

constinit thread_local known_walks* walks_of_thread = nullptr;

TINE_NOINLINE known_walks* make_walks() noexcept {
  const sched::scheduler_time here;  // the memory is not the program's
  if (is_made) return nullptr;
  is_made = true;
  static thread_local const until_thread_ends table;
  return walks_of_thread;
}

}  // namespace tine::detail
