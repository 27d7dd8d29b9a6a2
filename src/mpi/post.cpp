// Sends and receives the messages of a team with MPI. One thread at a time.
#include "mpi/post.hpp"

#include "mpi/progress.hpp"

#include <algorithm>
#include <climits>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

namespace tine::mpi::detail {
namespace {

constexpr int tag = 1;

/// The head of a message on its way; its data follows.
struct header {
  message::kind what;
  bool flag;
  std::uint32_t call;
  std::uint64_t sent, received;
};

std::vector<std::byte> bytes_of(const message& m) {
  const header h{m.what, m.flag, m.call, m.sent, m.received};
  std::vector<std::byte> all(sizeof h + m.data.size());
  std::memcpy(all.data(), &h, sizeof h);
  if (!m.data.empty()) std::memcpy(all.data() + sizeof h, m.data.data(), m.data.size());
  return all;
}

message message_of(const std::vector<std::byte>& bytes) {
  header h;
  std::memcpy(&h, bytes.data(), sizeof h);
  return {h.what, h.flag, h.call, h.sent, h.received, {bytes.begin() + sizeof h, bytes.end()}};
}

bool has_ended(MPI_Request& r) {
  int ended = 0;
  MPI_Test(&r, &ended, MPI_STATUS_IGNORE);
  return ended != 0;
}

}  // namespace

void post::check_length(const payload& data) {
  constexpr std::size_t most = INT_MAX - sizeof(header);
  if (data.size() <= most) return;
  throw std::length_error{"tine::mpi::team: a result, or the tasks that go to another rank, have " +
                          std::to_string(data.size()) + " bytes, and a message of MPI has " + std::to_string(most) +
                          " at most"};
}

void post::send(int to, message&& m) {
  check_length(m.data);
  transfer& t = sends_.emplace_back(to, bytes_of(m));
  ++messages_;
  bytes_ += t.bytes.size();
  if (sent_to_.size() <= static_cast<std::size_t>(to)) sent_to_.resize(static_cast<std::size_t>(to) + 1);
  ++sent_to_[static_cast<std::size_t>(to)];
  progress::instance().set_current_call("MPI_Isend of a team");
  MPI_Isend(t.bytes.data(), static_cast<int>(t.bytes.size()), MPI_BYTE, to, tag, in_, &t.request);
  if (has_ended(t.request)) sends_.pop_back();
}

void post::look() {
  progress::instance().set_current_call("MPI_Test of a team's message");
  std::erase_if(sends_, [](transfer& t) { return has_ended(t.request); });
  progress::instance().set_current_call("MPI_Improbe of a team");
  for (;;) {
    int has_arrived = 0;
    MPI_Message arrived = MPI_MESSAGE_NULL;
    MPI_Status status;
    MPI_Improbe(MPI_ANY_SOURCE, tag, in_, &has_arrived, &arrived, &status);
    if (has_arrived == 0) break;
    int n = 0;
    MPI_Get_count(&status, MPI_BYTE, &n);
    transfer& t = arriving_.emplace_back(status.MPI_SOURCE, std::vector<std::byte>(static_cast<std::size_t>(n)));
    MPI_Imrecv(t.bytes.data(), n, MPI_BYTE, &arrived, &t.request);
  }
  progress::instance().set_current_call(nullptr);
}

bool post::take(int& from, message& m) {
  std::vector<int> incomplete;  // ranks whose earlier message is still arriving
  for (auto t = arriving_.begin(); t != arriving_.end(); ++t) {
    if (std::ranges::find(incomplete, t->rank) != incomplete.end()) continue;
    if (t->request != MPI_REQUEST_NULL && !has_ended(t->request)) {
      incomplete.push_back(t->rank);
      continue;
    }
    from = t->rank;
    m = message_of(t->bytes);
    arriving_.erase(t);
    ++received_;
    return true;
  }
  return false;
}

std::vector<long long> post::sent_to(int ranks) const {
  std::vector<long long> all = sent_to_;
  all.resize(static_cast<std::size_t>(ranks));
  return all;
}

}  // namespace tine::mpi::detail
