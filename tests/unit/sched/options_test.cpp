// The options that `tine::resolved` accepts, fills in and refuses. The tests compare every message word for word.
#include <tine/sched/options.hpp>
#include <tine/sched/pool.hpp>

#include "sched/topology.hpp"

#include <signal.h>
#include <unistd.h>
#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace {

using tine::options;
using tine::promotion;
using tine::resolved;

// Sets an environment variable for the length of a test, and restores its old value afterwards.
class variable {
 public:
  variable(const char* name, const char* value) : name_{name} {
    if (const char* const old = std::getenv(name)) old_ = old;
    set(value);
  }
  variable(const variable&) = delete;
  variable& operator=(const variable&) = delete;
  ~variable() { set(old_ ? old_->c_str() : nullptr); }

 private:
  void set(const char* value) { value != nullptr ? setenv(name_, value, 1) : unsetenv(name_); }
  const char* name_;
  std::optional<std::string> old_;
};

struct threads_variable : variable {
  explicit threads_variable(const char* value) : variable{"TINE_NUM_THREADS", value} {}
};

void check_refused(const options& o, const std::string& message) {
  CHECK_THROWS_WITH_AS(resolved(o), message.c_str(), std::invalid_argument);
}

options with_promotion(promotion p) { return {.workers = 1, .promote = p}; }

}  // namespace

TEST_CASE("defaults resolve to one worker per processor and SIGURG") {
  const threads_variable unset{nullptr};
  const options o = resolved({});
  CHECK(o.workers == tine::sched::topology::of_machine().processors());
  CHECK(o.signal == SIGURG);
  CHECK(o.stack_bytes == std::size_t{64} << 20);
  CHECK(o.record_bytes == std::size_t{1} << 30);
  CHECK(o.callers == tine::caller_policy::own_root);
  CHECK(o.max_callers == 256);
  CHECK(o.idle == tine::idle_policy::lazy);
  CHECK(o.resume == tine::resume_policy::same_thread);
  CHECK(o.pin == tine::affinity::pinned);
  CHECK(o.promote.which() == promotion::kind::on_demand);
  CHECK(o.promote.period_us() == 2);
  CHECK(o.promote.tokens() == 30);
}

