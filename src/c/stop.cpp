// Stops of the C interface. Any thread may call them.
#include <tine/c/stop.h>

#include "c/status_of.hpp"

#include <tine/sched/stop.hpp>
#include <tine/sched/unstoppable.hpp>

#include <stop_token>
#include <utility>

struct tine_stop_source {
  std::stop_source source;
};

namespace {

using tine::detail::c::branch;
using tine::detail::c::refuse;
using tine::detail::c::status_of;
using tine::detail::c::status_of_call;

int refuse_source() noexcept {
  return refuse("the stop source is a null pointer: tine_stop_source_create has not made it, or it is destroyed.");
}

}  // namespace

int tine_stop_source_create(tine_stop_source** created) {
  if (created == nullptr) return refuse("tine_stop_source_create: the place for the stop source is a null pointer.");
  *created = nullptr;
  return status_of([=] { *created = new tine_stop_source; });
}

int tine_stop_source_destroy(tine_stop_source** source) {
  if (source == nullptr || *source == nullptr) return refuse_source();
  delete std::exchange(*source, nullptr);
  return tine_ok;
}

int tine_stop_source_request(tine_stop_source* source) {
  if (source == nullptr) return refuse_source();
  source->source.request_stop();
  return tine_ok;
}

int tine_run_stoppable(tine_stop_source* source, tine_function f, void* data) {
  if (source == nullptr) return refuse_source();
  return status_of_call(f, data, [source](branch b) { tine::run_stoppable(source->source.get_token(), b); });
}

int tine_is_stopping() { return tine::is_stopping() ? 1 : 0; }

int tine_unstoppable(tine_function f, void* data) {
  return status_of_call(f, data, [](branch b) { tine::unstoppable(b); });
}
