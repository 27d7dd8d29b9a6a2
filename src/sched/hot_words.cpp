// The hot words of every thread, with their values outside every pool: records are written to `unread_records`, and
// `limit` is 0, so that the first fork takes its slow path and finds that it is outside every pool.
#include <tine/detail/sched/shadow_stack.hpp>

namespace tine::sched {
namespace {

// A fork outside every pool writes its record before it tests the limit. It writes the record here. This memory is
// never read. All threads share it, because its address must be a constant.
alignas(base::cache_line) constinit std::byte unread_records[max_record_bytes]{};

}  // namespace

extern "C" {
#ifdef TINE_PORTABLE
// A portable library lacks the symbol `tine_hot`, so that no other program links with it.
TINE_API extern thread_local hot_words tine_hot asm("tine_portable_hot");
#endif
TINE_API __attribute__((used, tls_model("initial-exec"))) constinit thread_local hot_words tine_hot{
    unread_records, unread_records, nullptr, nullptr, 1, 0, 0, 0, nullptr, {}};
}

}  // namespace tine::sched

// Only a portable library has this function, so that a portable program links with no other.
#if defined(TINE_PORTABLE) || !(defined(__x86_64__) || defined(__aarch64__))
extern "C" TINE_API TINE_NOINLINE std::byte* tine_hot_block() noexcept {
  return tine::base::bytes_of(tine::sched::tine_hot);
}
#endif

#if TINE_TSAN
extern "C" void AnnotateBenignRaceSized(const char* file, int line, const volatile void* where, std::size_t bytes,
                                        const char* why);
namespace tine::sched {
[[gnu::constructor]] static void exempt_unread_records() {
  AnnotateBenignRaceSized(__FILE__, __LINE__, unread_records, sizeof unread_records,
                          "records written outside every pool, never read");
}
}  // namespace tine::sched
#endif
