// Explores the balancer: all orders in which the messages of 2 to 4 ranks can arrive, and all choices that a rank has,
// up to a small amount of work. Messages from one rank to another stay in order, as in MPI; those between different
// pairs do not.
//
// A unit of work is one task. It may spawn two more, as long as the world's budget lasts, or throw. The checks: no rank
// learns that all work has ended while there is some, in a rank or in a message; the result counts each task once; in
// every state there is something to do, until all ranks have ended; and from every state a state is reached in which
// they have.
#include "mpi/balancer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

namespace tine::mpi::detail {

/// Reads and changes what the model needs.
struct balancer_probe {
  static void set_network(balancer& b, network& n) { b.by_ = &n; }
  static void set_random(balancer& b, std::uint64_t seed) { b.random_ = base::splitmix64{seed}; }
  static bool is_finished(const balancer& b) { return b.is_finished_; }
  static bool next_by_lifeline(const balancer& b) { return b.takers_.front().by_lifeline; }
  /// Returns the number of different things that `seek` may do: one for each random victim, or, at the lifelines, one.
  static int ways_to_seek(const balancer& b) {
    if (b.asked_ >= 0 || b.is_stopping_ || b.is_finished_) return 0;
    if (b.tries_left_ > 0) return b.me_.ranks - 1;
    return std::ranges::find(b.registered_, false) != b.registered_.end() ? 1 : 0;
  }
  static int victim_with(balancer& b, std::uint64_t seed) {
    b.random_ = base::splitmix64{seed};
    return b.random_victim();
  }
  /// Appends everything that the behaviour depends on. The number of waves has no influence.
  static void write(std::string& to, const balancer& b) {
    const auto put = [&to](std::uint64_t x) { to.append(1, static_cast<char>(x)); };
    put(static_cast<std::uint64_t>(b.asked_ + 1));
    put(b.tries_left_);
    for (const bool r : b.registered_) put(r);
    put(b.takers_.size());
    for (const balancer::taker& t : b.takers_) put(static_cast<std::uint64_t>(2 * t.rank + t.by_lifeline));
    for (const std::uint64_t x :
         {b.sent_, b.received_, std::uint64_t(b.missing_), b.sum_.sent, b.sum_.received, std::uint64_t(b.sum_.passive),
          b.before_.sent, b.before_.received, std::uint64_t(b.before_.passive)})
      put(x);
    put(b.is_stopping_ + 2 * b.has_failed_ + 4 * b.is_finished_ + 8 * b.has_offered_ + 16 * b.has_ended_);
    put(static_cast<std::uint64_t>(b.missing_results_));
    put(b.results_.size());
    for (const payload& p : b.results_) put(static_cast<std::uint64_t>(p[0]));
    put(b.failure_.size());
    put(b.outcome_.size());
    for (const std::byte x : b.outcome_) put(static_cast<std::uint64_t>(x));
  }
};

namespace {

payload one_byte(unsigned x) { return {static_cast<std::byte>(x)}; }

struct limits {
  int ranks;
  unsigned work;    ///< tasks of rank 0 at the begin
  unsigned spawns;  ///< tasks that may spawn two more
  unsigned throws;  ///< tasks that may throw
  unsigned tries = 1;
  unsigned radix = 2;
};

/// All ranks, and the messages between them.
class world final : network {
 public:
  explicit world(const limits& l)
      : l_{l}, work_(static_cast<unsigned>(l.ranks)), done_(work_.size()), mail_(work_.size() * work_.size()) {
    for (int r = 0; r < l.ranks; ++r)
      all_.emplace_back(balancer_settings{r, l.ranks, l.tries, l.radix, 0}, 1, static_cast<network&>(*this));
    work_[0] = l.work;
    spawns_ = l.spawns;
    throws_ = l.throws;
  }
  world(const world& w)
      : network{w},
        l_{w.l_},
        all_{w.all_},
        work_{w.work_},
        done_{w.done_},
        spawns_{w.spawns_},
        throws_{w.throws_},
        thrown_{w.thrown_},
        mail_{w.mail_} {
    for (balancer& b : all_) balancer_probe::set_network(b, *this);
  }
  world& operator=(const world&) = delete;

