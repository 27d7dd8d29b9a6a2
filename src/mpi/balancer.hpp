// Balances the work of the ranks of a team, and detects that all of it has ended: the protocol alone, without MPI,
// clocks or threads. src/mpi/README.md describes it and has the proof; tests/mpi/balancer_model.cpp explores it. One
// thread at a time may use a balancer.
#pragma once

#include <tine/detail/base/splitmix64.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tine::mpi::detail {

using payload = std::vector<std::byte>;

/// A message between two ranks. Messages of one rank to another arrive in the order in which they were sent.
struct message {
  enum class kind : std::uint8_t {
    request,      ///< a thief wants work; the victim sends `work` or `refusal`
    refusal,      ///< the victim has none
    lifeline,     ///< a thief wants work as soon as the victim has some
    work,         ///< work for a thief
    failure,      ///< to rank 0: a task has thrown
    stop,         ///< down the tree: tasks that have not begun are dropped
    wave_down,    ///< down the tree: begins a count
    wave_up,      ///< up the tree: the counts of a subtree
    finish,       ///< down the tree: all work of the team has ended
    result_up,    ///< up the tree: the result of a subtree, or the failure to make it
    result_down,  ///< down the tree: the result of all ranks, or the failure
  };

  kind what{};
  /// work: it is for a lifeline. wave_up: the subtree was passive. result_up, result_down: the data describe a failure.
  bool flag = false;
  std::uint32_t call = 0;  ///< the call of the team that the message belongs to
  std::uint64_t sent = 0;  ///< wave_up: the counts of the subtree
  std::uint64_t received = 0;
  payload data{};
};

/// The way by which a balancer sends. It must not call the balancer.
class network {
 public:
  virtual void send(int to, message&& m) = 0;

 protected:
  ~network() = default;
};

struct balancer_settings {
  int rank = 0;
  int ranks = 1;
  unsigned random_tries = 2;  ///< random victims before the lifelines
  unsigned radix = 2;         ///< of the hypercube of lifelines, at least 2
  std::uint64_t seed = 0;
};

/// The balancer of one rank, for one call of the team. The rank's *state* is passive if no work is running, waiting to
/// run or waiting to be sent here.
class balancer {
 public:
  balancer(const balancer_settings& s, std::uint32_t call, network& by);

  /// A message has arrived. Returns the work in it; empty if there is none, or if the team stops.
  payload receive(int from, message&& m, bool is_passive);

  /// The rank wants work: sends the next request, if none is under way.
  void seek();

  /// A thief that wants work from this rank.
  struct taker {
    int rank;
    bool by_lifeline;
  };
  /// Returns true if a thief waits for work of this rank.
  bool has_taker() const noexcept { return !takers_.empty(); }
  /// Removes the next thief that waits, and returns it. `give` must follow, or, if it does not wait at a lifeline,
  /// `refuse`.
  taker next_taker();
  /// Sends work to that thief. Until then the rank is not passive.
  void give(const taker& to, payload&& work);
  /// Refuses that thief, which must not wait at a lifeline.
  void refuse(const taker& t) { send(t.rank, message::kind::refusal); }

  /// A task of this rank has thrown. The rank must not be passive yet.
  void fail(payload&& description);

  /// Rank 0 is passive: begins a wave, if none is under way. Other ranks do nothing.
  void count(bool is_passive);
  bool is_counting() const noexcept { return missing_ != 0; }

  /// All work of all ranks has ended: `offer_result` must follow, once.
  bool wants_result() const noexcept { return is_finished_ && !has_offered_ && missing_results_ == 0; }
  /// Returns the results of subtrees that have come so far.
  std::vector<payload> take_results() noexcept { return std::exchange(results_, {}); }
  /// The result of this rank and its subtree; or, if `is_failure`, the description of the failure to combine or write
  /// it.
  void offer_result(payload&& combined, bool is_failure = false);

  bool is_stopping() const noexcept { return is_stopping_; }
  /// Returns true if the call has ended on this rank; then `outcome` is the result, or, if `has_failed`, the
  /// description of the failure.
  bool has_ended() const noexcept { return has_ended_; }
  bool has_failed() const noexcept { return has_failed_; }
  payload& outcome() noexcept { return outcome_; }

  /// The numbers of messages with work, or with a failure.
  std::uint64_t sent() const noexcept { return sent_; }
  std::uint64_t received() const noexcept { return received_; }
  unsigned waves() const noexcept { return waves_; }
  /// The numbers of requests to random ranks and of registrations at lifelines.
  unsigned requests() const noexcept { return requests_; }
  unsigned registrations() const noexcept { return registrations_; }

  /// Returns the ranks from which `rank` gets work by lifelines: its neighbours in a hypercube of that radix, whose
  /// dimensions are rings.
  static std::vector<int> lifelines_of(int rank, int ranks, unsigned radix);

 private:
  friend struct balancer_probe;  // tests/mpi

  void send(int to, message::kind what) { send(to, message{.what = what}); }
  void send(int to, message&& m);
  void send_down(const message& m);
  bool is_root() const noexcept { return me_.rank == 0; }
  int parent() const noexcept { return (me_.rank - 1) / 2; }
  int children() const noexcept;
  payload accept(int from, message& m);
  void hear_of_failure(payload&& description);
  void begin_count(bool is_passive);
  void end_count();
  void finish();
  void end(message&& m);
  int random_victim();

  struct counted {
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
    bool passive = false;
  };

  balancer_settings me_;
  std::uint32_t call_;
  network* by_;
  base::splitmix64 random_;

  // as a thief
  int asked_ = -1;  ///< the rank whose answer to a request is missing; -1: none
  unsigned tries_left_;
  std::vector<int> lifelines_;
  std::vector<bool> registered_;  ///< by lifeline: the thief waits there
  // as a victim
  std::vector<taker> takers_;
  // counting
  std::uint64_t sent_ = 0;
  std::uint64_t received_ = 0;
  int missing_ =
      0;  ///< children whose counts are missing, and one more until the rank itself is counted; 0: no wave is under way
  counted sum_;     ///< of the wave under way
  counted before_;  ///< rank 0: of the wave before
  unsigned waves_ = 0;
  unsigned requests_ = 0;
  unsigned registrations_ = 0;
  // the end
  bool is_stopping_ = false;
  bool has_failed_ = false;
  bool is_finished_ = false;
  bool has_offered_ = false;
  bool has_ended_ = false;
  int missing_results_ = 0;
  std::vector<payload> results_;
  payload failure_;  ///< rank 0: the first one
  payload outcome_;
};

}  // namespace tine::mpi::detail
