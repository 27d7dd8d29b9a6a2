// The walks through stacks that this thread has made before. Programs fork in loops and recursions, so most walks
// repeat an earlier one. Each thread has its own.
#pragma once

#include "augment/frame_rule.hpp"

#include <tine/detail/base/macros.hpp>
#include <tine/detail/sched/observer.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace tine::detail {

/// A walk from a fork to its site, with the words that it has read, in their order. Its registers and these words
/// decide where it goes. So if a walk starts in the same way and all words are the same, it leads to the same site.
///
/// *Lemma.* We may compare the words, although some may belong to a stack that is gone. Reason: a word is compared only
/// if all before it are the same. Then a walk through the frames would read it, too.
///
/// Memory full of zeros is a walk that no other one repeats.
class known_walk {
 public:
  /// The arguments and the stack pointer of the function that starts the walk.
  struct start {
    std::uintptr_t stack_pointer;
    sched::site where, around;
    unsigned more;  ///< callers behind the program's first function
    bool operator==(const start&) const = default;
  };

  void begin() noexcept {
    from_ = {0, 0, 0, 0};
    count_ = 0;
    needs_register_ = false;
  }
  /// The walk depends on `value` at that address; 0: in the frame pointer's register.
  TINE_ALWAYS_INLINE void note(std::uintptr_t at, std::uintptr_t value) noexcept {
    if (at == 0) {
      frame_pointer_ = value;
      needs_register_ = true;
    } else {
      if (count_ < most_words) words_[count_] = {at, value};
      ++count_;
    }
  }
  /// The walk is known from now on, unless it was too long.
  void end(const start& from, sched::site found) noexcept {
    found_ = found;
    if (count_ > most_words) return;
    words_[count_] = {base::to_word(&from_.stack_pointer), 0};  // a search ends there: it is not 0
    from_ = from;
  }

  TINE_ALWAYS_INLINE bool leads_from(const start& from, std::uintptr_t frame_pointer) const noexcept {
    if (from_ != from || (needs_register_ && frame_pointer_ != frame_pointer)) return false;
    const word* w = words_.data();
    while (*base::from_word<const std::uintptr_t>(w->at) == w->value) ++w;
    return w == words_.data() + count_;
  }
  sched::site found() const noexcept { return found_; }

 private:
  static constexpr std::size_t most_words = 32;
  struct word {
    std::uintptr_t at, value;
  };

  start from_;  // 0: there is no walk here
  std::uintptr_t frame_pointer_;
  bool needs_register_;
  std::uint32_t count_;
  sched::site found_;
  std::array<word, most_words + 1> words_;
};

/// The walks whose starts have one hash. Those to two lines of a function that call a wrapper differ in words only.
struct walk_set {
  std::array<known_walk, 4> of;
  std::uint32_t newer;  ///< how often a walk has taken the place of the oldest one

  known_walk& oldest() noexcept { return of[newer++ % of.size()]; }
};
using known_walks = std::array<walk_set, 64>;
[[gnu::tls_model("initial-exec")]] extern constinit thread_local known_walks* walks_of_thread;  // null: none yet

/// Makes the thread's table. Returns null if there is no memory, or if the thread is about to end.
known_walks* make_walks() noexcept;

/// Returns the walks of this thread that may start so; null if there is no table.
inline walk_set* walks_like(const known_walk::start& from) noexcept {
  known_walks* all = walks_of_thread;
  if (all == nullptr) [[unlikely]] {
    all = make_walks();
    if (all == nullptr) return nullptr;
  }
  const std::uint64_t mixed = (from.stack_pointer ^ from.where) * 0x9e3779b97f4a7c15U;
  return &(*all)[(mixed >> 32) % all->size()];
}

}  // namespace tine::detail