  std::string key() const {
    std::string k;
    for (const balancer& b : all_) balancer_probe::write(k, b);
    for (const unsigned x : work_) k += static_cast<char>(x);
    for (const unsigned x : done_) k += static_cast<char>(x);
    k += static_cast<char>(spawns_);
    k += static_cast<char>(throws_);
    k += static_cast<char>(thrown_);
    for (const auto& channel : mail_) {
      k += static_cast<char>(channel.size());
      for (const message& m : channel) {
        for (const std::uint64_t x :
             {std::uint64_t(m.what), std::uint64_t(m.flag), m.sent, m.received, std::uint64_t(m.data.size())})
          k += static_cast<char>(x);
        if (!m.data.empty()) k += static_cast<char>(m.data[0]);
      }
    }
    return k;
  }

  bool has_ended() const {
    return std::ranges::all_of(all_, [](const balancer& b) { return b.has_ended(); });
  }

  /// Something that can happen at a rank.
  struct step {
    enum class kind { drop, run, spawn, throw_, serve, seek, count, offer, deliver } what;
    int rank;
    int other = 0;  ///< deliver: the rank that has sent the message; seek: decides which random victim is asked
  };
  using kind = step::kind;

  /// Returns everything that can happen next.
  std::vector<step> steps() const {
    std::vector<step> all;
    for (int r = 0; r < l_.ranks; ++r) {
      const bool stops = of(r).is_stopping();
      if (work(r) != 0 && stops) all.push_back({kind::drop, r});
      if (work(r) != 0 && !stops) all.push_back({kind::run, r});
      if (work(r) != 0 && !stops && spawns_ != 0) all.push_back({kind::spawn, r});
      if (work(r) != 0 && !stops && throws_ != 0) all.push_back({kind::throw_, r});
      if (of(r).has_taker() && (!balancer_probe::next_by_lifeline(of(r)) || (work(r) >= 2 && !stops)))
        all.push_back({kind::serve, r});
      for (int i = 0; i < balancer_probe::ways_to_seek(of(r)) && work(r) == 0; ++i) all.push_back({kind::seek, r, i});
      if (r == 0 && work(0) == 0 && !of(0).is_counting() && !balancer_probe::is_finished(of(0)))
        all.push_back({kind::count, 0});
      if (of(r).wants_result()) all.push_back({kind::offer, r});
      for (int from = 0; from < l_.ranks; ++from) {
        if (!channel(from, r).empty()) all.push_back({kind::deliver, r, from});
      }
    }
    return all;
  }

  void apply(const step& s) {
    const int r = s.rank;
    switch (s.what) {
      case kind::drop:
        work(r) = 0;
        break;
      case kind::run:
        --work(r);
        ++done(r);
        break;
      case kind::spawn:
        ++work(r);
        ++done(r);
        --spawns_;
        break;
      case kind::throw_:
        --throws_;
        ++thrown_;
        at(r).fail(one_byte(7));
        --work(r);
        break;
      case kind::serve:
        serve(r);
        break;
      case kind::seek:
        balancer_probe::set_random(at(r), seed_for(r, s.other));
        at(r).seek();
        balancer_probe::set_random(at(r), 0);
        break;
      case kind::count:
        at(0).count(true);
        break;
      case kind::offer: {
        unsigned sum = done(r);
        for (const payload& p : at(r).take_results()) sum += static_cast<unsigned>(p[0]);
        at(r).offer_result(one_byte(sum));
        break;
      }
      case kind::deliver:
        deliver(s.other, r);
        break;
    }
  }

