// Reads journals (docs/reference/schedule-format.md). The file may be damaged, so we don't trust any number in it. Each
// call has a reader of its own.
#include <tine/replay/journal.hpp>

#include "replay/journal_event.hpp"
#include "replay/tree_builder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>

namespace tine {
namespace {

using detail::journal_event;
using detail::journal_header;
using detail::journal_kind;

constexpr std::uint64_t most_bytes = std::uint64_t{4} << 30;

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument{why}; }

/// The NUMA nodes of pools, by the numbers of the pools in the journal.
class node_reader {
 public:
  void add(const journal_event& e) {
    if (e.a == pools_.size() + 1) pools_.emplace_back();
    if (e.a == 0 || e.a != pools_.size()) refuse("has the NUMA nodes of pool " + std::to_string(e.a) + " out of turn");
    std::vector<int>& nodes = pools_.back();
    const std::uint64_t from = e.b & ~std::uint32_t{0}, more = e.b >> 32;
    if (from != nodes.size() || more == 0 || more > most_workers - from)
      refuse("has the NUMA nodes of " + std::to_string(more) + " workers from " + std::to_string(from) + " on");
    if (e.c >= most_workers) refuse("names NUMA node " + std::to_string(e.c));
    if (pools_.size() > detail::journal_most_pools)
      refuse("has the NUMA nodes of more than " + std::to_string(detail::journal_most_pools) + " pools");
    nodes.insert(nodes.end(), more, static_cast<int>(e.c));
  }
  /// Returns the nodes of a pool with that many workers; nothing if they are not known.
  std::vector<int> nodes_of(std::uint64_t number, std::size_t workers) const {
    if (number == 0) return {};
    if (number > pools_.size() || pools_[number - 1].size() != workers)
      refuse("has " + std::to_string(workers) + " workers, whose NUMA nodes are not there");
    return pools_[number - 1];
  }

 private:
  static constexpr std::uint64_t most_workers = 1U << 16;
  std::vector<std::vector<int>> pools_;
};

/// Builds the tree of one root while its events are read.
class root_reader {
 public:
  root_reader(const journal_event& e, const node_reader& pools) : workers_{static_cast<std::uint32_t>(e.c)} {
    about_.origin = e.a;
    about_.number = e.b;
    if (workers_ == 0 || workers_ > 1U << 16) refuse("is for " + std::to_string(workers_) + " workers");
    numa_nodes_ = pools.nodes_of(e.c >> 32, workers_);
    begin(tree_.root_segment(), e);
    nodes_.push_back(&tree_.root());
  }

  void add(const journal_event& e) {
    switch (e.kind) {
      case journal_kind::step:
        return add_step(e);
      case journal_kind::node: {
        detail::step_builder& s = step_of(e);
        if (piece_of(s, e).node != nullptr) refuse("makes a node that is there");
        nodes_.push_back(&tree_.node_of(s, e.b));
        return;
      }
      case journal_kind::begin:
        return begin(piece_of(step_of(e), e).run, e);
      case journal_kind::after:
        return begin(step_of(e).after, e);
      case journal_kind::placed:
        placed_.push_back({&piece_of(step_of(e), e).run, e.owner});
        if (e.owner < 0 || e.owner >= 1 << 16) refuse("names worker " + std::to_string(e.owner));
        return;
      case journal_kind::root_end:
        about_.has_ended = true;
        about_.constructs = e.a;
        return;
      case journal_kind::root:
      case journal_kind::numa:
        break;
    }
    refuse("is of an unknown kind");
  }

