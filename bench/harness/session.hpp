// The measured runs of one variant in this process.
#pragma once

#include "harness/command_line.hpp"
#include "harness/program.hpp"
#include "harness/runtime.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace bench {

/// The results of the runs so far.
struct result {
  std::vector<double> seconds;
  value answer;
  std::string mistake;  ///< of the first wrong answer; empty while all were right
  event_counts counts;
  std::int64_t base_rss_kib = 0;  ///< peak memory with the inputs made and before the workers started

  bool verified() const { return mistake.empty(); }
};

/// A runtime with its workers, and the runs made on it. Every pass of every run is checked, including the unmeasured pass.
class session {
 public:
  /// Starts the workers and makes one unmeasured pass, which touches all memory and wakes all workers. Both arguments must outlive
  /// the session.
  session(const program& program, const request& request);

  /// Makes one measured run and returns its seconds.
  double run();

  /// Prints "ready", then makes one measured run for each line read and prints its seconds. So another process can alternate the
  /// runs of several sessions.
  void serve(std::istream& orders, std::ostream& out);

  result results() const;

 private:
  std::int64_t make_inputs() const;
  double pass_and_examine();

  const program& program_;
  const variant& variant_;
  const int passes_;
  const std::int64_t base_rss_kib_;
  std::unique_ptr<runtime> runtime_;
  result result_;
};

}  // namespace bench
