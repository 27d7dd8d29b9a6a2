// Checks the options of a pool, and replaces those that the user left out by their defaults. The pool's constructor
// calls it, on any thread. Cold.
#include <tine/sched/options.hpp>

#include "base/environment_variable.hpp"
#include "sched/bad_variable.hpp"
#include "sched/circumstances.hpp"
#include "sched/topology.hpp"

#include <tine/detail/base/assert.hpp>

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>

namespace tine {

namespace {

/// An option in bytes; an environment variable can set it, too.
struct size_option {
  const char* name;
  const char* variable;
  std::size_t least, most, usual;
};

constexpr size_option stack_size{"options::stack_bytes", "TINE_STACK_BYTES", std::size_t{64} << 10,
                                 std::size_t{1} << 30, std::size_t{64} << 20};
constexpr size_option record_size{"options::record_bytes", "TINE_RECORD_BYTES", std::size_t{64} << 10,
                                  std::size_t{64} << 30, std::size_t{1} << 30};
constexpr unsigned most_callers = 4096;
constexpr unsigned usual_callers = 256;
constexpr double min_period_us = 0.01;
constexpr double max_period_us = 1e7;
constexpr int max_tokens = 1'000'000;

[[noreturn]] void refuse(const std::string& source, const std::string& value, const std::string& remedy) {
  throw std::invalid_argument{source + " is " + value + ": " + remedy};
}

[[noreturn]] void refuse_variable(const std::string& name, const std::string& text, const std::string& remedy) {
  throw sched::bad_variable{name + " is \"" + text + "\": " + remedy};
}

std::string text_of(double value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

/// Returns the number, from 1 to `most`, that `text` means, the value of that variable. `otherwise`: what pools have if
/// the variable is unset.
unsigned number_of_environment(const char* variable, const char* text, unsigned most, const std::string& otherwise) {
  const char* const end = text + std::strlen(text);
  unsigned number = 0;
  // from_chars takes digits only (no blank, sign or 0x), and reports overflow.
  const auto [stop, error] = std::from_chars(text, end, number);
  if (error != std::errc{} || stop != end || number < 1 || number > most) {
    refuse_variable(variable, text,
                    "give a whole number from 1 to " + std::to_string(most) + ", or unset it to use " + otherwise);
  }
  return number;
}

unsigned workers_of_environment(const char* text) {
  return number_of_environment("TINE_NUM_THREADS", text, max_workers, "one worker per processor");
}

unsigned resolved_callers(unsigned callers) {
  if (callers > most_callers) {
    refuse("options::max_callers", std::to_string(callers),
           "give 1 to " + std::to_string(most_callers) + ", or 0 for TINE_MAX_CALLERS or " +
               std::to_string(usual_callers));
  }
  if (callers != 0) return callers;
  const char* const text = base::environment_variable("TINE_MAX_CALLERS");
  if (text == nullptr) return usual_callers;
  return number_of_environment("TINE_MAX_CALLERS", text, most_callers, std::to_string(usual_callers));
}

pool_defaults defaults_with(const std::optional<sched::cpu_quota>& quota) {
  const sched::topology& machine = sched::topology::of_machine();
  const char* const text = base::environment_variable("TINE_NUM_THREADS");
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  return sched::defaults_under({machine.processors(), machine.nodes(), static_cast<unsigned>(std::max(online, 1L)),
                                quota, text != nullptr ? workers_of_environment(text) : 0, machine.kinds()});
}

unsigned resolved_workers(unsigned workers, const std::optional<sched::cpu_quota>& quota) {
  if (workers > max_workers) {
    refuse("options::workers", std::to_string(workers),
           "give 1 to " + std::to_string(max_workers) + ", or 0 for TINE_NUM_THREADS or one worker per processor");
  }
  return workers != 0 ? workers : defaults_with(quota).workers;
}

void check_choices(const options& o) {
  if (o.callers != caller_policy::own_root && o.callers != caller_policy::any_root &&
      o.callers != caller_policy::wait) {
    refuse("options::callers", std::to_string(static_cast<int>(o.callers)),
           "give caller_policy::own_root, caller_policy::any_root or caller_policy::wait");
  }
  if (o.resume > resume_policy::finisher) {
    refuse("options::resume", std::to_string(static_cast<int>(o.resume)),
           "give resume_policy::same_thread, resume_policy::origin or resume_policy::finisher");
  }
  if (o.idle != idle_policy::lazy && o.idle != idle_policy::busy) {
    refuse("options::idle", std::to_string(static_cast<int>(o.idle)), "give idle_policy::lazy or idle_policy::busy");
  }
  if (o.pin != affinity::pinned && o.pin != affinity::none) {
    refuse("options::pin", std::to_string(static_cast<int>(o.pin)), "give affinity::pinned or affinity::none");
  }
}

void check_callers(const options& o) {
  if (o.callers == caller_policy::wait && o.workers == 1) {
    refuse("options::callers", "caller_policy::wait",
           "with 1 worker there is none but the caller, so give at least 2 workers, or another policy");
  }
}

void check_promotion(const promotion& p, const std::string& name, const char* period, const char* tokens) {
  // Written so that NaN fails.
  if (!(p.period_us() >= min_period_us && p.period_us() <= max_period_us)) {
    refuse("promotion::" + name + "'s " + period, text_of(p.period_us()), "give 0.01 to 1e7 microseconds");
  }
  if (p.tokens() < 1 || p.tokens() > max_tokens) {
    refuse("promotion::" + name + "'s " + tokens, std::to_string(p.tokens()),
           "give 1 to " + std::to_string(max_tokens));
  }
}

void check_promotion(const promotion& p) {
  switch (p.which()) {
    case promotion::kind::on_demand:
      return check_promotion(p, "on_demand", "beat_us", "cap");
    case promotion::kind::heartbeat:
      return check_promotion(p, "heartbeat", "period_us", "tokens");
    case promotion::kind::eager:
      return;
  }
  refuse("options::promote", "of kind " + std::to_string(static_cast<int>(p.which())),
         "make it by promotion::on_demand, promotion::heartbeat or promotion::eager");
}

std::string text_of_bytes(std::size_t bytes) {
  const bool is_gib = bytes >= std::size_t{1} << 30, is_mib = !is_gib && bytes >= std::size_t{1} << 20;
  return std::to_string(bytes >> (is_gib ? 30 : is_mib ? 20 : 10)) + (is_gib ? " GiB" : is_mib ? " MiB" : " KiB");
}

std::string range_of(const size_option& o) {
  return std::to_string(o.least) + " (" + text_of_bytes(o.least) + ") to " + std::to_string(o.most) + " (" +
         text_of_bytes(o.most) + ")";
}

/// Returns the bytes that `text` means: a whole number, optionally followed by K, M or G.
std::size_t bytes_of_environment(const size_option& o, const char* text) {
  const char* const end = text + std::strlen(text);
  std::size_t bytes = 0;
  // from_chars takes digits only (no blank, sign or 0x), and reports overflow.
  auto [stop, error] = std::from_chars(text, end, bytes);
  unsigned shift = 0;
  if (error == std::errc{} && stop + 1 == end) {
    const char unit = static_cast<char>(*stop & ~('a' ^ 'A'));
    shift = unit == 'K' ? 10 : unit == 'M' ? 20 : unit == 'G' ? 30 : 0;
    if (shift != 0) ++stop;
  }
  if (error != std::errc{} || stop != end || bytes > o.most >> shift || bytes << shift < o.least) {
    refuse_variable(o.variable, text,
                    "give " + range_of(o) +
                        ", with K, M or G behind the number for KiB, MiB or GiB, or unset it to use " +
                        text_of_bytes(o.usual));
  }
  return bytes << shift;
}

std::size_t resolved_bytes(const size_option& o, std::size_t bytes) {
  if (bytes != 0 && (bytes < o.least || bytes > o.most)) {
    refuse(o.name, std::to_string(bytes),
           "give " + range_of(o) + ", or 0 for " + o.variable + " or " + text_of_bytes(o.usual));
  }
  if (bytes == 0) {
    const char* const text = base::environment_variable(o.variable);
    bytes = text != nullptr ? bytes_of_environment(o, text) : o.usual;
  }
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

// Returns why the signal cannot serve to interrupt workers, or null if it can.
const char* objection(int signal) {
  // The signals between the classic and the real-time signals belong to glibc, for cancelling threads and setuid.
  if (signal >= 32 && signal < SIGRTMIN) return "the C library keeps it for itself";
  switch (signal) {
    case SIGKILL:
    case SIGSTOP:
      return "it cannot be caught";
    case SIGSEGV:
    case SIGBUS:
    case SIGILL:
    case SIGFPE:
    case SIGABRT:
      return "it reports errors of the program";
    default:
      return nullptr;
  }
}

int resolved_signal(int signal) {
  if (signal == 0) return SIGURG;
  const std::string remedy = "give another from 1 to " + std::to_string(SIGRTMAX) + ", or 0 for SIGURG";
  if (signal < 1 || signal > SIGRTMAX) refuse("options::signal", std::to_string(signal), "no such signal; " + remedy);
  if (const char* const why = objection(signal)) {
    const char* const name = sigabbrev_np(signal);
    refuse("options::signal", std::to_string(signal) + (name != nullptr ? " (SIG" + std::string{name} + ")" : ""),
           std::string{why} + "; " + remedy);
  }
  return signal;
}

}  // namespace

options sched::resolved_or_exit(const options& o) {
  try {
    return resolved(o);
  } catch (const bad_variable& e) {
    base::warn(e.what());
    std::fflush(nullptr);
    std::_Exit(2);  // without the destructors of static objects: this may be the constructor of one
  }
}

options resolved(options o) {
  check_choices(o);
  check_promotion(o.promote);
  o.stack_bytes = resolved_bytes(stack_size, o.stack_bytes);
  o.record_bytes = resolved_bytes(record_size, o.record_bytes);
  o.signal = resolved_signal(o.signal);
  const std::optional<sched::cpu_quota> quota = sched::find_cpu_quota();
  o.workers = resolved_workers(o.workers, quota);
  o.max_callers = resolved_callers(o.max_callers);
  check_callers(o);
  // When a control group has used up its quota, the kernel stops its threads, wherever they may run. A pinned thread
  // would also have to wait for its processor afterwards.
  if (o.pin == affinity::pinned && limits(quota, sched::topology::of_machine().processors())) o.pin = affinity::none;
  return o;
}

pool_defaults defaults_of_this_process() { return defaults_with(sched::find_cpu_quota()); }

}  // namespace tine
