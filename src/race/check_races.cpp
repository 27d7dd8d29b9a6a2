// Checks that a program asks for itself. One thread at a time runs a check.
#include <tine/race/check_races.hpp>

#include "race/contexts.hpp"
#include "race/found_races.hpp"
#include "race/race_kind.hpp"

#include "augment/process.hpp"
#include "race/detector_time.hpp"
#include "trace/write.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <optional>

namespace tine {
namespace detail {

struct race_rows {
  trace::profile p;
};

struct alignas(16) checked_run::state {
  vertex_node head;
  std::byte vertex[64];
  std::optional<region> whole;
  trace::race_totals before;
  bool is_outermost = false;
};

checked_run::checked_run(const race_options& how) {
  const detector_time here;
  state_ = std::make_unique<state>();
  state_->is_outermost = own_context() == nullptr;
  if (!state_->is_outermost) return;  // the outer check already follows the strand
  open_detector(how.determinism);
  race_kind.create(state_->vertex);
  state_->whole.emplace(race_kind, state_->head);
  found_races::forget();
  found_races::set_determinism(how.determinism);
  add_totals(state_->before);
}

checked_run::~checked_run() {
  const detector_time here;
  if (state_->whole) {
    state_->whole.reset();
    race_kind.destroy(state_->vertex);
  }
  state_.reset();
}

races_found checked_run::found() {
  const detector_time here;
  races_found all;
  if (!state_->is_outermost) return all;
  state_->whole.reset();
  auto rows = std::make_shared<race_rows>();
  found_races::collect(rows->p);
  trace::race_totals& totals = rows->p.race.front();
  totals.reads -= state_->before.reads;
  totals.writes -= state_->before.writes;
  all.size_ = rows->p.races.size();
  all.addresses_ = found_races::locations();
  all.accesses_ = totals.reads + totals.writes;
  all.incomplete_ = totals.incomplete;
  all.rows_ = std::move(rows);
  race_kind.destroy(state_->vertex);
  return all;
}

}  // namespace detail

namespace {

/// A file that goes away with the object.
class temporary_file {
 public:
  temporary_file() {
    const int file = mkstemp(path_);
    if (file >= 0) close(file);
    is_made_ = file >= 0;
  }
  ~temporary_file() {
    if (is_made_) unlink(path_);
  }
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  bool is_made() const noexcept { return is_made_; }
  const char* path() const noexcept { return path_; }

 private:
  char path_[32] = "/tmp/tine-races-XXXXXX";
  bool is_made_;
};

/// Returns what the command `tine race` prints for these rows; an empty text if the command can't be run.
std::string text_of_command(const trace::profile& p) {
  const temporary_file file;
  if (!file.is_made() || !trace::write(p, file.path()).empty()) return {};
  const char* const command = std::getenv("TINE_COMMAND");
  const std::string line =
      std::string{command != nullptr ? command : "tine"} + " race --read " + file.path() + " 2>/dev/null";
  std::FILE* const pipe = popen(line.c_str(), "r");
  if (pipe == nullptr) return {};
  std::string text;
  char part[4096];
  for (std::size_t n = 0; (n = std::fread(part, 1, sizeof part, pipe)) != 0;) text.append(part, n);
  pclose(pipe);
  return text;
}

std::string plain_text(const trace::profile& p) {
  static constexpr const char* names[] = {"read", "write", "release", "atomic read", "atomic write"};
  std::string text;
  for (const trace::race& r : p.races) {
    char line[256];
    std::snprintf(line, sizeof line, "%llu times: %s at %#llx and %s at %#llx, memory at %#llx\n",
                  static_cast<unsigned long long>(r.count), names[static_cast<int>(r.earlier_kind)],
                  static_cast<unsigned long long>(r.earlier), names[static_cast<int>(r.later_kind)],
                  static_cast<unsigned long long>(r.later), static_cast<unsigned long long>(r.address));
    text += line;
  }
  return text;
}

}  // namespace

std::string races_found::text() const {
  const detail::detector_time here;
  if (rows_ == nullptr || empty()) return {};
  trace::profile whole = rows_->p;
  detail::describe_process(whole);
  const std::string resolved = text_of_command(whole);
  return resolved.empty() ? plain_text(rows_->p) : resolved;
}

}  // namespace tine
