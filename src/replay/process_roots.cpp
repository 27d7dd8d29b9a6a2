// Recordings and replays of whole processes, which the environment asks for: each root is a region of its own. Without
// such a variable each root only tests one pointer.
#include "replay/ordered_by_ends.hpp"
#include "replay/process_request.hpp"
#include "replay/session.hpp"
#include "replay/shape.hpp"
#include "sched/root_runner.hpp"
#include "sched/scheduler_time.hpp"

#include <tine/detail/base/assert.hpp>
#include <tine/replay/journal.hpp>

#include <pthread.h>
#include <unistd.h>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>

namespace tine::detail {
namespace {

/// The user, and not the program, has made the mistake. The process ends as it does for other bad variables.
[[noreturn]] void refuse(const std::string& why) {
  base::warn(why.c_str());
  _exit(2);
}

/// The place of a root in the process: its origin, and its number there.
struct root_key {
  std::uint64_t origin, number;
  auto operator<=>(const root_key&) const = default;
};

/// A root that is recorded or replayed.
struct followed_root {
  root_key key;
  const journal::root* recorded = nullptr;
  std::optional<schedule> ordered;
  std::optional<perturbation> choices;
  std::optional<session> in;
};

class process {
 public:
  explicit process(process_request request) : request_{std::move(request)} {
    if (!request_.replay.empty()) open_replay();
    if (!request_.record.empty()) open_record();
    std::atexit([] { the().file_.close(); });
    pthread_atfork([] { the().lock_for_fork(); }, [] { the().unlock_after_fork(); }, [] { the().begin_child(); });
  }

  /// Returns the process; the first call reads the environment. It is never destroyed, because threads may outlive the
  /// static objects.
  static process& the() {
    static process& p = *make();
    return p;
  }

  /// Returns null if the root is not followed.
  std::unique_ptr<followed_root> begin(sched::root_origin from) {
    const std::lock_guard guard{lock_};
    if (is_child_) {
      if (!std::exchange(has_warned_, true))
        base::warn(
            "a child of fork(2) is neither recorded nor replayed, because its roots are not those of its parent.");
      return nullptr;
    }
    auto root = std::make_unique<followed_root>();
    root->key = next_key(from);
    session_plan plan{.root = next_root_++};
    plan.described.a = root->key.origin;
    plan.described.b = root->key.number;
    if (file_.is_open()) plan.journal = {&file_, plan.root};
    if (!request_.replay.empty()) follow(*root, plan);
    if (request_.is_perturbed) {
      root->choices.emplace(request_.seed + (root->key.origin + 1) * 0x10001 + root->key.number * 0x2545f491);
      plan.perturb = &*root->choices;
    }
    root->in.emplace(plan);
    return root;
  }

  void end(followed_root& root) {
    if (request_.replay.empty()) return;
    const session& s = *root.in;
    const replayed done = s.counts();
    if (root.recorded != nullptr && root.recorded->has_ended && root.recorded->constructs != s.constructs()) {
      refuse_if_strict("TINE_REPLAY: root " + std::to_string(s.root()) + " has " + std::to_string(s.constructs()) +
                       " forks and loops in its first branch, and the recorded one had " +
                       std::to_string(root.recorded->constructs));
    } else if (done.skipped + done.diverged != 0) {
      base::warn(("TINE_REPLAY: root " + std::to_string(s.root()) + ": " + std::to_string(done.matched) +
                  " recorded places and joins of strands were followed, " + std::to_string(done.skipped) +
                  " never came, and the order was given up " + std::to_string(done.diverged) + " times")
                     .c_str());
    }
  }

 private:
  static process* make() {
    try {
      return new process{request_of_environment()};
    } catch (const std::invalid_argument& e) {
      refuse(e.what());
    }
  }

