// See timeline.hpp. One pass over the events of all workers, in the order of time.
#include "report/timeline.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace tine::report {
namespace {

using kind = trace::timeline_event::kind;

/// The activity of a worker follows from its own events; the reason of a gap depends on the events of other workers,
/// too.
enum class activity : std::uint8_t { outside, running, searching, asleep };

struct worker_now {
  activity does = activity::outside;
  bool sees_work = false;
  bool lacks_token = false;
  std::uint32_t waiting = 0;            ///< its strands that wait
  std::uint64_t stolen = 0;             ///< the task that it has stolen, and is about to take
  std::uint32_t site = trace::nothing;  ///< of the strand that it runs
  period open;
};

/// The work of a pool that workers could have.
struct pool_now {
  std::uint32_t queued = 0;         ///< tasks
  std::uint32_t sights = 0;         ///< thieves that see a pending record
  std::uint32_t without_token = 0;  ///< owners that lack a token
  std::uint32_t idle = 0;           ///< workers without work
  shortage open;                    ///< the begin is 0 if there is none
  std::vector<std::uint32_t> members;
};

struct promoted_task {
  std::uint32_t by;
  std::uint64_t time;
};

/// A strand that waits.
struct waiting_strand {
  std::uint32_t worker;  ///< that it has left
  std::uint32_t site;
};

/// An event that changes the activity of its worker.
struct change_of_activity {
  kind by;
  activity before, after;
};
constexpr change_of_activity changes[] = {
    {kind::arrives, activity::outside, activity::searching}, {kind::leaves, activity::searching, activity::outside},
    {kind::runs, activity::searching, activity::running},    {kind::rests, activity::running, activity::searching},
    {kind::sleeps, activity::searching, activity::asleep},   {kind::wakes, activity::asleep, activity::searching}};

/// Returns the change of the activity that such an event makes; null if it makes none.
const change_of_activity* change_by(kind k) {
  const auto* const at = std::ranges::find(changes, k, &change_of_activity::by);
  return at != std::end(changes) ? at : nullptr;
}

class pass {
 public:
  explicit pass(const trace::profile& p) : p_{p}, now_(p.timeline_workers.size()) {
    t_.begin = p.timeline.front().begin;
    t_.end = std::max(p.timeline.front().end, t_.begin);
    t_.times.resize(now_.size());
    t_.counts.resize(now_.size());
    for (std::uint32_t w = 0; w < now_.size(); ++w) {
      pools_[p.timeline_workers[w].pool].members.push_back(w);
      numbers_[{p.timeline_workers[w].pool, p.timeline_workers[w].worker}] = w;
    }
  }

