// Tests of the allocation hook, preloaded into child processes of this program: it counts every way to allocate to the
// byte, from before main on, on any thread; and nothing breaks in a process without the hook.
#include "augment/space_listener.hpp"

#include "unit/run_child.hpp"

#include <dlfcn.h>
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>
#include <atomic>
#include <doctest/doctest.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace {

using tine::detail::listen_to_space;
using tine::detail::space_hook;
using tine::test::child_body;
using tine::test::child_end;
using tine::test::claim;
using tine::test::run_child;

std::atomic<std::int64_t> held{0}, calls{0};

/// Keeps the compiler from removing an allocation, and from knowing a size or what happened to a block.
template <class T>
T kept(T word) {
  asm volatile("" : "+r"(word)::"memory");
  return word;
}

void count(std::int64_t bytes) noexcept {
  held.fetch_add(bytes, std::memory_order_relaxed);
  calls.fetch_add(1, std::memory_order_relaxed);
}

void count_and_allocate(std::int64_t bytes) noexcept {
  count(bytes);
  std::free(kept(std::malloc(100)));
  errno = 12345;
}

std::int64_t usable(void* block) { return static_cast<std::int64_t>(malloc_usable_size(block)); }

/// Claims that the bytes held are the bytes of this block, and frees it with `end`.
template <class End>
void claim_block(void* block, const char* what, End end) {
  claim(block != nullptr && held.load(std::memory_order_relaxed) == usable(block), what);
  end(block);
  claim(held.load(std::memory_order_relaxed) == 0, "all that is freed is counted");
}

void claim_heard() { claim(listen_to_space(count) == space_hook::listening, "the hook is there"); }

const child_body every_way{"every way to allocate", [] {
                             claim_heard();
                             const auto by_free = [](void* b) { std::free(b); };
                             claim_block(kept(std::malloc(1000)), "malloc", by_free);
                             claim_block(kept(std::calloc(10, 100)), "calloc", by_free);
                             claim_block(kept(std::realloc(nullptr, 1000)), "realloc of nothing", by_free);
                             claim_block(kept(std::realloc(std::malloc(10), 5000)), "realloc to more", by_free);
                             claim_block(kept(std::realloc(std::malloc(5000), 10)), "realloc to less", by_free);
                             claim_block(kept(reallocarray(nullptr, 10, 100)), "reallocarray", by_free);
                             claim_block(kept(std::aligned_alloc(256, 1024)), "aligned_alloc", by_free);
                             claim_block(kept(memalign(256, 1000)), "memalign", by_free);
                             claim_block(kept(valloc(1000)), "valloc", by_free);
                             claim_block(kept(pvalloc(1000)), "pvalloc", by_free);
                             void* aligned = nullptr;
                             claim(posix_memalign(&aligned, 4096, 1000) == 0, "posix_memalign gives");
                             claim_block(kept(aligned), "posix_memalign", by_free);
                             claim_block(kept(::operator new(1000)), "new", [](void* b) { ::operator delete(b); });
                             claim_block(kept(::operator new(1000, std::align_val_t{128})), "new, aligned",
                                         [](void* b) { ::operator delete(b, std::align_val_t{128}); });
                             claim_block(kept(std::malloc(1 << 24)), "malloc of much", by_free);
                           }};

const child_body failures{"failures", [] {
                            claim_heard();
                            const auto too_much = kept(std::size_t{PTRDIFF_MAX});
                            errno = 0;
                            claim(kept(std::malloc(too_much)) == nullptr && errno == ENOMEM, "malloc fails");
                            const auto wraps = kept(SIZE_MAX / 4 + 2);  // times 4 wraps around to 4 in a word
                            claim(kept(std::calloc(wraps, 4)) == nullptr, "calloc fails");
                            claim(kept(reallocarray(nullptr, wraps, 4)) == nullptr, "reallocarray fails");
                            void* const block = kept(std::malloc(100));
                            claim(kept(std::realloc(kept(block), too_much)) == nullptr, "realloc fails");
                            claim(held.load(std::memory_order_relaxed) == usable(block),
                                  "a failed realloc leaves the block");
                            claim(kept(std::realloc(kept(block), 0)) == nullptr, "realloc to nothing frees");
                            claim(held.load(std::memory_order_relaxed) == 0, "which is counted");
                            void* none = nullptr;
                            claim(posix_memalign(&none, 3, 8) == EINVAL, "an alignment that is none");
                            std::free(nullptr);
                            claim(held.load(std::memory_order_relaxed) == 0, "nothing is nothing");
                          }};

