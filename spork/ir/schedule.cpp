// The schedules.
#include "ir/schedule.hpp"

#include <charconv>
#include <deque>
#include <optional>
#include <random>
#include <stdexcept>
#include <utility>

namespace tine::spork {
namespace {

thread_id first_runnable(const semantics& rules, const pool& r) {
  // the newest first, because other threads wait for them
  for (auto t = static_cast<thread_id>(r.threads.size()); t-- > 0;) {
    if (rules.can_step(r, t)) return t;
  }
  throw std::logic_error{"no thread can run; the rules of the language are broken"};
}

constexpr std::size_t long_turn = 1000;

struct no_promotion : schedule {
  turn next(const semantics& rules, const pool& r) override { return {{first_runnable(rules, r), false}, long_turn}; }
};

// The threads that may be able to act, so that a schedule need not look at all threads. A thread that is found to wait,
// or to be finished, is dropped.
//
// Lemma: a thread that can act is among the candidates. Proof: it could act when it was added, or it waited. A new
// thread is added at the turn after its promotion. A thread waits only for its newest child. The child is finished by a
// step of its own, and is among the candidates then; when it is found to be finished, its parent is added.
class candidates {
 public:
  explicit candidates(const semantics& rules) : rules_{rules} {}

  /// After a promotion, adds the new child and then its parent. If there are no candidates, as at the first turn, adds
  /// a thread that can step.
  void update(const pool& r) {
    if (promoter_ != none) {
      add(r.threads[promoter_].children.back());
      add(std::exchange(promoter_, none));
    }
    if (waiting_.empty()) add(first_runnable(rules_, r));
  }
  std::size_t size() const { return waiting_.size(); }

  /// Takes out the thread at `place`, in constant time. Returns nothing if the thread cannot act.
  std::optional<thread_id> take(const pool& r, std::size_t place) {
    std::swap(waiting_[place], waiting_.front());
    const thread_id t = waiting_.front();
    waiting_.pop_front();
    known_[t] = false;
    if (r.threads[t].stack.empty()) return {};
    if (rules_.can_step(r, t) || rules_.promotable_frame(r, t)) return t;
    const bool waits = !r.threads[t].children.empty();
    if (!waits && r.threads[t].parent != none) add(r.threads[t].parent);
    return {};
  }
  /// Returns a turn in which thread `t` makes steps.
  turn step(thread_id t, std::size_t steps) {
    add(t);
    return {{t, false}, steps};
  }
  /// Returns a turn that promotes a spork of thread `t`, which is then added behind its new child.
  turn promote(thread_id t) {
    promoter_ = t;
    return {{t, true}, 1};
  }

 private:
  void add(thread_id t) {
    if (known_.size() <= t) known_.resize(t + 1);
    if (known_[t]) return;
    known_[t] = true;
    waiting_.push_back(t);
  }

  const semantics& rules_;
  std::deque<thread_id> waiting_;
  std::vector<bool> known_;
  thread_id promoter_ = none;
};

// Promotes every spork that it finds, and otherwise lets the threads make one step each in turn.
struct eager : schedule {
  turn next(const semantics& rules, const pool& r) override {
    if (!threads_) threads_.emplace(rules);
    for (;;) {
      threads_->update(r);
      const std::optional<thread_id> t = threads_->take(r, 0);
      if (!t) continue;
      return rules.promotable_frame(r, *t) ? threads_->promote(*t) : threads_->step(*t, 1);
    }
  }
  std::optional<candidates> threads_;
};

struct drawn : schedule {
  explicit drawn(std::uint64_t seed) : random_{seed} {}

