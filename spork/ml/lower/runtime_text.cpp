// The functions on strings that need loops of their own.
#include "ml/lower/runtime_text.hpp"

namespace tine::ml::lower {

// Strings end in a cell with at least one zero byte, and all bytes behind their end are zero. So two strings are equal
// if their cells are, and a string's cells are read without a look at its length.
const char* const runtime_text = R"(
fun ml.string_equal(a: ptr, b: ptr) -> (i64) {
  block entry {
    n = load i64 a
    m = load i64 b
    last = (n >> 3) + 1
    if n == m then start else different
  }
  block start { goto head(1) }
  block head(i: i64) {
    x = load i64 a[i]
    y = load i64 b[i]
    if x == y then same else different
  }
  block same { if i < last then next else equal }
  block next { goto head(i + 1) }
  block equal { return (1) }
  block different { return (0) }
}

fun ml.string_compare(a: ptr, b: ptr) -> (i64) {
  block entry {
    n = load i64 a
    m = load i64 b
    least = select(n < m, n, m)
    goto head(0)
  }
  block head(i: i64) { if i < least then look else short }
  block look {
    x = load8 a[i + 8]
    y = load8 b[i + 8]
    if x == y then next else differ
  }
  block next { goto head(i + 1) }
  block differ { return (x - y) }
  block short { return (n - m) }
}

fun ml.copy(to: ptr, at: i64, from: ptr, first: i64, n: i64) -> (i64) {
  block entry { goto head(0) }
  block head(i: i64) { if i < n then move else done }
  block move {
    store8 to[at + i], load8 from[first + i]
    goto head(i + 1)
  }
  block done { return (0) }
}

fun main() { block entry { return } }
)";

}  // namespace tine::ml::lower
