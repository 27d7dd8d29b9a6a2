// The steal tree of a region while it is written. Every function is called under the lock of strand_writer. If the tree
// has a journal, everything goes there at once.
#pragma once

#include "replay/journal_file.hpp"

#include <tine/base/ticks.hpp>
#include <tine/replay/schedule.hpp>

#include <deque>
#include <map>
#include <vector>

namespace tine::detail {

/// A segment, in ticks.
struct segment_builder {
  int owner = schedule::no_worker;
  std::uint32_t stamp = 0;
  base::ticks begin = 0, end = 0;
  journal_event* event = nullptr;  ///< its event in the journal; null: none

  /// Called by the strand in this segment when it ends or waits.
  void end_at(base::ticks now) noexcept {
    end = now;
    if (event != nullptr) event->end_ns = event->begin_ns + (now > begin ? base::to_nanoseconds(now - begin) : 0);
  }
};

struct node_builder;

struct piece_builder {
  segment_builder run;
  node_builder* node = nullptr;
};

struct step_builder {
  std::uint32_t number;
  schedule::kind what;
  std::uint64_t count;
  segment_builder after;
  std::map<std::uint64_t, piece_builder> pieces;  ///< by where they begin
  std::uint32_t id = 0;                           ///< its place among the steps of the tree
  bool is_hinted = false;                         ///< the program names workers for its parts
};

struct node_builder {
  std::vector<step_builder*> steps;
  std::uint32_t id = 0;  ///< its place among the nodes of the tree
};

/// The whole tree. Its nodes, steps and pieces keep their addresses.
class tree_builder {
 public:
  node_builder& root() noexcept { return nodes_.front(); }
  segment_builder& root_segment() noexcept { return root_; }
  void write_to(const journal_root& j) noexcept { journal_ = j; }

  step_builder& add_step(node_builder& to, std::uint32_t number, schedule::kind what, std::uint64_t count);
  /// Returns the node of the piece of `s` at `begin`, and makes it if there is none.
  node_builder& node_of(step_builder& s, std::uint64_t begin);

  /// The region's strand starts on worker `owner`; `e` describes the root in the journal.
  void begin_root(unsigned owner, base::ticks now, journal_event e);
  /// A strand starts with the piece of `s` at `begin`, or continues after the join of `s`. Returns its segment.
  segment_builder* begin_piece(step_builder& s, std::uint64_t begin, unsigned owner, base::ticks now);
  segment_builder* begin_after(step_builder& s, unsigned owner, base::ticks now);
  /// Notes in the journal that the piece of `s` at `begin` will run on worker `owner`.
  void note_placed(step_builder& s, std::uint64_t begin, int owner);
  /// The region has ended; `e` describes its end in the journal.
  void end_root(journal_event e);

  std::uint32_t next_stamp() const noexcept { return next_stamp_; }
  bool has_journal() const noexcept { return journal_.file != nullptr; }

  /// Returns the tree as a value, for a region that started at `began` in a pool of `workers` workers.
  schedule finished(unsigned workers, base::ticks began) const;
  /// Says for each step of that value if the program names workers for its parts.
  std::vector<bool> hinted() const;
  /// As `finished`, for a tree that was read from a journal, in which times are nanoseconds since the region started.
  schedule finished_ns(unsigned workers) const;

 private:
  schedule laid_out(unsigned workers, base::ticks began, bool in_ns) const;
  void stamp(segment_builder& s, unsigned owner, base::ticks now, journal_event e);
  journal_event* write(journal_event e) noexcept;

  std::deque<node_builder> nodes_{1};
  std::deque<step_builder> steps_;
  segment_builder root_;
  std::uint32_t next_stamp_ = 0;
  base::ticks began_ = 0;
  journal_root journal_{nullptr, 0};
};

}  // namespace tine::detail
