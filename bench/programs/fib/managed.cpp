// fib on tine, in the combining form of par.
#include "programs/fib/problem.hpp"

#include <tine/tine.hpp>

#include <functional>

namespace bench::fib {
namespace {

[[gnu::noinline]] std::int64_t fib(std::int64_t n) {
  if (n < 2) return n;
  return tine::par([=] { return fib(n - 1); }, [=] { return fib(n - 2); }, std::plus<>{});
}

}  // namespace

std::int64_t managed(const problem& p) { return fib(p.n); }

}  // namespace bench::fib
