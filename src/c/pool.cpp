// Pools of the C interface and the numbers of workers. Any thread may call them.
#include "c/pool.hpp"

#include "c/status_of.hpp"
#include "managed/promotion_of.hpp"

#include <tine/detail/base/object_at.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

namespace {

using tine::detail::c::branch;
using tine::detail::c::refuse;
using tine::detail::c::refuse_here;
using tine::detail::c::status_of;
using tine::detail::c::status_of_call;

[[noreturn]] void refuse_option(const char* name, const std::string& value, const char* remedy) {
  throw std::invalid_argument{std::string{"tine_pool_options::"} + name + " is " + value + ": " + remedy};
}

/// Returns one of the choices from 0 to `last`.
template <class Choice>
Choice choice(int value, Choice last, const char* name, const char* choices) {
  if (value < 0 || value > static_cast<int>(last)) refuse_option(name, std::to_string(value), choices);
  return static_cast<Choice>(value);
}

/// Returns the caller's options as this library knows them. A program may be older than the library, or newer.
tine_pool_options complete(const tine_pool_options& asked) {
  tine_pool_options o{};
  if (asked.size < sizeof asked.size)
    refuse_option("size", std::to_string(asked.size), "give sizeof(struct tine_pool_options)");
  std::memcpy(&o, &asked, std::min(asked.size, sizeof o));
  const std::byte* const bytes = tine::base::bytes_of(asked);
  const auto is_set = [](std::byte b) { return b != std::byte{0}; };
  if (asked.size > sizeof o && std::any_of(bytes + sizeof o, bytes + asked.size, is_set))
    refuse_option("size", std::to_string(asked.size),
                  "this library is older than the program, and doesn't know an option that it sets");
  return o;
}

void copy_name(const char* from, char (&to)[11]) {
  const std::size_t length = std::strlen(from);
  if (length == 0 || length >= sizeof to)
    refuse_option("thread_name", '"' + std::string{from} + '"', "give 1 to 10 bytes");
  std::memcpy(to, from, length + 1);
}

tine::options options_of(const tine_pool_options* asked) {
  tine::options o;
  if (asked == nullptr) return o;
  const tine_pool_options a = complete(*asked);
  o.workers = a.workers;
  if (a.max_callers != 0) o.max_callers = a.max_callers;
  o.idle = choice(a.idle, tine::idle_policy::busy, "idle", "give a tine_idle_policy");
  o.callers = choice(a.callers, tine::caller_policy::wait, "callers", "give a tine_caller_policy");
  o.resume = choice(a.resume, tine::resume_policy::finisher, "resume", "give a tine_resume_policy");
  o.pin = choice(a.pin, tine::affinity::none, "pin", "give a tine_affinity");
  if (a.promote != nullptr) o.promote = tine::detail::promotion_of(a.promote, "tine_pool_options::promote");
  if (a.thread_name != nullptr) copy_name(a.thread_name, o.thread_name);
  o.stack_bytes = a.stack_bytes;
  o.record_bytes = a.record_bytes;
  o.seed = a.seed;
  o.interrupt = a.no_interrupt == 0;
  o.signal = a.signal;
  return o;
}

// The struct has no padding, whose bytes would be unknown to a library that takes them for options.
static_assert(sizeof(tine_pool_options) == offsetof(tine_pool_options, signal) + sizeof(int) &&
              sizeof(tine_pool_options) % alignof(tine_pool_options) == 0);

// The numbers are those of the enumerations of C++.
static_assert(tine_idle_busy == static_cast<int>(tine::idle_policy::busy));
static_assert(tine_callers_any_root == static_cast<int>(tine::caller_policy::any_root) &&
              tine_callers_wait == static_cast<int>(tine::caller_policy::wait));
static_assert(tine_resume_origin == static_cast<int>(tine::resume_policy::origin) &&
              tine_resume_finisher == static_cast<int>(tine::resume_policy::finisher));
static_assert(tine_pin_none == static_cast<int>(tine::affinity::none));

/// Returns the number that `f` gives, or the status of its failure.
template <class F>
int number_by(const F& f) {
  unsigned number = 0;
  const int status = status_of([&] { number = f(); });
  return status == tine_ok ? static_cast<int>(number) : status;
}

}  // namespace

int tine::detail::c::refuse_pool() noexcept {
  return refuse("the pool is a null pointer: tine_pool_create has not made it, or it is destroyed.");
}

int tine_pool_create(const tine_pool_options* options, tine_pool** created) {
  if (created == nullptr) return refuse("tine_pool_create: the place for the pool is a null pointer.");
  *created = nullptr;
  return status_of([=] { *created = new tine_pool{tine::pool{options_of(options)}}; });
}

int tine_pool_destroy(tine_pool** pool) {
  if (pool == nullptr || *pool == nullptr) return tine::detail::c::refuse_pool();
  if ((*pool)->pool.is_entered_here())
    return refuse_here(
        "tine_pool_destroy: the calling code runs in the pool, which would wait for it: call it outside.");
  delete *pool;
  *pool = nullptr;  // only now: roots that the destructor waits for may have used this pointer
  return tine_ok;
}

int tine_pool_run(tine_pool* pool, tine_function f, void* data) {
  if (pool == nullptr) return tine::detail::c::refuse_pool();
  return status_of_call(f, data, [pool](branch b) { pool->pool.run(b); });
}

int tine_pool_workers(const tine_pool* pool) {
  if (pool == nullptr) return tine::detail::c::refuse_pool();
  return static_cast<int>(pool->pool.workers());
}

int tine_run(tine_function f, void* data) {
  return status_of_call(f, data, [](branch b) { tine::run(b); });
}

int tine_start_default_pool(const tine_pool_options* options) {
  return status_of([=] { tine::start_default_pool(options_of(options)); });
}

int tine_worker_index() {
  const tine::worker_ref here = tine::this_worker();
  if (!here) return refuse_here("tine_worker_index: the calling thread works for no pool, so it has no number.");
  return static_cast<int>(here.index());
}

int tine_worker_count() { return number_by(tine::worker_count); }

int tine_worker_slots() { return number_by(tine::worker_slots); }
