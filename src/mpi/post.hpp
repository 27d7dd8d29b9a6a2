// Sends and receives the messages of a team. One thread at a time may use it, and that thread must be one that may call
// MPI.
#pragma once

#include "mpi/balancer.hpp"

#include <mpi.h>

#include <cstdint>
#include <list>
#include <vector>

namespace tine::mpi::detail {

class post {
 public:
  explicit post(MPI_Comm in) : in_{in} {}
  post(const post&) = delete;
  post& operator=(const post&) = delete;

  /// Throws std::length_error if the data are too long for a message.
  static void check_length(const payload& data);

  /// Begins to send the message. It never waits. Throws what `check_length` throws.
  void send(int to, message&& m);
  /// Tests what has been sent, and begins to receive what has arrived.
  void look();
  /// Removes the next message that is complete, and returns true; false if there is none. Messages of one rank come in
  /// the order in which it has sent them.
  bool take(int& from, message& m);

  /// Returns the number of messages sent to each rank of the communicator so far, if there are `ranks`.
  std::vector<long long> sent_to(int ranks) const;
  long long received() const noexcept { return received_; }
  bool has_unsent() const noexcept { return !sends_.empty(); }
  std::uint64_t messages() const noexcept { return messages_; }
  std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  struct transfer {
    int rank;
    std::vector<std::byte> bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  MPI_Comm in_;
  std::list<transfer> sends_;
  std::list<transfer> arriving_;  ///< in order of arrival
  std::vector<long long> sent_to_;
  long long received_ = 0;
  std::uint64_t messages_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace tine::mpi::detail
