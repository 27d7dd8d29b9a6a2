// Loops of the C interface. They are jobs of one type for all loops of a program, so what a loop learns belongs to its
// body. Any thread may call them.
#include <tine/c/par_for.h>
#include <tine/c/par_reduce.h>

#include "c/status_of.hpp"

#include <tine/detail/managed/iterations.hpp>
#include <tine/detail/managed/loop.hpp>

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>

namespace {

namespace base = tine::base;

using tine::detail::distance;
using tine::detail::learned_loop;
using tine::detail::run_loop;
using tine::detail::c::called;
using tine::detail::c::fail;
using tine::detail::c::refuse;
using tine::detail::c::status_of;

// --- what the loops of each body have learned ------------------------------------------------------------------------

struct learned_entry {
  base::atomic<std::uint64_t> body{0};  // its address; 0: the entry is free
  learned_loop learned;
};

/// Entries are taken and never freed. A program has few bodies; if it makes ever new ones, some share an entry, which
/// makes their first chunks too short or too long.
constexpr std::size_t entries = 512, most_probes = 8;
constinit std::array<learned_entry, entries> learned_entries;

template <class Body>
learned_loop& learned_by(Body* body) noexcept {
  const std::uint64_t key = base::to_word(body);
  std::size_t at = (key * 0x9E3779B97F4A7C15U) >> 55;
  static_assert(entries == 1U << (64 - 55));
  for (std::size_t probe = 0;; ++probe, at = (at + 1) % entries) {
    learned_entry& e = learned_entries[at];
    std::uint64_t found = e.body.load(base::relaxed);  // relaxed, here and below: what is learned is a hint
    if (found == 0 && e.body.compare_exchange_strong(found, key, base::relaxed, base::relaxed)) found = key;
    if (found == key || probe == most_probes) return e.learned;
  }
}

// --- the jobs --------------------------------------------------------------------------------------------------------

void require(int status) {
  if (status != tine_ok) [[unlikely]]
    fail(status);
}

std::int64_t index(std::int64_t first, std::uint64_t k) noexcept {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(first) + k);
}

struct iterations {
  tine_iteration body;
  void* data;
  std::int64_t first;

  void operator()(std::uint64_t begin, std::uint64_t end) const {
    for (std::uint64_t k = begin; k != end; ++k) require(called(body, data, index(first, k)));
  }
};

struct chunks {
  tine_chunk body;
  void* data;
  std::int64_t first;

  void operator()(std::uint64_t begin, std::uint64_t end) const {
    require(called(body, data, index(first, begin), index(first, end)));
  }
};

/// The job of a loop without a result.
template <class Kernel>
struct for_job {
  using result = tine::void_result;
  Kernel parts;
  learned_loop& learned;
  tine::sched::site place;

  result identity() const noexcept { return {}; }
  Kernel kept() const noexcept { return parts; }
  static void pass(const Kernel& k, result&, std::uint64_t begin, std::uint64_t end) { k(begin, end); }
  void add(result&, result&&) const noexcept {}
  learned_loop& own_learned() const noexcept { return learned; }
  tine::sched::site own_place() const noexcept { return place; }
};

template <class Kernel>
int run_for(std::int64_t begin, std::int64_t end, const Kernel& k, const void* place) {
  if (k.body == nullptr) return refuse("the body of the loop is a null pointer: give a function to call.");
  if (end <= begin) return tine_ok;
  return status_of([&] {
    for_job<Kernel> job{k, learned_by(k.body), base::to_word(place)};
    run_loop(job, distance(begin, end));
  });
}

/// The job of a loop with a result: a copy of the caller's bytes.
struct reduce_job {
  using result = std::unique_ptr<std::byte[]>;
  struct kernel {
    tine_fold fold;
    void* data;
    std::int64_t first;
  };
  kernel parts;
  tine_combine combine;
  const void* empty;
  std::size_t bytes;
  learned_loop& learned;
  tine::sched::site place;

  result identity() const {
    result copy{new std::byte[bytes]};
    std::memcpy(copy.get(), empty, bytes);
    return copy;
  }
  kernel kept() const noexcept { return parts; }
  static void pass(const kernel& k, const result& so_far, std::uint64_t begin, std::uint64_t end) {
    require(called(k.fold, k.data, index(k.first, begin), index(k.first, end), static_cast<void*>(so_far.get())));
  }
  void add(const result& so_far, const result& later) const {
    require(called(combine, parts.data, static_cast<void*>(so_far.get()), static_cast<const void*>(later.get())));
  }
  learned_loop& own_learned() const noexcept { return learned; }
  tine::sched::site own_place() const noexcept { return place; }
};

}  // namespace

int tine_par_for(int64_t begin, int64_t end, tine_iteration body, void* data) {
  return run_for(begin, end, iterations{body, data, begin}, __builtin_return_address(0));
}

int tine_par_for_chunks(int64_t begin, int64_t end, tine_chunk body, void* data) {
  return run_for(begin, end, chunks{body, data, begin}, __builtin_return_address(0));
}

int tine_par_reduce(int64_t begin, int64_t end, size_t size, const void* identity, void* result, tine_fold fold,
                    tine_combine combine, void* data) {
  if (identity == nullptr || result == nullptr || fold == nullptr || combine == nullptr)
    return refuse("tine_par_reduce: identity, result, fold or combine is a null pointer.");
  if (size == 0) return refuse("tine_par_reduce: the size of a value is 0: give sizeof of its type.");
  if (end <= begin) {
    std::memmove(result, identity, size);
    return tine_ok;
  }
  const tine::sched::site place = base::to_word(__builtin_return_address(0));
  return status_of([&] {
    reduce_job job{{fold, data, begin}, combine, identity, size, learned_by(fold), place};
    const reduce_job::result all = run_loop(job, distance(begin, end));
    std::memcpy(result, all.get(), size);
  });
}