  turn next(const semantics& rules, const pool& r) override {
    if (!threads_) threads_.emplace(rules);
    for (;;) {
      threads_->update(r);
      const std::optional<thread_id> t = threads_->take(r, random_() % threads_->size());
      if (!t) continue;
      const bool promotes = random_() % 4 == 0 && rules.promotable_frame(r, *t);
      if (promotes || !rules.can_step(r, *t)) return threads_->promote(*t);
      return threads_->step(*t, std::size_t{1} << (random_() % 8));
    }
  }
  std::mt19937_64 random_;
  std::optional<candidates> threads_;
};

[[noreturn]] void refuse(std::string_view what, const std::string& why) {
  throw std::invalid_argument{"--schedule: '" + std::string{what} + "' " + why};
}

std::optional<std::uint64_t> whole(std::string_view digits) {
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
  if (error != std::errc{} || end != digits.data() + digits.size()) return {};
  return n;
}

// Reads t3, t3:12 or t3!
turn read_turn(std::string_view word) {
  const auto wrong = [&] { refuse(word, "is no turn; write t0, t0:12 or t0!"); };
  if (!word.starts_with('t')) wrong();
  turn read;
  read.what.promotes = word.ends_with('!');
  std::string_view number = word.substr(1, word.size() - (read.what.promotes ? 2 : 1));
  if (const std::size_t colon = number.find(':'); colon != std::string_view::npos) {
    const auto steps = whole(number.substr(colon + 1));
    if (!steps || *steps == 0 || read.what.promotes) wrong();
    read.steps = *steps;
    number = number.substr(0, colon);
  }
  const auto t = whole(number);
  if (!t || *t >= none) wrong();
  read.what.by = static_cast<thread_id>(*t);
  return read;
}

struct scripted : schedule {
  explicit scripted(std::string_view text) {
    if (const std::size_t open = text.find('('); open != std::string_view::npos) {
      if (!text.ends_with(')'))
        refuse(text, "has a '(' and does not end with ')'; only the last turns can be repeated");
      read(text.substr(0, open));
      again_ = turns_.size();
      text = text.substr(open + 1, text.size() - open - 2);
      if (text.find_first_not_of(' ') == std::string_view::npos) refuse("()", "repeats nothing; write turns into it");
    }
    read(text);
  }

  void read(std::string_view text) {
    while (!text.empty()) {
      const std::size_t blank = std::min(text.find(' '), text.size());
      if (blank != 0) turns_.push_back(read_turn(text.substr(0, blank)));
      text.remove_prefix(std::min(blank + 1, text.size()));
    }
  }

  turn next(const semantics& rules, const pool& r) override {
    if (at_ == turns_.size() && again_) at_ = *again_;
    if (at_ == turns_.size()) return {{first_runnable(rules, r), false}, long_turn};
    const turn wanted = turns_[at_++];
    const thread_id t = wanted.what.by;
    const bool there = t < r.threads.size() && !r.threads[t].stack.empty();
    const bool able = there && (wanted.what.promotes ? rules.promotable_frame(r, t).has_value() : rules.can_step(r, t));
    if (!able) {
      refuse("t" + std::to_string(t) + (wanted.what.promotes ? "!" : ""),
             "cannot be done as turn " + std::to_string(at_) +
                 " of the script; that thread does not exist, waits, or has "
                 "nothing to promote");
    }
    return wanted;
  }
  std::vector<turn> turns_;
  std::optional<std::size_t> again_;  // the first of the turns that are repeated
  std::size_t at_ = 0;
};

}  // namespace

std::unique_ptr<schedule> make_schedule(std::string_view text) {
  if (text == "none") return std::make_unique<no_promotion>();
  if (text == "eager") return std::make_unique<eager>();
  if (text.starts_with("script:")) return std::make_unique<scripted>(text.substr(7));
  if (text.starts_with("seed:")) {
    if (const auto seed = whole(text.substr(5))) return std::make_unique<drawn>(*seed);
  }
  refuse(text, "is no schedule; write none, eager, seed:N or script:TURNS");
}

std::string show(const std::vector<action>& trace) {
  std::string text;
  for (std::size_t i = 0; i < trace.size();) {
    std::size_t same = 1;
    while (!trace[i].promotes && i + same < trace.size() && trace[i + same] == trace[i]) ++same;
    text += (text.empty() ? "t" : " t") + std::to_string(trace[i].by);
    if (trace[i].promotes) text += '!';
    if (same > 1) text += ":" + std::to_string(same);
    i += same;
  }
  return text;
}

}  // namespace tine::spork
