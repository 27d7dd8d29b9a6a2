// Colours of texts that a terminal shows. A text for a file or a pipe has none.
#pragma once

#include <string>
#include <string_view>

namespace tine::cli {

/// The reasons to colour a text.
enum class emphasis : unsigned char { none, heading, limit, error, worse, better, changed };

/// Sets the answer that `--color` gives for all streams: `always`, `never`, or `auto`, with which each palette asks its
/// stream.
void choose_colours(std::string_view when);

/// The colours of one stream. By default a palette adds nothing.
class palette {
 public:
  palette() = default;
  /// With `auto`, the palette of the stream `fd` has colours if the stream is a terminal, NO_COLOR is unset or empty,
  /// and TERM is not dumb.
  explicit palette(int fd);

  /// Returns `text` between the escape sequences that switch the colour on and off; `text` alone if the palette has no
  /// colours.
  std::string operator()(emphasis why, std::string_view text) const;

 private:
  bool has_colours_ = false;
};

/// Returns true if the stream `fd` is a terminal that obeys escape sequences.
bool obeys_escapes(int fd);

}  // namespace tine::cli
