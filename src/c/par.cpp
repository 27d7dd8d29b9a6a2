// Forks of the C interface. Any thread may call them.
#include <tine/c/par.h>

#include "c/status_of.hpp"

#include <tine/managed/blocking.hpp>
#include <tine/managed/par.hpp>
#include <tine/managed/sequential.hpp>

#include <algorithm>

namespace {

namespace base = tine::base;

using tine::detail::c::branch;
using tine::detail::c::refuse;
using tine::detail::c::status_of;
using tine::detail::c::status_of_call;

/// The first branch of a fork that the program makes at `forked_at`, the place of which observers get.
struct first_branch {
  branch what;
  tine::sched::site forked_at;

  TINE_ALWAYS_INLINE void operator()() const { what(); }
};

/// Some of an array's calls: a tree of forks.
struct some_calls {
  const tine_call* first;
  int64_t n;
  tine::sched::site forked_at;

  void operator()() const {
    if (n == 1) return branch{first->function, first->data}();
    const int64_t half = n / 2;
    tine::par(some_calls{first, half, forked_at}, some_calls{first + half, n - half, forked_at});
  }
};

}  // namespace

int tine_par2(tine_function f, void* f_data, tine_function g, void* g_data) {
  if (f == nullptr || g == nullptr) [[unlikely]]
    return refuse("tine_par2: a function is a null pointer: give two to call.");
  const tine::sched::site here = base::to_word(__builtin_return_address(0));
  return status_of([=] { tine::par(first_branch{{f, f_data}, here}, branch{g, g_data}); });
}

int tine_par(const tine_call* calls, int64_t n) {
  if (n < 0) return refuse("tine_par: the number of calls is negative.");
  if (n == 0) return tine_ok;
  if (calls == nullptr) return refuse("tine_par: the array of calls is a null pointer.");
  if (std::any_of(calls, calls + n, [](const tine_call& c) { return c.function == nullptr; }))
    return refuse("tine_par: the function of a call is a null pointer.");
  return status_of(some_calls{calls, n, base::to_word(__builtin_return_address(0))});
}

int tine_sequential(tine_function f, void* data) {
  return status_of_call(f, data, [](branch b) { tine::sequential(b); });
}

int tine_blocking(tine_function f, void* data) {
  return status_of_call(f, data, [](branch b) { tine::blocking(b); });
}