  /// Returns what is wrong in this state; empty if nothing is.
  std::string fault() const {
    unsigned in_ranks = 0, in_messages = 0, done = 0;
    for (const unsigned x : work_) in_ranks += x;
    for (const unsigned x : done_) done += x;
    for (const auto& channel : mail_) {
      for (const message& m : channel) {
        if (m.what == message::kind::work || m.what == message::kind::failure) ++in_messages;
      }
    }
    const bool finished = std::ranges::any_of(all_, [](const balancer& b) { return balancer_probe::is_finished(b); });
    if (finished && in_ranks != 0) return "finished with work in a rank";
    if (finished && in_messages != 0) return "finished with work or a failure in a message";
    if (!has_ended()) return {};
    for (const balancer& b : all_) {
      if (b.is_stopping() != (thrown_ != 0)) return "a rank was not asked to stop, or without reason";
      if (b.has_failed() != (thrown_ != 0)) return "a failure got lost, or came from nowhere";
      const payload& result = const_cast<balancer&>(b).outcome();
      if (thrown_ == 0 && result != one_byte(done)) return "wrong result";
    }
    if (thrown_ == 0 && done != l_.work + 2 * (l_.spawns - spawns_)) return "a task got lost";
    return {};
  }

 private:
  void send(int to, message&& m) override { channel(sender_, to).push_back(std::move(m)); }
  std::vector<message>& channel(int from, int to) { return mail_[static_cast<unsigned>(from * l_.ranks + to)]; }
  const std::vector<message>& channel(int from, int to) const {
    return mail_[static_cast<unsigned>(from * l_.ranks + to)];
  }
  balancer& at(int r) {
    sender_ = r;
    return all_[static_cast<unsigned>(r)];
  }
  const balancer& of(int r) const { return all_[static_cast<unsigned>(r)]; }
  unsigned& work(int r) { return work_[static_cast<unsigned>(r)]; }
  unsigned work(int r) const { return work_[static_cast<unsigned>(r)]; }

  unsigned& done(int r) { return done_[static_cast<unsigned>(r)]; }

  void serve(int r) {
    const balancer::taker t = at(r).next_taker();
    if (work(r) >= 2 && !of(r).is_stopping()) {
      const unsigned half = work(r) / 2;
      work(r) -= half;
      at(r).give(t, one_byte(half));
    } else {
      at(r).refuse(t);
    }
  }

  /// Returns a seed with which rank `r` asks the `i`-th of its possible victims.
  std::uint64_t seed_for(int r, int i) {
    const int victim = i < r ? i : i + 1;
    std::uint64_t seed = 0;
    while (balancer_probe::victim_with(at(r), seed) != victim) ++seed;
    return seed;
  }

  void deliver(int from, int to) {
    message m = std::move(channel(from, to).front());
    channel(from, to).erase(channel(from, to).begin());
    const payload got = at(to).receive(from, std::move(m), work(to) == 0);
    if (!got.empty()) work(to) += static_cast<unsigned>(got[0]);
  }