  timeline run() {
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < p_.timeline_events.size(); ++i) {
      if (p_.timeline_events[i].time <= t_.end) order.push_back(i);
    }
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair{p_.timeline_events[a].time, a} < std::pair{p_.timeline_events[b].time, b};
    });
    const auto first =
        std::ranges::partition_point(order, [&](std::uint32_t i) { return p_.timeline_events[i].time < t_.begin; });
    find_sites();
    begin_workers({order.begin(), first}, {first, order.end()});
    for (auto i = first; i != order.end(); ++i) step(p_.timeline_events[*i]);
    finish();
    return std::move(t_);
  }

 private:
  void find_sites() {
    for (const trace::timeline_event& e : p_.timeline_events) {
      if (e.is == kind::begins && e.subject != 0) t_.sites.push_back(e.subject);
    }
    std::ranges::sort(t_.sites);
    t_.sites.erase(std::unique(t_.sites.begin(), t_.sites.end()), t_.sites.end());
  }

  std::uint32_t number_of_site(std::uint64_t address) const {
    if (address == 0) return trace::nothing;
    return static_cast<std::uint32_t>(std::ranges::lower_bound(t_.sites, address) - t_.sites.begin());
  }

  pool_now& pool_of(std::uint32_t w) { return pools_[p_.timeline_workers[w].pool]; }

  /// Returns the worker with that number in the pool of `w`.
  std::uint32_t other(std::uint32_t w, std::uint32_t number) const {
    const auto at = numbers_.find({p_.timeline_workers[w].pool, number});
    return at != numbers_.end() ? at->second : trace::nothing;
  }

  /// Finds out what each worker does at the begin: from its last event before, or else from its first one afterwards.
  void begin_workers(std::span<const std::uint32_t> before_begin, std::span<const std::uint32_t> after_begin) {
    std::vector<bool> known(now_.size());
    for (const std::uint32_t i : before_begin) {
      const trace::timeline_event& e = p_.timeline_events[i];
      if (e.is == kind::begins) now_[e.worker].site = number_of_site(e.subject);
      const change_of_activity* const change = change_by(e.is);
      if (change == nullptr) continue;
      known[e.worker] = true;
      now_[e.worker].does = change->after;
    }
    for (const std::uint32_t i : after_begin) {
      const trace::timeline_event& e = p_.timeline_events[i];
      const change_of_activity* const change = known[e.worker] ? nullptr : change_by(e.is);
      if (change == nullptr) continue;
      known[e.worker] = true;
      now_[e.worker].does = change->before;
    }
    for (std::uint32_t w = 0; w < now_.size(); ++w) {
      now_[w].open = {w, worker_state::outside, t_.begin, t_.begin, trace::nothing};
      count(now_[w].does, 1);
    }
    for (auto& [number, pool] : pools_) refresh_all(pool, t_.begin);
    add_level(t_.begin);
  }

  worker_state state_of(std::uint32_t w, const pool_now& pool) const {
    const worker_now& n = now_[w];
    if (n.does == activity::outside) return worker_state::outside;
    if (n.does == activity::running) return worker_state::running;
    if (pool.without_token != 0) return worker_state::no_token;
    if (pool.queued != 0 || pool.sights != 0) return worker_state::getting_work;
    return n.waiting != 0 ? worker_state::waiting : worker_state::no_work;
  }

  void refresh(std::uint32_t w, pool_now& pool, std::uint64_t time) {
    const worker_state is = state_of(w, pool);
    const std::uint32_t site = is == worker_state::running ? now_[w].site : trace::nothing;
    period& open = now_[w].open;
    if (is == open.is && site == open.site) return;
    pool.idle += static_cast<std::uint32_t>(is_idle(is)) - static_cast<std::uint32_t>(is_idle(open.is));
    close(w, time);
    open.is = is;
    open.site = site;
  }

  /// Gives all workers of a pool their states.
  void refresh_all(pool_now& pool, std::uint64_t time) {
    for (const std::uint32_t w : pool.members) refresh(w, pool, time);
    note_shortage(pool, time);
  }

  /// Ends the open period of a worker, which begins a new one of the same state.
  void close(std::uint32_t w, std::uint64_t time) {
    period& open = now_[w].open;
    open.end = std::max(time, open.begin);
    if (open.end != open.begin) {
      t_.periods.push_back(open);
      t_.times[w][static_cast<std::size_t>(open.is)] += open.end - open.begin;
    }
    open.begin = open.end;
  }

  void note_shortage(pool_now& pool, std::uint64_t time) {
    const bool is_short = pool.idle != 0 && (pool.without_token != 0 || pool.queued != 0 || pool.sights != 0);
    if (is_short && pool.open.begin == 0) {
      pool.open = {.begin = time, .is_for_tokens = true};
      for (const std::uint32_t w : pool.members) {
        const bool has_work = pool.without_token != 0 ? now_[w].lacks_token : now_[w].does == activity::running;
        if (has_work && pool.open.owner == trace::nothing) {
          pool.open.owner = w;
          pool.open.site = now_[w].site;
        }
      }
    }
    if (pool.open.begin == 0) return;
    if (is_short) {
      pool.open.idle = std::max(pool.open.idle, pool.idle);
      pool.open.is_for_tokens = pool.open.is_for_tokens && pool.without_token != 0;
      return;
    }
    pool.open.end = time;
    if (pool.open.end > pool.open.begin) t_.shortages.push_back(pool.open);
    pool.open = {};
  }

  void add_level(std::uint64_t time) {
    level l = levels_;
    l.time = time;
    if (!t_.levels.empty()) {
      level& last = t_.levels.back();
      if (l.queued == last.queued && l.awake == last.awake && l.busy == last.busy) return;
      if (last.time == time) {
        last = l;
        return;
      }
    }
    t_.levels.push_back(l);
  }

  /// Adds `by`, 1 or −1, to the numbers of workers with that activity.
  void count(activity does, int by) {
    if (does == activity::running) levels_.busy += static_cast<std::uint32_t>(by);
    if (does == activity::running || does == activity::searching) levels_.awake += static_cast<std::uint32_t>(by);
  }

  void set(bool& flag, bool value, std::uint32_t& count) {
    if (flag == value) return;
    flag = value;
    value ? ++count : --count;
  }

  void become(std::uint32_t w, activity does) {
    worker_now& n = now_[w];
    count(n.does, -1);
    count(does, 1);
    n.does = does;
    set(n.sees_work, false, pool_of(w).sights);
    if (does != activity::running) set(n.lacks_token, false, pool_of(w).without_token);
  }

  void queue(std::uint32_t w, std::uint64_t task, std::uint64_t time) {
    // A record is queued once at a time; only the continuation of a coroutine may be queued several times, and its
    // address is odd.
    if (task % 2 == 0) unqueue(w, task);
    ++pool_of(w).queued;
    ++levels_.queued;
    tasks_[task].push_back({w, time});
  }

  /// A task is not queued any more. Returns its promotion, if it is known.
  std::optional<promoted_task> unqueue(std::uint32_t w, std::uint64_t task) {
    const auto at = tasks_.find(task);
    if (at == tasks_.end()) return std::nullopt;
    const promoted_task first = at->second.front();
    at->second.pop_front();
    if (at->second.empty()) tasks_.erase(at);
    --pool_of(w).queued;
    --levels_.queued;
    return first;
  }

  void resume(std::uint32_t w, std::uint64_t strand, std::uint32_t left) {
    const auto at = waiting_.find(strand);
    now_[w].site = at != waiting_.end() ? at->second.site : trace::nothing;
    const std::uint32_t origin = at != waiting_.end() ? at->second.worker : left;
    if (origin != trace::nothing && now_[origin].waiting != 0) --now_[origin].waiting;
    if (at != waiting_.end()) waiting_.erase(at);
  }

  void leave(std::uint32_t w, std::uint64_t strand) {
    waiting_[strand] = {w, now_[w].site};
    ++now_[w].waiting;
  }

  /// The worker has lost the last `lost` nanoseconds of what it runs.
  void split(std::uint32_t w, std::uint64_t time, std::uint64_t lost) {
    period& open = now_[w].open;
    if (open.is != worker_state::running) return;
    close(w, time - std::min(time, lost));
    open.is = worker_state::interrupted;
    close(w, time);
    open.is = worker_state::running;
  }

  void step(const trace::timeline_event& e) {
    const std::uint32_t w = e.worker;
    pool_now& pool = pool_of(w);
    const auto reason = [&] { return std::pair{pool.without_token != 0, pool.queued != 0 || pool.sights != 0}; };
    const auto reason_before = reason();
    apply(e, now_[w], t_.counts[w]);
    if (reason() != reason_before) return refresh_all(pool, e.time), add_level(e.time);
    refresh(w, pool, e.time);
    if (e.is == kind::resumes) refresh_all(pool, e.time);  // the worker that the strand had left has another reason
    note_shortage(pool, e.time);
    add_level(e.time);
  }

  void apply(const trace::timeline_event& e, worker_now& n, event_counts& counts) {
    const std::uint32_t w = e.worker;
    if (const change_of_activity* const change = change_by(e.is)) become(w, change->after);
    switch (e.is) {
      case kind::begins:
        n.site = number_of_site(e.subject);
        return;
      case kind::promotes:
      case kind::promotes_late:
        ++counts.promotions;
        return queue(w, e.subject, e.time);
      case kind::reclaims:
        ++counts.reclaimed;
        unqueue(w, e.subject);
        return;
      case kind::takes:
        if (std::exchange(n.stolen, 0) != e.subject) unqueue(w, e.subject);
        return;
      case kind::steals:
        ++counts.steals;
        n.stolen = e.subject;
        if (const auto from = unqueue(w, e.subject)) t_.flows.push_back({from->by, w, from->time, e.time});
        return;
      case kind::suspends:
        ++counts.suspensions;
        return leave(w, e.subject);
      case kind::parks:
        return leave(w, e.subject);
      case kind::resumes:
        return resume(w, e.subject, other(w, e.other));
      case kind::returns:
        return resume(w, e.subject, trace::nothing);
      case kind::lacks_token:
        return set(n.lacks_token, true, pool_of(w).without_token);
      case kind::serves_again:
        return set(n.lacks_token, false, pool_of(w).without_token);
      case kind::sees_work:
        return set(n.sees_work, true, pool_of(w).sights);
      case kind::sees_none:
        return set(n.sees_work, false, pool_of(w).sights);
      case kind::interrupts:
        ++counts.signals;
        return;
      case kind::loses:
        return split(w, e.time, e.subject);
      case kind::sleeps:
        ++counts.sleeps;
        return;
      case kind::arrives:
      case kind::leaves:
      case kind::runs:
      case kind::rests:
      case kind::wakes:
      case kind::interrupted:
        return;
    }
  }

  void finish() {
    for (auto& [number, pool] : pools_) {
      pool.idle = 0;
      note_shortage(pool, t_.end);
    }
    for (std::uint32_t w = 0; w < now_.size(); ++w) close(w, t_.end);
    std::ranges::sort(t_.periods, {}, [](const period& s) { return std::pair{s.worker, s.begin}; });
    std::ranges::sort(t_.flows, {}, [](const flow& f) { return std::tuple{f.promoted, f.from, f.stolen, f.to}; });
    std::ranges::sort(t_.shortages, {}, [](const shortage& s) { return std::pair{~(s.end - s.begin), s.begin}; });
  }

  const trace::profile& p_;
  timeline t_;
  level levels_;
  std::vector<worker_now> now_;
  std::map<std::uint32_t, pool_now> pools_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers_;  ///< pool and number → worker
  std::unordered_map<std::uint64_t, std::deque<promoted_task>> tasks_;        ///< queued tasks by their address
  std::unordered_map<std::uint64_t, waiting_strand> waiting_;
};

}  // namespace

