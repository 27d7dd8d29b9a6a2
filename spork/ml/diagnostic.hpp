// Errors and warnings about a program, and how they are shown.
#pragma once

#include "ml/source.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tine::ml {

/// Another place that explains an error.
struct note {
  span where;
  std::string message;
};

struct diagnostic {
  enum class severity : std::uint8_t { error, warning };

  severity is = severity::error;
  span where;
  std::string message;  ///< what is wrong, with the value; what is expected or what to do
  std::vector<note> notes;
};

/// The errors and warnings that the stages of the front end found in a program. One thread uses it at a time.
class diagnostics {
 public:
  /// Keeps at most `most` errors and as many warnings; further ones are only counted.
  explicit diagnostics(std::size_t most = 100) : most_{most} {}

  void error(span where, std::string message, std::vector<note> notes = {});
  void warn(span where, std::string message, std::vector<note> notes = {});

  std::size_t errors() const { return errors_; }
  std::size_t warnings() const { return warnings_; }
  bool has_errors() const { return errors_ != 0; }
  /// Returns true if further errors would not be shown, so that it is not worth looking for them.
  bool is_full() const { return errors_ >= most_; }
  /// Returns those that are kept, in the order in which they were found.
  const std::vector<diagnostic>& all() const { return all_; }
  /// Sorts by file and place; of several with the same place and severity, only the first is kept.
  void sort();

 private:
  std::size_t most_;
  std::size_t errors_ = 0, warnings_ = 0;
  std::vector<diagnostic> all_;
};

/// Returns `file:line:column: error: message` and the marked line for each diagnostic and note, and a last line with
/// the number of errors if some are not shown. `files` must contain every file that a span names.
std::string render(const diagnostics& all, const source_files& files);

/// Returns `text` for messages: in quotes, cut after 40 bytes, without bytes that a terminal obeys or that are not
/// UTF-8.
std::string quoted(std::string_view text);

}  // namespace tine::ml
