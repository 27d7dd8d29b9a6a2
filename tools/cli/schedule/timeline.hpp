// A schedule as it ran: its strands in the order of their begins, and which of them led to which.
#pragma once

#include <tine/replay/schedule.hpp>

#include <cstdint>
#include <vector>

namespace tine::cli {

class timeline {
 public:
  enum class origin : unsigned char { region, branch, join };
  /// A part of the run that one worker ran from its begin to its end.
  struct strand {
    schedule::segment run;
    origin began_as = origin::region;
    std::uint32_t at = 0;  ///< the piece that it began with, or the step whose join it follows
  };

  enum class reason : unsigned char {
    forked,   ///< from the strand that forked to the one that began with a stolen or donated branch
    joined,   ///< from the strand that came to a join last to the one that follows the join
    awaited,  ///< from a strand that came to the join earlier
  };
  /// An arrow from one strand to another, by their positions in `strands`.
  struct arrow {
    std::uint32_t from, to;
    reason why;
  };

  explicit timeline(const schedule& of);

  /// Returns the strands, sorted by their stamps.
  const std::vector<strand>& strands() const noexcept { return strands_; }
  const std::vector<arrow>& arrows() const noexcept { return arrows_; }
  /// Returns the strand that the region began with.
  std::uint32_t root() const noexcept { return root_; }
  /// Return the strand that began with this piece, or with the continuation of this step's join; `nothing` if no strand
  /// did.
  std::uint32_t of_piece(std::uint32_t piece) const noexcept { return of_piece_[piece]; }
  std::uint32_t after_step(std::uint32_t step) const noexcept { return after_step_[step]; }

 private:
  void list_strands(const schedule& of);

  std::vector<strand> strands_;
  std::vector<arrow> arrows_;
  std::vector<std::uint32_t> of_piece_, after_step_;
  std::uint32_t root_ = 0;
};

/// Returns the time at which an arrow leaves its strand, in nanoseconds. A branch is forked while the strand runs, at
/// the latest when it ends.
std::uint64_t leaves_at(const timeline& of, const timeline::arrow& a);

}  // namespace tine::cli
