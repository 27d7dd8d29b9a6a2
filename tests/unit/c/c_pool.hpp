// Callables of C++ as callbacks of the C interface, and pools of 1, 2 and 8 workers. For test programs only.
#pragma once

#include <tine/c.h>
#include <tine/managed/sequential.hpp>

#include <sched.h>
#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace tine::test {

template <class F>
int call(void* f) {
  if constexpr (std::is_void_v<std::invoke_result_t<F&>>) {
    (*static_cast<F*>(f))();
    return 0;
  } else {
    return (*static_cast<F*>(f))();
  }
}

template <class F, class G>
int par2(F f, G g) {
  return tine_par2(&call<F>, &f, &call<G>, &g);
}
template <class F>
int for_each(std::int64_t begin, std::int64_t end, F f) {
  return tine_par_for(begin, end, [](void* body, std::int64_t i) { return (*static_cast<F*>(body))(i); }, &f);
}
template <class F>
int for_chunks(std::int64_t begin, std::int64_t end, F f) {
  return tine_par_for_chunks(
      begin, end, [](void* body, std::int64_t b, std::int64_t e) { return (*static_cast<F*>(body))(b, e); }, &f);
}
template <class F>
int run(F f) {
  return tine_run(&call<F>, &f);
}
template <class F>
int run_in(tine_pool* pool, F f) {
  return tine_pool_run(pool, &call<F>, &f);
}

/// A pool for the length of a test.
class c_pool {
 public:
  explicit c_pool(unsigned workers, const char* promote = nullptr) {
    tine_pool_options o{};
    o.size = sizeof o;
    o.workers = workers;
    o.promote = promote;
    REQUIRE(tine_pool_create(&o, &pool_) == tine_ok);
  }
  ~c_pool() { CHECK(tine_pool_destroy(&pool_) == tine_ok); }
  c_pool(const c_pool&) = delete;
  c_pool& operator=(const c_pool&) = delete;
  tine_pool* get() const { return pool_; }

 private:
  tine_pool* pool_ = nullptr;
};

/// Calls `f()` in pools of 1, 2 and 8 workers, where forks become tasks when a worker is idle, and at once.
template <class F>
void in_pools(F f) {
  for (const char* promote : {"on-demand", "eager"}) {
    for (const unsigned workers : {1U, 2U, 8U}) {
      CAPTURE(promote);
      CAPTURE(workers);
      const c_pool p{workers, promote};
      CHECK(run_in(p.get(), f) == tine_ok);
    }
  }
}

/// Waits until `holds()` is true, and lets other workers have pending forks. Returns false after 60 seconds.
template <class Condition>
bool wait_until(Condition holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{60};
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    tine::poll();
    sched_yield();
  }
  return true;
}

}  // namespace tine::test