  limits l_;
  std::vector<balancer> all_;
  std::vector<unsigned> work_, done_;
  unsigned spawns_ = 0, throws_ = 0, thrown_ = 0;
  std::vector<std::vector<message>> mail_;
  int sender_ = 0;
};

constexpr const char* nothing_to_do = "nothing to do, but not all ranks have ended";

struct exploration {
  std::size_t states = 0;
  std::string fault;
};

/// Visits every state that can be reached, breadth first.
exploration explore(const limits& l) {
  struct node {
    std::vector<std::uint32_t> before;  ///< states from which this one follows
    bool ends = false;
  };
  std::unordered_map<std::string, std::uint32_t> numbers;
  std::vector<node> nodes;
  std::deque<std::pair<std::uint32_t, world>> queue;
  exploration result;
  const auto add = [&](const world& w, std::uint32_t from) {
    const auto [at, is_new] = numbers.try_emplace(w.key(), static_cast<std::uint32_t>(nodes.size()));
    if (is_new) {
      nodes.push_back({{}, w.has_ended()});
      if (result.fault.empty()) result.fault = w.fault();
      queue.emplace_back(at->second, w);
    }
    nodes[at->second].before.push_back(from);
  };
  add(world{l}, 0);
  while (!queue.empty() && result.fault.empty()) {
    const auto [number, w] = std::move(queue.front());
    queue.pop_front();
    const std::vector<world::step> steps = w.steps();
    for (const world::step& s : steps) {
      world next{w};
      next.apply(s);
      add(next, number);
    }
    if (steps.empty() && !w.has_ended() && result.fault.empty()) result.fault = nothing_to_do;
  }
  result.states = nodes.size();
  if (!result.fault.empty()) return result;
  // Backwards from the ends: every state must be met.
  std::vector<std::uint32_t> open;
  std::vector<bool> met(nodes.size());
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].ends) {
      met[i] = true;
      open.push_back(i);
    }
  }
  while (!open.empty()) {
    const std::uint32_t i = open.back();
    open.pop_back();
    for (const std::uint32_t b : nodes[i].before) {
      if (met[b]) continue;
      met[b] = true;
      open.push_back(b);
    }
  }
  if (std::ranges::find(met, false) != met.end()) result.fault = "a state from which the ranks cannot end";
  return result;
}

TEST_CASE("every_order_of_messages_ends_with_the_right_result") {
  std::vector<limits> cases{{2, 3, 1, 0},            // requests and lifelines
                            {3, 4, 0, 0, 0, 3},      // work from rank 2 to 1 while rank 0 counts
                            {4, 2, 0, 1, 0, 4}};     // a failure that does not come by way of the tree
  if (std::getenv("TINE_MODEL_SCALE") != nullptr) {  // ./dev model --long
    cases.insert(cases.end(), {{2, 2, 2, 1},
                               {3, 2, 2, 0, 0},
                               {2, 3, 0, 2, 0},
                               {3, 2, 0, 0},
                               {3, 2, 0, 1, 0},
                               {3, 3, 1, 0, 0},
                               {4, 2, 0, 0, 0},
                               {4, 3, 0, 0, 0, 4}});
  }
  for (const limits& l : cases) {
    CAPTURE(l.ranks);
    CAPTURE(l.work);
    CAPTURE(l.spawns);
    CAPTURE(l.throws);
    const exploration e = explore(l);
    CHECK(e.fault == "");
    CHECK(e.states > 50);
    MESSAGE(l.ranks, " ranks, ", l.work, " tasks, ", l.spawns, " spawns, ", l.throws, " throws: ", e.states, " states");
  }
}

