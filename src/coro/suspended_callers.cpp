// The part of a strand's trace that coroutines know: those that wait for the coroutines on the native stack.
#include "sched/trace_writer.hpp"

#include <tine/coro/resumption.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/coro/driver.hpp>

namespace tine::detail {
namespace {

constexpr int most_levels = 1'000'000;  // a longer chain is taken for damaged memory

/// Returns the function that resumes a frame. Compilers for this platform put its address at the begin of a coroutine's
/// state, 16 bytes before the promise.
const void* code_of(const frame& f) noexcept {
  return base::from_word<const void>(base::word_at(base::bytes_of(f) - 2 * sizeof(void*)));
}

}  // namespace

struct driver_chain {
  static const driver* before(const driver& d) noexcept { return base::from_word<const driver>(d.driver_); }
  static const frame* parent(const driver& d) noexcept { return d.parent_; }
  static sched::address records(const driver& d) noexcept { return d.records_; }
};

}  // namespace tine::detail

namespace tine::sched {

coroutine_begin add_suspended_callers(trace_writer& to, const std::uintptr_t* words, const void* stack,
                                      const void* stack_end) noexcept {
  using namespace detail;
  const auto is_here = [=](const void* at) { return at >= stack && at < stack_end; };
  const auto* d = base::from_word<const driver>(words[driver_object]);
  for (int levels = 0; d != nullptr && is_here(d); d = driver_chain::before(*d)) {
    const frame* f = driver_chain::parent(*d);
    if (f == nullptr) continue;  // a first call: the code that waits is on the native stack
    for (const frame* up; (up = link::parent(f->up.get())) != nullptr; f = up) {
      to.add(trace_kind::await, code_of(*f));
      if (++levels > most_levels || to.is_full()) return {};
    }
    if (is_here(f)) continue;
    const auto& r = static_cast<const root&>(*f);
    const bool is_awaited = r.end == awaited_root::end_function_of_all();
    return {f, is_awaited ? driver_chain::records(static_cast<const awaited_root&>(r).here) : nullptr,
            base::from_word<const void>(base::to_word(r.end))};
  }
  return {};
}

const void* code_of_continuation(std::uintptr_t continuation) noexcept {
  return detail::code_of(*base::from_word<const detail::frame>(continuation));
}

}  // namespace tine::sched
