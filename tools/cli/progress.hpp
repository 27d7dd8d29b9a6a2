// A line on the terminal that shows how far long work is.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace tine::cli {

/// Shows its line on standard error from half a second after its construction until its destruction, which removes the
/// line. If standard error is no terminal that obeys escape sequences, the object does nothing. One object exists at a
/// time.
class progress {
 public:
  /// `work` says what is done, as "reading app.profile"; `steps` is the plural of its steps, empty if they are not
  /// counted; `of` is their number, 0 if it is unknown.
  explicit progress(std::string work, std::string steps = {}, std::size_t of = 0);
  ~progress();
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  /// Sets the number of steps that are done. It costs one store, so that each step may call it.
  void done(std::size_t steps) noexcept;

 private:
  class line;
  std::unique_ptr<line> line_;  ///< null if nothing is shown
};

}  // namespace tine::cli