  journal::root finished(std::uint64_t shape) {
    for (const auto& [run, owner] : placed_) {
      if (run->owner == schedule::no_worker) *run = {owner, ++last_stamp_, last_ns_, last_ns_};
    }
    for (detail::segment_builder* s : unended_) s->end = std::max(s->begin, last_ns_);
    for (detail::node_builder* n : nodes_) {
      // the process ended between a step and its first part
      std::erase_if(n->steps,
                    [](const detail::step_builder* s) { return s->what != schedule::kind::run && s->pieces.empty(); });
    }
    about_.performed = tree_.finished_ns(workers_);
    about_.performed.set_shape(shape);
    about_.performed.set_numa_nodes(std::move(numa_nodes_));
    return std::move(about_);
  }

 private:
  void add_step(const journal_event& e) {
    if (e.a >= nodes_.size()) refuse("is in node " + std::to_string(e.a) + ", which is not there");
    detail::node_builder& in = *nodes_[e.a];
    const auto number = static_cast<std::uint32_t>(e.b);
    if (!in.steps.empty() && in.steps.back()->number >= number) refuse("does not come after the step before it");
    if (e.b >> 32 > static_cast<unsigned>(schedule::kind::run)) refuse("is no fork, loop or run");
    steps_.push_back(&tree_.add_step(in, number, static_cast<schedule::kind>(e.b >> 32), e.c));
  }

  detail::step_builder& step_of(const journal_event& e) const {
    if (e.a >= steps_.size()) refuse("is of step " + std::to_string(e.a) + ", which is not there");
    return *steps_[e.a];
  }
  static detail::piece_builder& piece_of(detail::step_builder& s, const journal_event& e) {
    if (s.what == schedule::kind::run || e.b >= s.count) refuse("begins behind the end of its step");
    return s.pieces[e.b];
  }
  void begin(detail::segment_builder& s, const journal_event& e) {
    if (s.owner != schedule::no_worker) refuse("begins a strand that has begun");
    if (e.owner < 0 || e.owner >= 1 << 16) refuse("names worker " + std::to_string(e.owner));
    if (e.stamp == ~0U) refuse("has a stamp that is too large");
    s = {e.owner, e.stamp, e.begin_ns, std::max(e.begin_ns, e.end_ns)};
    if (e.end_ns == 0) unended_.push_back(&s);
    last_ns_ = std::max(last_ns_, s.end);
    last_stamp_ = std::max(last_stamp_, s.stamp);
  }

  journal::root about_;
  unsigned workers_;
  std::vector<int> numa_nodes_;
  detail::tree_builder tree_;
  std::vector<detail::node_builder*> nodes_;
  std::vector<detail::step_builder*> steps_;
  struct placed_strand {
    detail::segment_builder* run;
    int owner;
  };
  std::vector<placed_strand> placed_;
  std::vector<detail::segment_builder*> unended_;
  std::uint64_t last_ns_ = 0;
  std::uint32_t last_stamp_ = 0;
};

[[noreturn]] void fail(const std::string& path, const std::string& why) { throw std::runtime_error{path + ": " + why}; }

/// Reads a file in pieces of 64 bytes.
class file_reader {
 public:
  explicit file_reader(const std::string& path) : path_{path}, fd_{::open(path.c_str(), O_RDONLY | O_CLOEXEC)} {
    struct stat about{};
    if (fd_ < 0 || ::fstat(fd_, &about) != 0) fail_on_file();
    if (!S_ISREG(about.st_mode)) fail(path_, "not a journal: it is no regular file");
    if (static_cast<std::uint64_t>(about.st_size) > most_bytes)
      fail(path_, "not a journal: it is larger than 4 GiB, which no journal is");
  }
  ~file_reader() {
    if (fd_ >= 0) ::close(fd_);
  }
  file_reader(const file_reader&) = delete;
  file_reader& operator=(const file_reader&) = delete;

  /// Reads the next piece into `to`. Returns false at the end of the file, and if the last piece is not whole.
  template <class Piece>
  bool read(Piece& to) {
    static_assert(sizeof to == 64);
    if (at_ + sizeof to > length_) fill();
    if (at_ + sizeof to > length_) return false;
    std::memcpy(&to, buffer_.get() + at_, sizeof to);
    at_ += sizeof to;
    return true;
  }