TEST_CASE("resolving twice changes nothing more") {
  const options once = resolved({.workers = 3, .stack_bytes = 100'000, .signal = SIGUSR1});
  const options twice = resolved(once);
  CHECK(twice.workers == 3);
  CHECK(twice.stack_bytes == once.stack_bytes);
  CHECK(twice.signal == SIGUSR1);
}

TEST_CASE("TINE_NUM_THREADS gives the number of workers unless the options do") {
  for (const auto& [text, workers] : {std::pair{"1", 1U}, {"7", 7U}, {"007", 7U}, {"512", 512U}}) {
    const threads_variable set{text};
    CHECK(resolved({}).workers == workers);
    CHECK(resolved({.workers = 3}).workers == 3);
  }
}

TEST_CASE("a variable that is empty is as one that is not set") {
  const options before = resolved({});
  const threads_variable threads{""};
  const variable stack{"TINE_STACK_BYTES", ""}, records{"TINE_RECORD_BYTES", ""};
  const options after = resolved({});
  CHECK(after.workers == before.workers);
  CHECK(after.stack_bytes == before.stack_bytes);
  CHECK(after.record_bytes == before.record_bytes);
}

TEST_CASE("a TINE_NUM_THREADS that is not a number in range is refused") {
  for (const char* bad : {"two", "0", "-1", "+2", " 2", "2 ", "\t2", "2\n", "2.0", "1e2", "0x2", "513", "4294967297",
                          "18446744073709551617", "99999999999999999999999999", "2,3", "2two"}) {
    CAPTURE(bad);
    const threads_variable set{bad};
    check_refused({}, "TINE_NUM_THREADS is \"" + std::string{bad} +
                          "\": give a whole number from 1 to 512, or unset it to use one worker per processor");
    CHECK(resolved({.workers = 2}).workers == 2);
  }
}

TEST_CASE("workers in the options are at most max_workers") {
  CHECK(resolved({.workers = tine::max_workers}).workers == tine::max_workers);
  check_refused({.workers = 513},
                "options::workers is 513: give 1 to 512, or 0 for TINE_NUM_THREADS or one worker per processor");
  check_refused({.workers = static_cast<unsigned>(-1)},
                "options::workers is 4294967295: give 1 to 512, or 0 for TINE_NUM_THREADS or one worker per processor");
}

TEST_CASE("stack sizes are checked and rounded up to pages") {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const auto stack_of = [](std::size_t bytes) { return resolved({.workers = 1, .stack_bytes = bytes}).stack_bytes; };
  CHECK(stack_of(65'536) == 65'536);
  CHECK(stack_of(65'537) == 65'536 + page);
  CHECK(stack_of((1U << 30) - 1) == 1U << 30);
  CHECK(stack_of(1U << 30) == 1U << 30);
  for (const std::size_t bad : {std::size_t{1}, std::size_t{65'535}, (std::size_t{1} << 30) + 1, ~std::size_t{0}}) {
    check_refused({.workers = 1, .stack_bytes = bad},
                  "options::stack_bytes is " + std::to_string(bad) +
                      ": give 65536 (64 KiB) to 1073741824 (1 GiB), or 0 for TINE_STACK_BYTES or 64 MiB");
  }
}

TEST_CASE("TINE_STACK_BYTES and TINE_RECORD_BYTES give the sizes unless the options do") {
  for (const auto& [text, bytes] :
       {std::pair{"65536", 65'536U}, {"64K", 65'536U}, {"64k", 65'536U}, {"3M", 3U << 20}, {"1G", 1U << 30}}) {
    const variable stack{"TINE_STACK_BYTES", text};
    const variable records{"TINE_RECORD_BYTES", text};
    CHECK(resolved({.workers = 1}).stack_bytes == bytes);
    CHECK(resolved({.workers = 1}).record_bytes == bytes);
    const options own = resolved({.workers = 1, .stack_bytes = 1U << 20, .record_bytes = 2U << 20});
    CHECK(own.stack_bytes == 1U << 20);
    CHECK(own.record_bytes == 2U << 20);
  }
  const variable records{"TINE_RECORD_BYTES", "64G"};
  CHECK(resolved({.workers = 1}).record_bytes == std::size_t{64} << 30);
}

TEST_CASE("a TINE_STACK_BYTES that is not a size in range is refused") {
  for (const char* bad : {"K", "64 K", "63K", "65535", "1025M", "2G", "-1", "64KK", "64KiB", "64T", "0x10000", "1e6",
                          "18446744073709551615G", "99999999999999999999999"}) {
    CAPTURE(bad);
    const variable set{"TINE_STACK_BYTES", bad};
    check_refused({.workers = 1},
                  "TINE_STACK_BYTES is \"" + std::string{bad} +
                      "\": give 65536 (64 KiB) to 1073741824 (1 GiB), with K, M or G behind the number for "
                      "KiB, MiB or GiB, or unset it to use 64 MiB");
    CHECK(resolved({.workers = 1, .stack_bytes = 65'536}).stack_bytes == 65'536);
  }
}

TEST_CASE("the policy and the number of callers are checked") {
  options o{.workers = 1, .callers = tine::caller_policy::wait};
  check_refused(
      o,
      "options::callers is caller_policy::wait: with 1 worker there is none but the caller, so give at least 2 "
      "workers, or another policy");
  o.workers = 2;
  CHECK(resolved(o).callers == tine::caller_policy::wait);
  o.callers = static_cast<tine::caller_policy>(3);
  check_refused(o,
                "options::callers is 3: give caller_policy::own_root, caller_policy::any_root or caller_policy::wait");
  for (const unsigned good : {1U, 4096U}) CHECK(resolved({.workers = 1, .max_callers = good}).max_callers == good);
  check_refused({.workers = 1, .max_callers = 4097},
                "options::max_callers is 4097: give 1 to 4096, or 0 for TINE_MAX_CALLERS or 256");
}

TEST_CASE("TINE_MAX_CALLERS gives the number of callers unless the options do") {
  for (const auto& [text, callers] : {std::pair{"", 256U}, {"1", 1U}, {"64", 64U}, {"4096", 4096U}}) {
    const variable set{"TINE_MAX_CALLERS", text};
    CHECK(resolved({.workers = 1}).max_callers == callers);
    CHECK(resolved({.workers = 1, .max_callers = 3}).max_callers == 3);
    CHECK(tine::pool{{.workers = 2}}.worker_slots() == 2 + callers);
  }
  for (const char* bad : {"0", "-1", "4097", "many", "1 ", "4294967297"}) {
    const variable set{"TINE_MAX_CALLERS", bad};
    check_refused({.workers = 1}, "TINE_MAX_CALLERS is \"" + std::string{bad} +
                                      "\": give a whole number from 1 to 4096, or unset it to use 256");
    CHECK(resolved({.workers = 1, .max_callers = 3}).max_callers == 3);
  }
}

TEST_CASE("promotion periods are finite and in range, and so are tokens") {
  for (const double good : {0.01, 16.0, 1e7}) {
    CHECK(resolved(with_promotion(promotion::on_demand(good))).promote.period_us() == good);
    CHECK(resolved(with_promotion(promotion::heartbeat(good))).promote.period_us() == good);
  }
  const double infinity = std::numeric_limits<double>::infinity();
  for (const auto& [bad, text] : {std::pair{0.0, "0"},
                                  {0.009, "0.009"},
                                  {-16.0, "-16"},
                                  {1.5e7, "1.5e+07"},
                                  {infinity, "inf"},
                                  {-infinity, "-inf"},
                                  {std::nan(""), "nan"}}) {
    const std::string is = " is " + std::string{text} + ": give 0.01 to 1e7 microseconds";
    check_refused(with_promotion(promotion::on_demand(bad)), "promotion::on_demand's beat_us" + is);
    check_refused(with_promotion(promotion::heartbeat(bad)), "promotion::heartbeat's period_us" + is);
  }
  for (const int good : {1, 30, 1'000'000}) {
    CHECK(resolved(with_promotion(promotion::on_demand(16, good))).promote.tokens() == good);
    CHECK(resolved(with_promotion(promotion::heartbeat(500, good))).promote.tokens() == good);
  }
  for (const int bad : {0, -1, 1'000'001}) {
    const std::string is = " is " + std::to_string(bad) + ": give 1 to 1000000";
    check_refused(with_promotion(promotion::on_demand(16, bad)), "promotion::on_demand's cap" + is);
    check_refused(with_promotion(promotion::heartbeat(500, bad)), "promotion::heartbeat's tokens" + is);
  }
}

TEST_CASE("values outside their enumerations are refused") {
  check_refused(
      {.workers = 1, .resume = static_cast<tine::resume_policy>(3)},
      "options::resume is 3: give resume_policy::same_thread, resume_policy::origin or resume_policy::finisher");
  check_refused({.workers = 1, .idle = static_cast<tine::idle_policy>(2)},
                "options::idle is 2: give idle_policy::lazy or idle_policy::busy");
  check_refused({.workers = 1, .pin = static_cast<tine::affinity>(200)},
                "options::pin is 200: give affinity::pinned or affinity::none");
  options o{.workers = 1};
  const unsigned char kind = 9;  // the kind is the first byte; no public function can set it wrong
  std::memcpy(static_cast<void*>(&o.promote), &kind, 1);
  check_refused(o,
                "options::promote is of kind 9: make it by promotion::on_demand, promotion::heartbeat or "
                "promotion::eager");
}

TEST_CASE("signals that can interrupt are accepted") {
  for (const int good : {SIGURG, SIGUSR1, SIGUSR2, SIGPROF, SIGIO, SIGRTMIN, SIGRTMAX}) {
    CHECK(resolved({.workers = 1, .signal = good}).signal == good);
  }
}

TEST_CASE("signals that cannot interrupt are refused, with the reason") {
  const auto check = [](int signal, const std::string& name, const std::string& why) {
    const std::string remedy = "; give another from 1 to " + std::to_string(SIGRTMAX) + ", or 0 for SIGURG";
    check_refused({.workers = 1, .signal = signal},
                  "options::signal is " + std::to_string(signal) + name + ": " + why + remedy);
  };
  check(-1, "", "no such signal");
  check(SIGRTMAX + 1, "", "no such signal");
  for (const int kept : {32, 33}) check(kept, "", "the C library keeps it for itself");
  check(SIGKILL, " (SIGKILL)", "it cannot be caught");
  check(SIGSTOP, " (SIGSTOP)", "it cannot be caught");
  for (const auto& [error, name] : {std::pair{SIGSEGV, " (SIGSEGV)"},
                                    {SIGBUS, " (SIGBUS)"},
                                    {SIGILL, " (SIGILL)"},
                                    {SIGFPE, " (SIGFPE)"},
                                    {SIGABRT, " (SIGABRT)"}}) {
    check(error, name, "it reports errors of the program");
  }
}
