// Records chains of callers, and gives each a number that stands for a site. A mutex protects the chains.
#include "augment/callers.hpp"

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/macros.hpp>

#include <unwind.h>
#include <algorithm>
#include <array>
#include <map>
#include <mutex>

namespace tine::detail {
namespace {

/// A return address and those of its callers, innermost first; unused entries are 0.
using chain = std::array<std::uint64_t, most_callers + 1>;

/// Marks an index into the chains. No address has this bit, nor is it of_coroutine or of_halving.
constexpr sched::site numbered = sched::site{1} << 61;
static_assert((numbered & (sched::of_coroutine | sched::of_halving)) == 0);

struct chains {
  std::mutex lock;
  std::map<chain, sched::site> numbers;
  std::vector<chain> all;
};

/// Never destroyed, because threads fork until the process ends.
chains& all_chains() {
  static chains& c = *new chains;
  return c;
}

base::atomic<unsigned> wanted{0};

struct walk {
  std::span<std::uint64_t> found;  ///< its first address is where the chain begins
  std::size_t count = 0;           ///< number of addresses found; 0: the site is still further up
  unsigned frames_left = 40;       ///< a limit: tine's own frames lie between here and the site
};

_Unwind_Reason_Code on_frame(_Unwind_Context* at, void* into) {
  walk& w = *static_cast<walk*>(into);
  const auto address = static_cast<std::uint64_t>(_Unwind_GetIP(at));
  if (w.count != 0 || address == w.found[0]) w.found[w.count++] = address;
  return w.count < w.found.size() && --w.frames_left != 0 && address != 0 ? _URC_NO_REASON : _URC_END_OF_STACK;
}

}  // namespace

TINE_NOINLINE void find_callers(std::uint64_t from, std::span<std::uint64_t> into) noexcept {
  std::ranges::fill(into, 0);
  into[0] = from;
  walk w{.found = into};
  _Unwind_Backtrace(&on_frame, &w);
}

void record_callers(unsigned how_many) noexcept { wanted.store(std::min(how_many, most_callers), base::relaxed); }

TINE_NOINLINE sched::site site_with_callers(sched::site where) noexcept {
  const unsigned most = wanted.load(base::relaxed);  // relaxed: it was set before the first root
  // Above a coroutine is the frame of its driver, which is not its caller.
  if (most == 0 || (where & (sched::of_coroutine | sched::of_halving)) != 0) [[likely]]
    return where;
  chain found{};
  find_callers(where, std::span{found}.first(most + 1));
  chains& c = all_chains();
  const std::lock_guard guard{c.lock};
  const auto [at, is_new] = c.numbers.try_emplace(found, numbered | c.all.size());
  if (is_new) c.all.push_back(found);
  return at->second;
}

bool has_number(sched::site site) noexcept { return (site & numbered) != 0; }

sched::site address_of_site(sched::site site) noexcept {
  if (!has_number(site)) return site;
  chains& c = all_chains();
  const std::lock_guard guard{c.lock};
  return c.all[site & ~numbered][0];
}

std::vector<std::uint64_t> callers_of_site(sched::site site) {
  if (!has_number(site)) return {};
  chains& c = all_chains();
  const std::lock_guard guard{c.lock};
  const chain& all = c.all[site & ~numbered];
  return {all.begin() + 1, std::find(all.begin() + 1, all.end(), 0)};
}

}  // namespace tine::detail
