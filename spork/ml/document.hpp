// Documents: texts with places where a line may break, and the algorithm that chooses the breaks. Only one thread uses
// a document.
//
// The operations are those of Wadler 2003. The layout is that of Lindig 2000, which needs no laziness: a group is
// written on one line if it fits, and the enclosing groups are decided first. Beyond both, each part knows its width on
// one line when it is made (as in Oppen 1980), so that a group that is too wide costs nothing; a group that may fit
// costs at most a line's characters. So the time is linear in the document, for a given width.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace tine::ml {

class document {
 public:
  /// A part of this document. A part may stand in several places.
  using part = std::uint32_t;
  static constexpr part nothing = 0;

  document() { add({kind::text}); }

  /// Adds a text, which must live as long as the document. It may have line breaks, which are kept as they are.
  part text(std::string_view t);
  /// Adds a text like `text`; lines of it that begin in a column behind `column`, where it stood, keep their distance
  /// from its first line.
  part comment(std::string_view t, std::size_t column);
  /// A place for a line break; a space in a group that fits on its line.
  part line() { return add({.is = kind::line, .width = 1}); }
  /// A line break in each layout, with an empty line before the next one if `blank`.
  part hard(bool blank) { return add({.is = kind::hard, .width = infinite, .number = blank ? 2U : 1U}); }
  part join(part a, part b);
  part join(std::initializer_list<part> all);
  /// Lines that begin in `inside` are `columns` further right.
  part nest(std::uint32_t columns, part inside) { return wrap(kind::nest, inside, columns); }
  /// Lines that begin in `inside` begin in the column where it begins.
  part align(part inside) { return wrap(kind::align, inside, 0); }
  /// Writes `inside` on one line if that fits; otherwise all of its lines break that are in no inner group.
  part group(part inside) { return wrap(kind::group, inside, 0); }
  /// Writes `inside` on one line, whether it fits or not.
  part flat(part inside) { return wrap(kind::flat, inside, 0); }
  /// Writes `lines`, whose first line has `first` columns, if that line fits; otherwise `otherwise`. Both have several
  /// lines.
  part choose(part lines, std::uint32_t first, part otherwise);

  /// Returns true if the part has more than one line in each layout.
  bool breaks(part p) const { return parts_[p].width == infinite; }
  /// Returns true if the part is a line break made by `hard`, and nothing else.
  bool is_break(part p) const { return parts_[p].is == kind::hard; }
  /// Returns the columns that a part takes on one line.
  std::uint32_t width(part p) const { return parts_[p].width; }

  /// Returns the text of a part, with lines of at most `columns` characters where that is possible.
  std::string layout(part whole, std::size_t columns) const;

 private:
  friend class document_layout;
  enum class kind : std::uint8_t { text, comment, line, hard, join, nest, align, group, flat, choose };
  static constexpr std::uint32_t infinite = 1U << 30;
  struct node {
    kind is;
    std::uint32_t width = 0;  // on one line; `infinite` if it has several
    part a = 0, b = 0;        // the parts inside
    std::uint32_t number =
        0;  // nest: columns; hard: line breaks; comment: its column; choose: columns of the first line
    std::string_view text = {};
  };

  part add(node n) {
    parts_.push_back(n);
    return static_cast<part>(parts_.size() - 1);
  }
  part wrap(kind is, part inside, std::uint32_t number);

  std::vector<node> parts_;
};

/// Returns the number of characters of a text in UTF-8.
std::size_t characters(std::string_view text);

}  // namespace tine::ml
