// Submitted roots of the C interface. Any thread may submit.
#include <tine/c/submit.h>

#include "c/pool.hpp"
#include "c/status_of.hpp"

#include <tine/sched/submit.hpp>

#include <memory>
#include <utility>

struct tine_handle {
  tine::handle<int> root;
};

namespace {

using tine::detail::c::called;
using tine::detail::c::fail;
using tine::detail::c::refuse;
using tine::detail::c::status_of;

/// The function of a root. A positive status is its result; a negative one is thrown, so that its message goes along.
struct root_function {
  tine_function function;
  void* data;

  int operator()() const {
    const int status = called(function, data);
    if (status < 0) fail(status);
    return status;
  }
};

/// Submits by `submit(priority, function)`.
template <class Submit>
int submit_by(int priority, tine_function f, void* data, tine_handle** submitted, const Submit& submit) {
  if (submitted == nullptr) return refuse("the place for the handle is a null pointer.");
  *submitted = nullptr;
  if (f == nullptr) return refuse("the function of a root is a null pointer: give one to call.");
  if (priority != tine_normal && priority != tine_urgent)
    return refuse("the priority of a root is neither tine_normal nor tine_urgent.");
  return status_of([&] {
    auto handle = std::make_unique<tine_handle>();
    handle->root = submit(static_cast<tine::root_priority>(priority), root_function{f, data});
    *submitted = handle.release();
  });
}

int refuse_handle() noexcept { return refuse("the handle is a null pointer: it was never submitted, or is used up."); }

bool is_used_up(tine_handle* const* handle) noexcept { return handle == nullptr || *handle == nullptr; }

}  // namespace

static_assert(tine_normal == static_cast<int>(tine::root_priority::normal) &&
              tine_urgent == static_cast<int>(tine::root_priority::urgent));

int tine_submit(int priority, tine_function f, void* data, tine_handle** submitted) {
  return submit_by(priority, f, data, submitted,
                   [](tine::root_priority p, root_function r) { return tine::submit(p, r); });
}

int tine_pool_submit(tine_pool* pool, int priority, tine_function f, void* data, tine_handle** submitted) {
  if (submitted != nullptr) *submitted = nullptr;
  if (pool == nullptr) return tine::detail::c::refuse_pool();
  return submit_by(priority, f, data, submitted,
                   [pool](tine::root_priority p, root_function r) { return pool->pool.submit(p, r); });
}

int tine_handle_wait(tine_handle** handle) {
  if (is_used_up(handle)) return refuse_handle();
  const std::unique_ptr<tine_handle> ended{std::exchange(*handle, nullptr)};
  return status_of([&] {
    if (const int status = ended->root.get(); status != tine_ok) fail(status);
  });
}

int tine_handle_has_ended(const tine_handle* handle) {
  if (handle == nullptr) return refuse_handle();
  return handle->root.has_ended() ? 1 : 0;
}

int tine_handle_request_stop(tine_handle* handle) {
  if (handle == nullptr) return refuse_handle();
  handle->root.request_stop();
  return tine_ok;
}

int tine_handle_when_ended(tine_handle* handle, void (*f)(void* data), void* data) {
  if (handle == nullptr) return refuse_handle();
  if (f == nullptr) return refuse("tine_handle_when_ended: the function is a null pointer: give one to call.");
  return status_of([=] { handle->root.when_ended([=]() noexcept { f(data); }); });
}

int tine_handle_detach(tine_handle** handle) {
  if (is_used_up(handle)) return refuse_handle();
  const std::unique_ptr<tine_handle> detached{std::exchange(*handle, nullptr)};
  detached->root.detach();
  return tine_ok;
}