 private:
  static constexpr std::size_t buffer_bytes = std::size_t{1} << 16;

  [[noreturn]] void fail_on_file() const { fail(path_, std::string{"cannot be read: "} + std::strerror(errno)); }
  void fill() {
    at_ = length_ = 0;
    while (length_ < buffer_bytes) {
      const ssize_t n = ::read(fd_, buffer_.get() + length_, buffer_bytes - length_);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) fail_on_file();
      if (n == 0) return;
      length_ += static_cast<std::size_t>(n);
    }
  }

  const std::string& path_;
  int fd_;
  std::unique_ptr<std::byte[]> buffer_{new std::byte[buffer_bytes]};
  std::size_t at_ = 0, length_ = 0;
};

journal_header header_of(file_reader& file, const std::string& path) {
  journal_header h{};
  if (!file.read(h) || std::memcmp(h.magic, detail::journal_magic, sizeof h.magic) != 0)
    fail(path, "not a journal: it does not begin with \"tinejrnl\"");
  if (h.version != detail::journal_version) {
    fail(path, "it is a journal of version " + std::to_string(h.version) + "; this tine reads version " +
                   std::to_string(detail::journal_version));
  }
  if (h.event_bytes != sizeof(journal_event))
    fail(path, "a journal whose events have " + std::to_string(h.event_bytes) + " bytes, and not 64");
  return h;
}

/// A map, because roots that start at the same time are written in any order.
using root_readers = std::map<std::uint32_t, root_reader>;

void read_event(const journal_event& e, root_readers& roots, node_reader& pools) {
  if (e.kind == journal_kind::numa) return pools.add(e);
  if (e.kind == journal_kind::root) {
    if (!roots.try_emplace(e.root, e, pools).second) refuse("begins root " + std::to_string(e.root) + " again");
    return;
  }
  const auto of = roots.find(e.root);
  if (of == roots.end()) refuse("is of root " + std::to_string(e.root) + ", which has not begun");
  of->second.add(e);
}

/// Reads all events. After an event that was torn when the process was killed, no whole one may follow.
void read_events(file_reader& file, const std::string& path, root_readers& roots) {
  node_reader pools;
  journal_event e{};
  std::uint64_t torn = ~std::uint64_t{0};
  for (std::uint64_t i = 0; file.read(e); ++i) {
    const bool is_whole = e.check == detail::check_of(e, i);
    if (torn != ~std::uint64_t{0}) {
      if (is_whole) fail(path, "event " + std::to_string(torn) + " of the journal is damaged");
      continue;
    }
    if (!is_whole) {
      torn = i;
      continue;
    }
    try {
      read_event(e, roots, pools);
    } catch (const std::invalid_argument& why) {
      fail(path, "event " + std::to_string(i) + " of the journal " + why.what());
    }
  }
}

}  // namespace

journal journal::load(const std::string& path) {
  file_reader file{path};
  const journal_header h = header_of(file, path);
  journal j;
  j.shape_ = h.program;
  j.seed_ = h.seed;
  j.is_perturbed_ = h.run == static_cast<std::uint32_t>(detail::journal_run::perturbed);
  j.is_full_ = h.is_full != 0;
  root_readers roots;
  read_events(file, path, roots);
  for (auto& [number, root] : roots) {
    try {
      j.roots_.push_back(root.finished(h.program));
    } catch (const std::invalid_argument& why) {
      fail(path, "root " + std::to_string(number) + " of the journal is " + why.what());
    }
  }
  return j;
}

bool journal::is_journal(const std::string& path) noexcept {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return false;
  char magic[8];
  const bool is_one =
      ::read(fd, magic, sizeof magic) == sizeof magic && std::memcmp(magic, detail::journal_magic, sizeof magic) == 0;
  ::close(fd);
  return is_one;
}

}  // namespace tine