const child_body listener_allocates{
    "a listener that allocates", [] {
      claim(listen_to_space(count_and_allocate) == space_hook::listening, "the hook is there");
      errno = 7;
      void* const block = kept(std::malloc(1000));
      claim(errno == 7, "errno is the program's");
      claim(calls.load(std::memory_order_relaxed) == 1, "its own allocations are not told");
      std::free(block);
      claim(calls.load(std::memory_order_relaxed) == 2, "the next one is");
      claim(held.load(std::memory_order_relaxed) == 0, "and counted right");
      claim(listen_to_space(nullptr) == space_hook::listening, "the hook is still there");
      std::free(kept(std::malloc(1000)));
      claim(calls.load(std::memory_order_relaxed) == 2, "the listener is not called any more");
    }};

const child_body threads{"threads", [] {
                           const auto work = [] {
                             for (std::size_t i = 1; i < 2'000; ++i) std::free(kept(std::malloc(i)));
                           };
                           std::thread before{work};
                           claim_heard();
                           {
                             std::thread one{work}, two{work};
                             one.join();
                             two.join();
                           }
                           before.join();
                           listen_to_space(nullptr);
                           claim(calls.load(std::memory_order_relaxed) >= 4 * 1'999, "every thread is heard");
                         }};

const child_body after_fork{"after fork", [] {
                              claim_heard();
                              const pid_t child = fork();
                              if (child == 0) {  // the child has inherited the listener
                                const std::int64_t before = held.load(std::memory_order_relaxed);
                                void* const block = kept(std::malloc(1000));
                                _exit(held.load(std::memory_order_relaxed) - before == usable(block) &&
                                              listen_to_space(count) == space_hook::foreign
                                          ? 0
                                          : 1);
                              }
                              int status = 0;
                              waitpid(child, &status, 0);
                              claim(WIFEXITED(status) && WEXITSTATUS(status) == 0,
                                    "a child counts for itself and leaves the word alone");
                            }};

const child_body without_listener{"no listener", [] {
                                    claim(listen_to_space(count) == space_hook::absent, "there is no hook");
                                    std::free(kept(std::malloc(1000)));
                                    claim(calls.load(std::memory_order_relaxed) == 0, "no listener is called");
                                  }};

const child_body other_listener{
    "another listener", [] {
      static long word = 7;
      const std::string address = [] {
        char text[32];
        std::snprintf(text, sizeof text, "%llx",
                      static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(&word)));
        return std::string{text};
      }();
      const std::string here = std::to_string(getpid());
      for (const std::string& text :
           {here + ":" + address, here + ":10", here + ":0", "1:" + address, here, here + ":", here + ":xyz",
            std::string{":"}, std::string{}, here + ":ffffffffffffffffff", "99999999999999999999:" + address}) {
        setenv("TINE_SPACE_LISTENER", text.c_str(), 1);
        claim(listen_to_space(count) == space_hook::foreign, "what is not the hook's is not touched");
      }
      claim(word == 7, "indeed");
    }};

#ifdef TINE_SPACE_HOOK

const child_body late{"a hook that comes too late", [] {
                        // as with a sanitizer: the hook is loaded, but malloc is not the hook's
                        claim(dlopen(TINE_SPACE_HOOK, RTLD_NOW) != nullptr, "it can be loaded");
                        claim(listen_to_space(count) == space_hook::bypassed, "that is noticed");
                        std::free(kept(std::malloc(1000)));
                        claim(calls.load(std::memory_order_relaxed) == 0, "no listener is called");
                      }};

}  // namespace

TEST_CASE("the hook counts to the byte") {
  for (const char* body : {"every way to allocate", "failures", "a listener that allocates", "threads", "after fork"}) {
    const child_end end = run_child(body, {{"LD_PRELOAD", TINE_SPACE_HOOK}});
    INFO(body << ": " << end.said);
    CHECK(end.exited_with(0));
  }
}

TEST_CASE("a hook that does not hear the program's malloc says so") {
  const child_end end = run_child("a hook that comes too late");
  INFO(end.said);
  CHECK(end.exited_with(0));
}

TEST_CASE("the hook serves a dlsym that allocates while it searches for it") {
  const child_end end = run_child("every way to allocate", {{"LD_PRELOAD", TINE_SPACE_HOOK ":" TINE_ALLOCATING_DLSYM}});
  INFO(end.said);
  CHECK(end.exited_with(0));
}

TEST_CASE("the hook is harmless in programs without tine") {
  const std::string shell = "LD_PRELOAD=" TINE_SPACE_HOOK " sh -c 'ls / | sort | wc -l' > /dev/null";
  CHECK(std::system(shell.c_str()) == 0);
}

#else
}  // namespace
#endif

TEST_CASE("without the hook nothing happens") {
  for (const char* body : {"no listener", "another listener"}) {
    const child_end end = run_child(body);
    INFO(body << ": " << end.said);
    CHECK(end.exited_with(0));
  }
}
