// The logical stack of the running strand. Other strands run meanwhile, so only words that cannot change are read: the
// records below the one of an open task stay until the task is joined, the code that waits for a coroutine stays until
// the coroutine has ended, and the work of a fiber stays until all that it has forked is joined.
#include "sched/trace_writer.hpp"

#include "base/end_listener.hpp"
#include "sched/fiber.hpp"
#include "sched/worker.hpp"

#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/shadow_stack.hpp>

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>
#include <unwind.h>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace tine {
namespace sched {
namespace {

constexpr int most_fibers = 10'000;  // along one trace; a longer chain is taken for damaged memory
constexpr std::size_t most_entries = 4096;

// --- native frames

struct native_walk {
  trace_writer& to;
  const fiber& on;
  std::uintptr_t own_frame;  ///< frames up to here belong to the trace itself
  std::size_t most;          ///< number of frames, at most
  bool is_past_own = false;
  const void* pending = nullptr;
};

/// Called for each frame, with the stack pointer in it. The frame before is known to be the strand's when its end,
/// which is this stack pointer, lies below the begin of the work.
_Unwind_Reason_Code on_frame(_Unwind_Context* c, void* walk) {
  auto& w = *static_cast<native_walk*>(walk);
  const std::uintptr_t sp = _Unwind_GetCFA(c);
  const void* const at = base::from_word<const void>(sp);
  if (w.on.holds_frame(at) && at > w.on.work_begin) {
    w.pending = nullptr;
    return _URC_END_OF_STACK;
  }
  if (w.pending != nullptr) w.to.add(trace_kind::call, std::exchange(w.pending, nullptr));
  if (w.to.is_full() || w.to.count() == w.most) return _URC_END_OF_STACK;
  // the frames of the trace may lie on a signal stack, anywhere beside the fiber: only the first comparison counts
  w.is_past_own = w.is_past_own || sp > w.own_frame;
  if (w.is_past_own) w.pending = base::from_word<const void>(_Unwind_GetIP(c));
  return _URC_NO_REASON;
}

void add_native_frames(trace_writer& to, const fiber& on, std::uintptr_t own_frame, std::size_t most) noexcept {
  native_walk w{to, on, own_frame, most};
  _Unwind_Backtrace(&on_frame, &w);
  if (w.pending != nullptr) to.add(trace_kind::call, w.pending);
}

// --- records

const void* code_of(const descriptor* d) noexcept { return base::from_word<const void>(base::to_word(d->run)); }

/// Returns the bytes of the record at `at`; 0 if there is none.
std::size_t record_bytes(address at) noexcept {
  if (const std::size_t bytes = storage_block_bytes(at)) return bytes;
  if (is_continuation_at(at)) return continuation_bytes;
  if (const splittable_range* r = range_at(at)) return r->head + std::size_t{r->max_promoted} * r->stride;
  const auto* const d = base::from_word<const descriptor>(base::word_at(at));
  return d != nullptr ? d->size : 0;
}

/// Appends the records from the begin of a shadow stack to `end`, the newest first: at most those that a ring holds.
void add_records(trace_writer& to, const fiber& of, const void* end) noexcept {
  std::array<address, 256> ring;
  std::size_t n = 0;
  for (address at = of.records_begin(); at < end; ++n) {
    ring[n % ring.size()] = at;
    const std::size_t bytes = record_bytes(at);
    if (bytes == 0) break;
    at += bytes;
  }
  for (std::size_t i = n; i > 0 && n - i < ring.size(); --i) {
    const address at = ring[(i - 1) % ring.size()];
    if (storage_block_bytes(at) != 0) continue;
    if (is_continuation_at(at)) {
      to.add(trace_kind::fork, code_of_continuation(base::word_at(at) - continuation_bit));
    } else if (const splittable_range* r = range_at(at)) {
      to.add(trace_kind::loop, code_of(r->what));
    } else {
      to.add(trace_kind::fork, code_of(base::from_word<const descriptor>(base::word_at(at))));
    }
  }
}

/// Appends the task and the forks around it on the fiber that forked. Returns that fiber; null if the task is a root,
/// or was placed on its worker.
const fiber* add_task(trace_writer& to, const task& t) noexcept {
  const fiber* const by = fiber::of_record(&t);
  if (by == nullptr) {
    to.add(trace_kind::root, code_of(t.what));
    return nullptr;
  }
  if (t.what->is_range) {
    const splittable_range* const r = static_cast<const promoted_subrange&>(t).of;
    to.add(trace_kind::loop, code_of(t.what));
    add_records(to, *by, r);
  } else {
    to.add(trace_kind::fork, code_of(t.what));
    add_records(to, *by, &t);
  }
  return by;
}

std::size_t trace_from(std::span<trace_entry> into, std::uintptr_t own_frame, std::size_t most_calls) noexcept {
  hot_words& h = hot::words();
  const fiber* f = h.self != nullptr ? h.self->running() : nullptr;
  if (f == nullptr || f->work == nullptr) return 0;
  trace_writer to{into};
  add_native_frames(to, *f, own_frame, most_calls);
  const coroutine_begin begun = add_suspended_callers(to, h.fiber_local, f->stack_bottom, f->records_begin());
  if (begun.root != nullptr) {
    f = fiber::of_record(begun.records);
    if (f == nullptr) {
      to.add(trace_kind::root, begun.end_of_root);
    } else {
      add_records(to, *f, begun.records);
    }
  }
  for (int i = 0; f != nullptr && i < most_fibers && !to.is_full(); ++i) {
    const task* const t = f->work;
    f = t == nullptr || is_continuation(t) ? nullptr : add_task(to, *t);
  }
  return to.count();
}

// --- text

class line {
 public:
  void add(const char* text) noexcept {
    while (*text != '\0' && length_ < sizeof text_ - 1) text_[length_++] = *text++;
  }
  void add_hex(std::uintptr_t n) noexcept {
    char digits[2 * sizeof n + 1];
    char* d = digits + sizeof digits;
    *--d = '\0';
    do *--d = "0123456789abcdef"[n & 15];
    while ((n >>= 4) != 0);
    add("0x");
    add(d);
  }
  void write_to(int file) noexcept {
    text_[length_++] = '\n';
    for (std::size_t done = 0; done < length_;) {
      const ssize_t n = ::write(file, text_ + done, length_ - done);
      if (n <= 0) return;
      done += static_cast<std::size_t>(n);
    }
  }