std::string_view name_of(worker_state s) noexcept {
  constexpr std::array<std::string_view, worker_states> names{"running", "in the kernel", "getting work", "no token",
                                                              "waiting", "no work",       "outside"};
  return names[static_cast<std::size_t>(s)];
}

std::uint64_t timeline::time_of(worker_state s) const {
  std::uint64_t sum = 0;
  for (const auto& worker : times) sum += worker[static_cast<std::size_t>(s)];
  return sum;
}

namespace {

/// Returns the periods with neighbours that are both shorter than `shortest` merged.
std::vector<shown_period> merged_below(const timeline& t, std::uint64_t shortest) {
  std::vector<shown_period> all;
  for (const period& p : t.periods) {
    const bool is_short = p.end - p.begin < shortest;
    shown_period* const last = all.empty() || all.back().worker != p.worker ? nullptr : &all.back();
    if (is_short && last != nullptr && (last->is == shown_period::kind::mixed || last->end - last->begin < shortest)) {
      last->is = shown_period::kind::mixed;
      last->end = p.end;
      last->site = trace::nothing;
    } else {
      all.push_back({p.worker, static_cast<shown_period::kind>(p.is), p.begin, p.end, p.site});
    }
  }
  return all;
}

}  // namespace

std::vector<shown_period> shown_periods(const timeline& t, std::size_t most) {
  std::uint64_t shortest = 0;
  std::vector<shown_period> all = merged_below(t, shortest);
  // With few workers this ends when all of them are merged.
  while (all.size() > most && shortest < t.end - t.begin) {
    shortest = std::max<std::uint64_t>(2 * shortest, 100);
    all = merged_below(t, shortest);
  }
  return all;
}

timeline timeline_of(const trace::profile& p) {
  if (p.timeline.empty()) return {};
  return pass{p}.run();
}

std::string name_of_worker(const trace::profile& p, std::uint32_t worker) {
  const trace::timeline_worker& w = p.timeline_workers[worker];
  const bool several =
      std::ranges::any_of(p.timeline_workers, [](const trace::timeline_worker& each) { return each.pool != 0; });
  return "worker " + std::to_string(w.worker) + (several ? " of pool " + std::to_string(w.pool) : "");
}

std::string timeline::label(std::uint32_t site) const {
  if (site == trace::nothing) return "root";
  if (site >= places.size()) return hexadecimal(sites[site]);
  const std::string line = places[site].short_line();
  return places[site].name() + (line.empty() ? "" : " (" + line + ")");
}

}  // namespace tine::report
