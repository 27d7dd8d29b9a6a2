// Algorithms that move items in their range lose none of them if they end early, by a stop request, an exception of a
// comparison or a lack of memory. Moves that don't say that they can't throw are no reason to lose items.
#include <tine/algo.hpp>

#include <cstdlib>
#include <new>

#include "unit/algo/with_exceptions.hpp"

namespace {

/// The number of large allocations before one that fails; below 0: none does.
std::atomic<long> allocations_left{-1};

}  // namespace

#if !TINE_TSAN  // ThreadSanitizer has its own operator new, so no allocation fails there
namespace {

void* allocated(std::size_t bytes, std::size_t alignment) {
  if (bytes >= tine::test::loose::big && allocations_left >= 0 && allocations_left-- == 0) throw std::bad_alloc{};
  void* memory = nullptr;
  if (posix_memalign(&memory, std::max(alignment, sizeof(void*)), bytes) != 0) throw std::bad_alloc{};
  return memory;
}
// Not inlined, or g++ warns of a free for what operator new has returned.
[[gnu::noinline]] void released(void* memory) noexcept { std::free(memory); }

}  // namespace

void* operator new(std::size_t bytes) { return allocated(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t a) { return allocated(bytes, static_cast<std::size_t>(a)); }
void operator delete(void* memory) noexcept { released(memory); }
void operator delete(void* memory, std::size_t) noexcept { released(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { released(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { released(memory); }
#endif

namespace {

using namespace tine::test;

struct change {
  const char* name;
  std::function<void(std::vector<loose>&, watched_less)> run;
  std::size_t n = 2001;
};

const std::vector<change> changes{
    {"rotate by few", [](auto& v, auto) { tine::rotate(v, v.begin() + 20); }},
    {"rotate", [](auto& v, auto) { tine::rotate(v, v.begin() + 200); }},
    {"rotate to the right", [](auto& v, auto) { tine::rotate(v, v.end() - 240); }},
    {"rotate by many", [](auto& v, auto) { tine::rotate(v, v.begin() + 900); }},
    {"reverse", [](auto& v, auto) { tine::reverse(v); }},
    {"sort",
     [](auto& v, auto less) {
       tine::reverse(v.begin() + 100, v.end());
       tine::sort(v, less);
     }},
    {"stable_sort",
     [](auto& v, auto less) {
       tine::reverse(v.begin() + 100, v.end());
       tine::stable_sort(v, less);
     }},
    {"partial_sort", [](auto& v, auto less) { tine::partial_sort(v, v.end() - 20, less); }},
    {"nth_element", [](auto& v, auto less) { tine::nth_element(v, v.begin() + 1500, less); }},
    {"partition",
     [](auto& v, auto less) { tine::partition(v, [&](auto& i) { return i.key() % 3 == 0 && !less(i, i); }); }},
    {"stable_partition",
     [](auto& v, auto less) { tine::stable_partition(v, [&](auto& i) { return i.key() % 3 == 0 && !less(i, i); }); }},
    {"inplace_merge",
     [](auto& v, auto less) {
       tine::rotate(v, v.begin() + 700);
       tine::inplace_merge(v, v.end() - 700, less);
     }},
    {"integer_sort", [](auto& v, auto) { tine::integer_sort(v, [](auto& i) { return (i.key() * 7) & 1023; }); }},
    {"remove_if",
     [](auto& v, auto less) { tine::remove_if(v, [&](auto& i) { return !stays(i.key()) || less(i, i); }); }, 80'001},
    {"unique",
     [](auto& v, auto less) {
       tine::unique(v, [&](auto& a, auto& b) { return (a.key() ^ b.key()) == 63 || less(a, a); });
     },
     80'001},
};

TEST_CASE("no item is lost if an algorithm ends early, although its moves don't say that they can't throw") {
  all_pools().front().run([] {
    for (const auto way : {loose::way::empties, loose::way::copies, loose::way::allocates}) {
      if (TINE_TSAN && way != loose::way::empties) continue;  // it looks for races, which are the same in each
      loose::moves = way;
      for (const change& c : changes) {
        CAPTURE(static_cast<int>(way));
        CAPTURE(std::string{c.name});
        const bool drops = c.n != 2001;
        const auto n = static_cast<long>(c.n);
        const auto run = [&](std::vector<loose>& items, const std::function<void()>& on_call) {
          try {
            c.run(items, watched_less{&on_call});
          } catch (const std::exception&) {
            return true;
          }
          return false;
        };
        check_stops(
            c.n, {1, n / 9, n / 2, n - 100, 2 * n}, [&](auto& items) { c.run(items, watched_less{&nothing}); }, drops);
        for (const long at : {1L, n / 3, n - 300, 3 * n}) {
          std::atomic<long> left{at};
          check_that_none_is_lost(c.n, drops, [&](auto& items) {
            run(items, [&left] {
              if (left.fetch_sub(1) == 1) throw std::runtime_error{"comparison"};
            });
          });
        }
        if (drops && way == loose::way::allocates) continue;  // moves that really throw lose items there
        bool failed = true;
        for (long at = 0; failed && at < 100; at += 1 + at / 4) {
          check_that_none_is_lost(c.n, drops, [&](auto& items) {
            allocations_left = at;
            failed = run(items, nothing);
            allocations_left = -1;
          });
        }
      }
    }
    loose::moves = loose::way::empties;
  });
}

}  // namespace
