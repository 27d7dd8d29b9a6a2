// The runtime's side of the bridge for compiled code; include/tine/managed/abi.h describes it. Any fiber may call it.
#include <tine/detail/base/assert.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/fork_protocol.hpp>
#include <tine/detail/sched/region.hpp>
#include <tine/managed/abi.h>

#include "base/environment_variable.hpp"
#include "managed/compiled_fork.hpp"
#include "managed/frames.hpp"
#include "managed/promotion_of.hpp"
#include "sched/worker.hpp"

#include <tine/managed/par.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

namespace {

using namespace tine;

static_assert(offsetof(sched::hot_words, top) == tine_abi_top && offsetof(sched::hot_words, bot) == tine_abi_bot &&
              offsetof(sched::hot_words, limit) == tine_abi_limit);
// the words below belong to coroutines, those above to the scheduler
static_assert(sched::hot::fiber_local_at<10> == tine_abi_own && sched::region_data_word > 10);
static_assert(sizeof(sched::task) == tine_abi_payload && sched::max_record_bytes == tine_abi_most_record);
static_assert(sizeof(tine_abi_kind) == sizeof(sched::descriptor) &&
              offsetof(tine_abi_kind, run) == offsetof(sched::descriptor, run) &&
              offsetof(tine_abi_kind, size) == offsetof(sched::descriptor, size) &&
              offsetof(tine_abi_kind, is_range) == offsetof(sched::descriptor, is_range) &&
              offsetof(tine_abi_kind, sharing) == offsetof(sched::descriptor, sharing));
static_assert(static_cast<int>(token_sharing::half) == 1 && static_cast<int>(token_sharing::all) == 2);

// Prints a number as the interpreter does: the shortest text that reads back as the same number.
void print_fraction(double d) {
  std::array<char, 40> text{};
  if (std::isnan(d)) {
    std::strcpy(text.data(), "nan");
  } else {
    *std::to_chars(text.data(), text.data() + text.size(), d).ptr = '\0';
    if (std::isfinite(d) && std::strpbrk(text.data(), ".e") == nullptr) std::strcat(text.data(), ".0");
  }
  std::fputs(text.data(), stdout);
}

// The join knows an instrumented fork by its offset in the shadow stack. It compares the offset with `bot`, and finds
// the record promoted, because an offset is less than an address. So compiled code doesn't need a test of its own for
// such forks.

sched::address records_begin() noexcept { return sched::hot::self()->running()->records_begin(); }

/// Opens a fork whose record, at `at`, is written and below the top. Returns its offset.
void* open_instrumented(sched::address at, sched::site where) noexcept {
  sched::hot::set_top(at);
  const std::size_t bytes = base::from_word<const tine_abi_kind>(base::word_at(at + tine_abi_kind_of_record))->size;
  const sched::address branch = detail::place_for_branch(at, bytes);
  std::memmove(branch, at, bytes);
  const detail::compiled_fork& f = detail::open_compiled_fork(at, branch, where);
  return base::from_word<void>(base::to_word(&f) - base::to_word(records_begin()));
}

/// Returns the instrumented fork with this offset, or null if `record` is an address.
detail::compiled_fork* fork_of_offset(void* record) noexcept {
  const sched::address begin = records_begin();
  return base::to_word(record) < base::to_word(begin) ? detail::compiled_fork_at(begin + base::to_word(record))
                                                      : nullptr;
}

}  // namespace

extern "C" {

ptrdiff_t tine_abi_hot_offset() {
  return base::bytes_of(sched::hot::words()) - static_cast<std::byte*>(__builtin_thread_pointer());
}

void* tine_abi_poll(void* record, const void* returns) {
  const auto at = static_cast<sched::address>(record);
  switch (sched::plain::poll()) {
    case sched::polled::stopping:  // compiled code doesn't throw: it runs to its end, and thieves may help it
      sched::plain::serve_requests();
      break;
    case sched::polled::inside:
      break;
    case sched::polled::outside:
      sched::hot::set_top(at);
      break;
    case sched::polled::instrumented:
      detail::require_place_of_site(returns);
      return open_instrumented(at, base::word_at(returns));
  }
  return record;
}

void tine_abi_offer(uint32_t more) { sched::plain::offer(more); }

int tine_abi_join(void* record) {
  if (detail::compiled_fork* const f = fork_of_offset(record)) {
    detail::close_compiled_fork(*f, detail::begin_of(*f));
    return 1;
  }
  return sched::plain::join(*base::object_at<sched::task>(record)) == sched::joined::stolen ? 1 : 0;
}

void tine_abi_open_frames(tine_abi_frames* module) { detail::open_frames(*module); }

void tine_abi_close_frames(tine_abi_frames* module) { detail::close_frames(*module); }

void tine_abi_poll_frames(tine_abi_frames* module, const void* returns) {
  detail::poll_frames(*module, static_cast<const std::byte*>(returns));
}

int tine_abi_join_frame(void* record) {
  const auto at = static_cast<sched::address>(record);
  if (detail::compiled_fork* const f = detail::compiled_fork_at(at)) {
    detail::close_compiled_fork(*f, at);
    return 1;
  }
  return sched::fork_protocol::pop(at) ? tine_abi_join(record) : 0;
}

void* tine_abi_alloc(int64_t cells) {
  void* p = cells < 0 ? nullptr : std::calloc(static_cast<std::size_t>(cells) + (cells == 0), 8);
  if (p == nullptr) {
    std::fprintf(stderr, "trap: alloc of %lld cells; there is no memory for them\n", static_cast<long long>(cells));
    std::_Exit(1);
  }
  return p;
}

void tine_abi_trap(const char* message) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s\n", message);
  std::_Exit(1);  // other workers still run: don't destroy anything of theirs
}

int tine_abi_personality(int, int, std::uint64_t, void*, void*) {
  base::fatal(
      "an exception has left a function of C that compiled code called. Compiled code knows no exceptions of C++: let the function catch it.");
}

void tine_abi_run(void (*program)(void* results), void* results, unsigned workers) {
  const auto call = [=] { program(results); };
  const char* const policy = base::environment_variable("TINE_PROMOTE");
  if (workers == 0 && policy == nullptr) return default_pool().run(call);
  options o;
  o.workers = workers;
  if (policy != nullptr) o.promote = detail::promotion_of(policy);
  pool{o}.run(call);
}

int tine_abi_main(void (*program)(void* results), const char* types) {
  std::array<std::uint64_t, 64> results{};
  if (std::strlen(types) > results.size()) tine_abi_trap("main returns more results than can be printed");
  try {
    tine_abi_run(program, results.data(), 0);
  } catch (const std::exception& e) {  // thrown when the pool starts; compiled code doesn't throw
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
  for (std::size_t i = 0; types[i] != '\0'; ++i) {
    if (i != 0) std::fputc(' ', stdout);
    if (types[i] == 'f') {
      print_fraction(std::bit_cast<double>(results[i]));
    } else {
      std::printf("%lld", static_cast<long long>(results[i]));
    }
  }
  if (types[0] != '\0') std::fputc('\n', stdout);
  return std::fflush(stdout) == 0 ? 0 : 1;
}

}  // extern "C"