TEST_CASE("random_orders_of_messages_between_many_ranks_end_with_the_right_result") {
  const unsigned walks = std::getenv("TINE_MODEL_SCALE") != nullptr ? 100'000 : 1'500;
  for (unsigned seed = 5'500; seed < 5'500 + walks; ++seed) {  // 5,791 shows that one wave is not enough
    std::mt19937_64 random{seed};
    const auto up_to = [&random](unsigned n) { return static_cast<unsigned>(random() % (n + 1)); };
    const limits l{2 + static_cast<int>(up_to(6)),   1 + up_to(12), up_to(40),
                   up_to(7) == 0 ? 1 + up_to(1) : 0, up_to(2),      2 + up_to(2)};
    world w{l};
    std::string fault;
    unsigned length = 0;
    // Each walk has steps that are slow: those of some ranks, and messages between some pairs.
    const std::uint64_t slow = random() & random();
    const auto is_slow = [&](const world::step& x) {
      const unsigned own = x.what == world::step::kind::deliver ? 8 + static_cast<unsigned>(7 * x.rank + x.other) % 56
                                                                : static_cast<unsigned>(x.rank);
      return (slow >> own & 1) != 0;
    };
    for (; fault.empty(); ++length) {
      const std::vector<world::step> steps = w.steps();
      if (steps.empty()) {
        if (!w.has_ended()) fault = nothing_to_do;
        break;
      }
      // Counts are begun less often than they may be, or they take most of the steps.
      const world::step& s = steps[random() % steps.size()];
      if (random() % 32 != 0 && is_slow(s)) continue;
      if (s.what == world::step::kind::count && random() % 4 != 0) continue;
      w.apply(s);
      fault = w.fault();
      if (length > 100'000) fault = "no end";
    }
    if (!fault.empty())
      FAIL("seed ", seed, ", ", l.ranks, " ranks, ", l.work, " tasks, ", l.spawns, " spawns: ", fault);
  }
}

/// Collects what one rank sends.
struct outbox final : network {
  void send(int to, message&& m) override { all.emplace_back(to, std::move(m)); }
  std::vector<std::pair<int, message::kind>> take() {
    std::vector<std::pair<int, message::kind>> kinds;
    for (const auto& [to, m] : all) kinds.emplace_back(to, m.what);
    all.clear();
    return kinds;
  }
  std::vector<std::pair<int, message>> all;
};

TEST_CASE("a_thief_asks_random_ranks_then_lifelines_and_again_after_it_got_work") {
  using kind = message::kind;
  using sent = std::vector<std::pair<int, kind>>;
  outbox out;
  balancer thief{{.rank = 1, .ranks = 2, .random_tries = 2}, 1, out};
  for (int round = 0; round < 3; ++round) {
    thief.seek();
    CHECK(out.take() == sent{{0, kind::request}});
    thief.seek();
    CHECK(out.take().empty());  // the answer is missing
    thief.receive(0, message{.what = kind::refusal}, true);
    thief.seek();
    CHECK(out.take() == sent{{0, kind::request}});
    if (round == 0) {
      CHECK(thief.receive(0, message{.what = kind::work, .data = one_byte(1)}, true) == one_byte(1));
      continue;
    }
    thief.receive(0, message{.what = kind::refusal}, true);
    thief.seek();
    CHECK(out.take() == sent{{0, kind::lifeline}});
    thief.seek();
    CHECK(out.take().empty());  // it is registered
    CHECK(thief.receive(0, message{.what = kind::work, .flag = true, .data = one_byte(1)}, true) == one_byte(1));
  }
}

TEST_CASE("a_victim_says_whether_work_is_for_a_lifeline") {
  outbox out;
  balancer victim{{.rank = 0, .ranks = 2}, 1, out};
  for (const bool by_lifeline : {true, false}) {
    victim.receive(1, message{.what = by_lifeline ? message::kind::lifeline : message::kind::request}, false);
    REQUIRE(victim.has_taker());
    victim.give(victim.next_taker(), one_byte(1));
    REQUIRE(out.all.size() == 1);
    CHECK(out.all[0].second.flag == by_lifeline);
    out.all.clear();
  }
}

TEST_CASE("lifelines_connect_all_ranks") {
  for (const unsigned radix : {2U, 3U, 4U, 8U, 32U}) {
    for (int ranks = 1; ranks <= 70; ++ranks) {
      std::vector<bool> met(static_cast<unsigned>(ranks));
      std::vector<int> open{0};
      met[0] = true;
      while (!open.empty()) {
        const int r = open.back();
        open.pop_back();
        const std::vector<int> next = balancer::lifelines_of(r, ranks, radix);
        CHECK(next.size() <= 7);
        for (const int n : next) {
          REQUIRE(n >= 0);
          REQUIRE(n < ranks);
          REQUIRE(n != r);
          if (met[static_cast<unsigned>(n)]) continue;
          met[static_cast<unsigned>(n)] = true;
          open.push_back(n);
        }
      }
      CAPTURE(radix);
      CAPTURE(ranks);
      CHECK(std::ranges::find(met, false) == met.end());
    }
  }
  CHECK(balancer::lifelines_of(5, 8, 2) == std::vector<int>{4, 7, 1});
}

}  // namespace
}  // namespace tine::mpi::detail