 private:
  char text_[512];
  std::size_t length_ = 0;
};

/// Appends the file that holds the code, and the address in it, if the C library finds it without a lock.
void add_module([[maybe_unused]] line& l, [[maybe_unused]] const void* code) noexcept {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 35)
  dl_find_object found;
  if (_dl_find_object(const_cast<void*>(code), &found) != 0) return;
  const link_map& m = *found.dlfo_link_map;
  char program[256];
  const char* file = m.l_name;
  if (file[0] == '\0') {
    const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    program[n < 0 ? 0 : n] = '\0';
    file = program;
  }
  l.add(file);
  l.add("(+");
  l.add_hex(base::to_word(code) - m.l_addr);
  l.add(") ");
#endif
}

constexpr std::size_t most_printed = 64;
constexpr std::size_t most_calls_printed = 32;  // a deep recursion leaves space for the forks around it

void write_line(const char* text, int file) noexcept {
  line l;
  l.add(text);
  l.write_to(file);
}

void print(std::span<const trace_entry> trace, bool is_cut, int file) noexcept {
  const int error = errno;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const trace_entry& e = trace[i];
    if (i == most_calls_printed && trace[i - 1].kind == trace_kind::call) write_line("tine:   and more calls", file);
    line l;
    l.add("tine:   ");
    l.add(name(e.kind));
    l.add(std::strlen(name(e.kind)) == 4 ? "  " : " ");
    add_module(l, e.code);
    l.add("[");
    l.add_hex(base::to_word(e.code));
    l.add("]");
    l.write_to(file);
  }
  if (is_cut) write_line("tine:   and more", file);
  errno = error;
}

void print_at_end() noexcept {
  std::array<trace_entry, most_printed> trace;
  const std::size_t n = trace_from(trace, base::to_word(__builtin_frame_address(0)), most_calls_printed);
  if (n == 0) return;
  write_line("tine: the strand that ended the program, innermost call first:", STDERR_FILENO);
  print({trace.data(), n}, n == trace.size(), STDERR_FILENO);
}

}  // namespace

void listen_to_end() noexcept {
  base::end_listener.store(&print_at_end, base::relaxed);  // relaxed: the function refers to no data of this thread
}

}  // namespace sched

const char* name(trace_kind k) noexcept {
  constexpr const char* names[] = {"call", "fork", "loop", "await", "root"};
  return names[static_cast<unsigned>(k)];
}

TINE_NOINLINE std::size_t this_strand_trace(std::span<trace_entry> into) noexcept {
  return sched::trace_from(into, base::to_word(__builtin_frame_address(0)), into.size());
}

TINE_NOINLINE std::vector<trace_entry> this_strand_trace() {
  std::vector<trace_entry> all(sched::most_entries);
  all.resize(sched::trace_from(all, base::to_word(__builtin_frame_address(0)), all.size()));
  return all;
}

TINE_NOINLINE void print_this_strand_trace(int file) noexcept {
  std::array<trace_entry, sched::most_printed> trace;
  const std::size_t n = sched::trace_from(trace, base::to_word(__builtin_frame_address(0)), sched::most_calls_printed);
  sched::print({trace.data(), n}, n == trace.size(), file);
}

}  // namespace tine
