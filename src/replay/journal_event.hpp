// The bytes of a journal: a header, and events of one size, which a recording appends to the file
// (docs/reference/schedule-format.md).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace tine::detail {

static_assert(std::endian::native == std::endian::little, "a journal is written as it lies in memory");

inline constexpr char journal_magic[8] = {'t', 'i', 'n', 'e', 'j', 'r', 'n', 'l'};
inline constexpr std::uint32_t journal_version = 1;
/// The most pools with NUMA nodes of their own in a journal. The nodes of more pools are not recorded.
inline constexpr std::size_t journal_most_pools = 1000;

/// How a journal's run was ordered.
enum class journal_run : std::uint32_t {
  free = 0,       ///< as the program ran by itself
  perturbed = 1,  ///< by `tine perturb`: one strand at a time
  replayed = 2,   ///< a replay that was recorded
};

struct journal_header {
  char magic[8];
  std::uint32_t version;
  std::uint32_t event_bytes;
  std::uint64_t program;  ///< the shape key; 0: unknown
  std::uint64_t process;
  std::uint32_t run;
  std::uint32_t is_full;  ///< 1: the recording stopped at the largest size of the file, or because the disk was full
  std::uint64_t seed;     ///< of a perturbed run
  std::uint64_t unused[2];
};

enum class journal_kind : std::uint32_t {
  root =
      1,  ///< a: its thread of origin, or `submitted_origin`; b: its number among that origin's roots; c: workers, and in the upper half
          ///< the number of their NUMA nodes in the journal; a strand
  step =
      2,  ///< a: the node; b: number, and the kind in the upper half; c: iterations. Its id is its place among the root's steps
  node = 3,  ///< a: the step; b: the begin of the piece. Its id is its place among the root's nodes; the root is node 0
  begin = 4,     ///< a: the step; b: the begin of the piece; a strand
  after = 5,     ///< a: the step; a strand
  placed = 6,    ///< a: the step; b: the begin of the piece; its worker: the strand has not begun yet
  root_end = 7,  ///< a: the number of forks, loops and runs of the root's first node; b: 1 if the root threw
  numa =
      8,  ///< a: the number, from 1, of the NUMA nodes of a pool; b: a worker, and in the upper half how many from there on; c: their node
};

inline constexpr std::uint64_t submitted_origin = ~std::uint64_t{0};

struct journal_event {
  std::uint64_t check = 0;  ///< written last
  journal_kind kind{};
  std::uint32_t root = 0;  ///< the number of the root in the journal
  std::uint64_t a = 0, b = 0, c = 0;
  std::int32_t owner = 0;
  std::uint32_t stamp = 0;
  std::uint64_t begin_ns = 0;
  std::uint64_t end_ns =
      0;  ///< written when the strand ends or waits; not part of the check. 0: the strand has not ended
};

static_assert(sizeof(journal_header) == 64 && sizeof(journal_event) == 64);

/// Returns the check of an event, which is the event number `index` of the file. It is never 0.
constexpr std::uint64_t check_of(const journal_event& e, std::uint64_t index) noexcept {
  std::uint64_t h = 0x74696e65 + index;
  const auto mix = [&h](std::uint64_t word) {
    h = (h ^ word) * 0x9e3779b97f4a7c15;
    h ^= h >> 32;
  };
  mix(static_cast<std::uint64_t>(e.kind) | std::uint64_t{e.root} << 32);
  mix(e.a);
  mix(e.b);
  mix(e.c);
  mix(static_cast<std::uint32_t>(e.owner) | std::uint64_t{e.stamp} << 32);
  mix(e.begin_ns);
  return h | 1;
}

}  // namespace tine::detail
