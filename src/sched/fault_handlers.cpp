// Faults, handled on the thread that causes them. A stack overflow ends the program with a message. An access to a
// guard page is reported. Every other fault goes to the handler that was installed before.
#include "sched/fault_handlers.hpp"

#include "base/interrupted.hpp"
#include "sched/guard_pages.hpp"
#include "sched/pool_state.hpp"
#include "sched/process_lock.hpp"

#include <tine/detail/base/assert.hpp>
#include <tine/detail/base/object_at.hpp>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>

namespace tine::sched {

constinit base::atomic<void (*)(int) noexcept> before_fatal_fault{nullptr};

namespace {

constexpr std::array<int, 2> faults{SIGSEGV, SIGBUS};
std::array<struct sigaction, faults.size()> previous;  // the handlers before tine's; written before those are installed

const struct sigaction& previous_of(int number) noexcept { return previous[number == SIGBUS ? 1 : 0]; }

const void* stack_pointer_of(const void* where) noexcept {
  return base::from_word<const void>(base::interrupted::stack_pointer(where));
}

/// Prints why the address isn't mapped; the signal is then handled as usual. Prints only once: if a handler returns,
/// the instruction faults again, and would print forever.
void name_guard_page(const void* address) noexcept {
  static constinit base::atomic<bool> named{false};
  if (named.exchange(true, base::relaxed)) return;  // relaxed: guards nothing but the message
  char text[] =
      "access beyond an allocation, at tine's guard page: 0x................ belongs to no object. It lies in the guard at the end of a stack of tine's, next to which other memory of the program is mapped; most likely an index runs past the end of an array. Build with -fsanitize=address to find it.";
  std::uintptr_t rest = base::to_word(address);
  char* const digits = std::strchr(text, '.');
  for (int i = 15; i >= 0; --i, rest >>= 4) digits[i] = "0123456789abcdef"[rest & 15];
  base::warn(text);
}

bool is_handled(const struct sigaction& p) noexcept {
  return (p.sa_flags & SA_SIGINFO) != 0 || (p.sa_handler != SIG_DFL && p.sa_handler != SIG_IGN);
}

void on_fault(int number, siginfo_t* info, void* where) {
  const worker* w = hot::words().self;
  const fiber* f = w != nullptr ? w->running() : nullptr;
  const bool is_fault = info->si_code > 0;  // not a signal that a process sent
  if (is_fault && f != nullptr && f->overflows(info->si_addr, stack_pointer_of(where))) {
    base::fatal(w->pool.stack_overflow.c_str());
  }
  if (is_fault && guard_pages::hold(info->si_addr)) name_guard_page(info->si_addr);
  const struct sigaction& p = previous_of(number);
  if ((p.sa_flags & SA_SIGINFO) != 0) return p.sa_sigaction(number, info, where);
  if (is_handled(p)) return p.sa_handler(number);
  // Take the default action. The faulting instruction is repeated and faults again; a signal that a process sent isn't
  // repeated, so we send it again. (We never ignore a fault, even if the program has set it to be ignored: it would
  // repeat forever.)
  // acquire pairs with the release in start_keeper, so that the function sees the keeper
  if (auto* const call = before_fatal_fault.load(base::acquire)) call(number);
  struct sigaction standard{};
  standard.sa_handler = SIG_DFL;
  sigaction(number, &standard, nullptr);
  if (!is_fault) raise(number);
}

class signal_stack {
 public:
  signal_stack() noexcept {
    stack_t now{};
    if (sigaltstack(nullptr, &now) == 0 && (now.ss_flags & SS_DISABLE) == 0) return;  // the program has set its own
    memory_.reset(new (std::nothrow) std::byte[bytes]);
    if (memory_ == nullptr) return;
    stack_t ours{};
    ours.ss_sp = memory_.get();
    ours.ss_size = bytes;
    sigaltstack(&ours, nullptr);
  }
  ~signal_stack() {
    if (memory_ == nullptr) return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }
  signal_stack(const signal_stack&) = delete;
  signal_stack& operator=(const signal_stack&) = delete;

 private:
  static constexpr std::size_t bytes = 64 << 10;  // saving the widest vector registers takes 11 KiB
  std::unique_ptr<std::byte[]> memory_;
};

}  // namespace

void install_fault_handlers() {
  static bool installed = false;
  const std::lock_guard guard{process_lock};
  if (installed) return;
  for (std::size_t i = 0; i < faults.size(); ++i) {
    struct sigaction action{};
    action.sa_sigaction = &on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    if (sigaction(faults[i], nullptr, &previous[i]) != 0 || sigaction(faults[i], &action, nullptr) != 0) {
      throw std::system_error{errno, std::generic_category(), "tine: cannot install a signal handler"};
    }
  }
  installed = true;
}

void ensure_signal_stack() noexcept { static thread_local const signal_stack stack; }

}  // namespace tine::sched
