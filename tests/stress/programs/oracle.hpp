// The meaning of a program, without tine: it plays the parts one after the other, and errors are values.
#pragma once

#include "../text.hpp"
#include "tree.hpp"

#include <optional>

namespace tine::stress {

/// The number of runs of a recorded part: one that is recorded, and then replays of its schedule.
inline constexpr unsigned plays_of_record = 3;
inline constexpr text stopped_text{0x5742, 0x2545f4914f6cdd1d};
inline text mark(std::uint64_t h) { return letter(mix(h ^ 0x6d61726b)); }
inline text text_of_error(std::uint64_t number) { return letter(mix(number)); }
constexpr std::uint64_t child_of(std::uint64_t h, std::uint64_t i) { return mix(h + i * 0x1234567U + 1); }

struct answer {
  text value;                          ///< the value, if the program does not throw
  std::optional<std::uint64_t> error;  ///< the number of the error that it throws
  text seen;                           ///< the letters of its leaves in serial order, without those in other threads
};

/// Computes the answer of a program.
class oracle {
 public:
  static answer of(const tree& t, std::uint64_t h) {
    switch (t.what) {
      case op::leaf:
        return {letter(h), {}, letter(h)};
      case op::oops:
        return {{}, h, {}};
      case op::loop:
      case op::reduce:
        return loop(t, h);
      case op::deep:
        return deep(t, h, t.a);
      case op::guard:
        return guard(t, h);
      case op::task:
        return task(t, h);
      case op::pool:
      case op::thread:
        return elsewhere(t, h);
      case op::observe:
        return observe(t, h);
      case op::record:
        return record(t, h);
      case op::stop:
        return stop(t, h);
      case op::seq:
      case op::par:
      case op::spork:
      case op::calls:
      case op::still:
      case op::rounds:
      case op::count:
        break;
    }
    return all(t, h);
  }

 private:
  /// Appends the answer of the next part. Returns false if it throws.
  static bool append(answer& to, const answer& next) {
    to.seen = to.seen + next.seen;
    to.error = next.error;
    if (!next.error) to.value = to.value + next.value;
    return !next.error;
  }

  static answer all(const tree& t, std::uint64_t h) {
    answer sum;
    for (std::size_t i = 0; i < t.parts.size(); ++i) {
      if (!append(sum, of(t.parts[i], child_of(h, i)))) break;
    }
    return sum;
  }

  static answer loop(const tree& t, std::uint64_t h) {
    answer sum;
    for (unsigned i = 0; i < t.a; ++i) {
      if (!append(sum, of(t.parts[i % t.parts.size()], child_of(h, i)))) break;
    }
    return sum;
  }

  static answer deep(const tree& t, std::uint64_t h, unsigned levels) {
    if (levels == 0) return of(t.parts[0], h);
    answer sum = deep(t, child_of(h, 0), levels - 1);
    if (!sum.error) append(sum, {letter(h), {}, letter(h)});
    return sum;
  }

  static answer guard(const tree& t, std::uint64_t h) {
    const answer body = of(t.parts[0], child_of(h, 0));
    if (!body.error) return body;
    answer sum{text_of_error(*body.error), {}, body.seen};
    if (append(sum, of(t.parts[1], child_of(h, 1))) && t.a == 1) sum.error = body.error;
    return sum;
  }

  /// The error of a part becomes a value and does not leave its child, because the schedule decides which of several
  /// errors is heard. An error of the task itself, which joins its children first, is always heard.
  static answer task(const tree& t, std::uint64_t h) {
    answer sum;
    for (std::size_t i = 0; i < t.parts.size(); ++i) {
      answer part = of(t.parts[i], child_of(h, i));
      const bool may_throw = t.a == 4 && i + 1 == t.parts.size();
      if (part.error && !may_throw) part = {text_of_error(*part.error), {}, part.seen};
      append(sum, part);
    }
    return sum;
  }

  static answer elsewhere(const tree& t, std::uint64_t h) {
    answer inside = of(t.parts[0], child_of(h, 0));
    if (t.what == op::thread) inside.seen = {};
    return inside;
  }

  static answer observe(const tree& t, std::uint64_t h) {
    answer body = of(t.parts[0], child_of(h, 0));
    if (t.is_exact) body.value = body.value + mark(h) + body.seen;
    if (t.is_exact && t.a == 3) body.seen = body.seen + body.seen;  // it is played twice
    return body;
  }

  static answer record(const tree& t, std::uint64_t h) {
    answer sum;
    for (unsigned k = 0; k < plays_of_record; ++k) {
      if (!append(sum, of(t.parts[0], child_of(h, 0)))) break;
    }
    return sum;
  }

  static answer stop(const tree& t, std::uint64_t h) {
    if (t.a == 0) return of(t.parts[0], child_of(h, 0));
    return {stopped_text, {}, {}};
  }
};

}  // namespace tine::stress