  void open_replay() {
    try {
      followed_ = journal::load(request_.replay);
    } catch (const std::runtime_error& e) {
      refuse(std::string{"TINE_REPLAY: "} + e.what());
    }
    if (!request_.any_program) {
      try {
        schedule of_program;
        of_program.set_shape(followed_.shape());
        check_shape(of_program);
      } catch (const schedule_mismatch& e) {
        refuse("TINE_REPLAY: " + request_.replay + ": " + e.what() + ", or add ,any_program");
      }
    }
    for (const journal::root& r : followed_.roots()) recorded_[{r.origin, r.number}] = &r;
  }

  void open_record() {
    const journal_run how = request_.is_perturbed      ? journal_run::perturbed
                            : !request_.replay.empty() ? journal_run::replayed
                                                       : journal_run::free;
    const std::string complaint =
        file_.open(request_.record, request_.most_bytes, shape_of_process(), how, request_.seed);
    if (!complaint.empty())
      base::warn(("TINE_RECORD: " + request_.record + " cannot be written: " + complaint +
                  ". The program runs without a recording.")
                     .c_str());
  }

  root_key next_key(sched::root_origin from) {
    thread_local std::uint64_t thread = journal::submitted;
    if (from == sched::root_origin::submitted) return {journal::submitted, submitted_++};
    if (thread == journal::submitted) {
      thread = roots_of_thread_.size();
      roots_of_thread_.push_back(0);
    }
    return {thread, roots_of_thread_[thread]++};
  }

  void follow(followed_root& root, session_plan& plan) {
    static const schedule& nothing_stolen = *new schedule;
    const auto found = recorded_.find(root.key);
    root.recorded = found != recorded_.end() ? found->second : nullptr;
    if (root.recorded == nullptr)
      refuse_if_strict("TINE_REPLAY: root " + std::to_string(plan.root) + " of the program is not in " +
                       request_.replay + "; it runs on one worker");
    plan.follow = root.recorded != nullptr ? &root.recorded->performed : &nothing_stolen;
    if (request_.by_ends) plan.follow = &root.ordered.emplace(ordered_by_ends(*plan.follow));
    plan.how = request_.how;
    plan.must_match = request_.must_match;
    if (plan.root == request_.stop_root) plan.stop_before = request_.stop_before;
  }

  void refuse_if_strict(const std::string& why) const {
    if (request_.must_match) refuse(why + "; the program ends, as must_match demands");
    base::warn(why.c_str());
  }

  void lock_for_fork() {
    lock_.lock();
    file_.lock_for_fork();
  }
  void unlock_after_fork() {
    file_.unlock_after_fork();
    lock_.unlock();
  }
  void begin_child() {
    file_.abandon();
    is_child_ = true;
    unlock_after_fork();
  }

  const process_request request_;
  journal followed_;
  std::map<root_key, const journal::root*> recorded_;
  journal_file file_;
  std::mutex lock_;
  bool is_child_ = false, has_warned_ = false;
  std::uint32_t next_root_ = 0;
  std::uint64_t submitted_ = 0;
  std::vector<std::uint64_t> roots_of_thread_;
};

/// Not inlined: the strand may be on another thread after the root.
[[gnu::noinline]] std::unique_ptr<followed_root> begin_followed(sched::root_origin from) noexcept {
  const sched::scheduler_time here;
  return process::the().begin(from);
}

[[gnu::noinline]] void end_followed(std::unique_ptr<followed_root> root) noexcept {
  const sched::scheduler_time here;
  process::the().end(*root);
  root.reset();
}

bool run_followed(sched::task& t, bool (*body)(sched::task&) noexcept, sched::root_origin from) noexcept {
  std::unique_ptr<followed_root> root = begin_followed(from);
  if (root == nullptr) return body(t);
  root->in->begin();
  const bool threw = body(t);
  root->in->end();
  end_followed(std::move(root));
  return threw;
}

}  // namespace
}  // namespace tine::detail

/// Registers the runner of roots, if the environment asks for it, before the constructors of static objects, which may
/// run roots. No code refers to this symbol; the CMake target tine::replay asks the linker for it (-u), and so for this
/// library.
extern "C" TINE_API [[gnu::constructor(104)]] void tine_replay() {
  if (tine::detail::is_anything_requested()) tine::sched::registered_root_runner = &tine::detail::run_followed;
}
