// The floating-point environment of a thread (<cfenv>): its control words say how to round, how to treat denormal
// numbers, and whether exceptions trap; beside them it has sticky flags.
// docs/internals/decisions/056-the-floating-point-environment-of-a-branch.md says what a strand does with them. The
// files in arch/ define for their architecture
//
// - `fp_words`: the control words in at most 20 bits; 0 is the state in which a process starts.
// - `fp_control()`: returns those of the calling thread.
// - `fp_flags()`: returns the sticky flags of the calling thread, in at most 6 bits.
// - `enter_fp(words, flags)`: gives the calling thread these words and flags.
// - `raise_fp(flags)`: sets these flags, too, in the calling thread.
// - `enter_interrupted_fp(where)`: a signal handler gets the words of the code that it has interrupted. The kernel
//   restores that code's environment when the handler returns.
// - `jump_keeps_fp`: true if jump_fcontext saves and restores words and flags.
// - `fold_fp_flags()`: moves the flags that jump_fcontext doesn't save to where it does.
#pragma once

#include "base/interrupted.hpp"

namespace tine::base {

using interrupted::enter_fp;
using interrupted::enter_interrupted_fp;
using interrupted::fold_fp_flags;
using interrupted::fp_control;
using interrupted::fp_flags;
using interrupted::fp_words;
using interrupted::jump_keeps_fp;
using interrupted::raise_fp;

/// Gives the calling thread the words with which a process starts, and no flags. Returns the flags that it had.
inline unsigned leave_fp() noexcept {
  const unsigned flags = fp_flags();
  enter_fp(0, 0);
  return flags;
}

/// While it lives, the calling strand has these words. Flags that are raised stay.
class fp_under {
 public:
  explicit fp_under(fp_words words) noexcept : before_{fp_control()} {
    if (words != before_) enter_fp(words, fp_flags());
  }
  ~fp_under() {
    if (fp_control() != before_) enter_fp(before_, fp_flags());
  }
  fp_under(const fp_under&) = delete;
  fp_under& operator=(const fp_under&) = delete;

 private:
  const fp_words before_;
};

/// While it lives, the calling thread has the words with which a process starts. For code of ours that computes with
/// fractions on a strand of the program: it neither traps there nor raises flags.
class default_fp_environment {
 public:
  default_fp_environment() noexcept : words_{fp_control()}, flags_{leave_fp()} {}
  ~default_fp_environment() { enter_fp(words_, flags_); }
  default_fp_environment(const default_fp_environment&) = delete;
  default_fp_environment& operator=(const default_fp_environment&) = delete;

 private:
  const fp_words words_;
  const unsigned flags_;
};

}  // namespace tine::base
