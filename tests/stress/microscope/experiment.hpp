// A random program, the notes that its run by the scheduler makes at each event, and the comparison of these notes with
// a serial walk of the part that ran.
#pragma once

#include "stress/command.hpp"
#include "stress/microscope/player.hpp"
#include "stress/microscope/scene.hpp"

#include <tine/augment/labels.hpp>
#include <tine/augment/random.hpp>
#include <tine/augment/space.hpp>

#include "unit/augment/changes.hpp"
#include "unit/augment/right_answers.hpp"
#include "unit/augment/serial_driver.hpp"
#include "unit/augment/tally.hpp"

#include <cstdint>
#include <random>
#include <tuple>
#include <vector>

namespace tine::stress {

using namespace test;
using labels::labelled;

using names = std::tuple<labels::offset_span, labels::english_hebrew, labels::depa, labels::pedigree>;

/// Calls `f` with each kind of name.
template <class F>
void for_each_name(F f) {
  std::apply([&](const auto&... name) { (f(name), ...); }, names{});
}

/// The notes of an event: the number of its occurrences, and the answers of the vertices of its strand.
struct record {
  int times = 0;
  names name{};
  std::uint64_t random = 0;
};

/// Compares a run with its expected outcome. Ends the program if they differ.
struct judge {
  unsigned long long seed;
  const char* setting;

  void expect(bool claim, const char* what) const {
    if (!claim) fail("%s, program %llu: %s", setting, seed, what);
  }
};

inline long units_of(event e) { return 1 + static_cast<long>(e % 5); }

/// Spends the time of an event: most events are short, and a few take some twenty microseconds.
inline void spend_time(event e, std::uint64_t seed) {
  const std::uint64_t h = mix(seed + e);
  volatile double x = 1;
  for (std::uint64_t n = (h & 31) == 0 ? 20'000 : h >> 8 & 63; n != 0; --n) x = x * 1.0000001 + 1e-9;
}

/// A program, the way in which it is run, and the notes of its run.
class experiment {
 public:
  explicit experiment(std::uint64_t seed)
      : seed_{seed},
        random_{seed},
        drawn_{draw(random_)},
        all_{scene_maker{random_, rarity(random_)}.make(drawn_.root)},
        changes_{random_changes(drawn_.events, random_)},
        records_(drawn_.events) {}

  void run() {
    const player play{[this](event e) { hear(e); }};
    try {
      if (has_plain_) {
        augment_into([&] { play.play(all_); }, space_, stream_, tally_, turns_, plain_, a_, b_, c_, d_);
      } else {
        augment_into([&] { play.play(all_); }, space_, stream_, tally_, turns_, a_, b_, c_, d_);
      }
    } catch (const oops&) {
      threw_ = true;
    }
  }

  void check(const judge& j) {
    const as_it_went view{false};
    const sp_program ran{view.of(all_), drawn_.events};
    j.expect(threw_ == breaks_off(all_), "an exception came out, or none did");
    begun_as_in_serial(all_, j);
    std::vector<event> heard;
    list(ran.root, heard);
    check_times(heard, j);
    for_each_name([&](const auto& kind) { check_names(kind, ran, heard, j); });
    check_vertices(ran, heard, j);
    check_regions(all_, view, j);
  }
  std::size_t events() const { return drawn_.events; }

 private:
  /// Draws a program. One program in eight is a recursion.
  static sp_program draw(std::mt19937_64& random) {
    if (random() % 8 != 0) return program_maker{random, 10 + random() % 70}.make();
    sp_program p;
    p.root = recursion(3 + static_cast<int>(random() % 6), p.events);
    return p;
  }
  /// Draws the rarity of exceptions. Half of the programs have none.
  static std::uint64_t rarity(std::mt19937_64& random) {
    return random() % 2 == 0 ? ~std::uint64_t{0} : 4 + random() % 30;
  }

  void hear(event e) {
    record& r = records_[e];
    ++r.times;
    for_each_name([&]<class Name>(const Name&) { std::get<Name>(r.name) = current_vertex<labelled<Name>>()->label(); });
    r.random = (*current_vertex<random_stream>())();
    apply(*current_vertex<space>(), changes_[e]);
    spend<loop_tally, tally>(units_of(e));
    current_vertex<alternation>()->wrong += !current_vertex<alternation>()->runs;
    spend_time(e, seed_);
  }

  /// Expects that all parts have begun that a serial run begins. Other parts may have begun, too. Returns true if the
  /// serial run of `p` ends by an exception.
  bool begun_as_in_serial(const part& p, const judge& j) const {
    j.expect(p.begun, "a branch did not begin that had to");
    for (const scene& s : p.body) {
      bool thrown = s.throws;
      for (const part& below : s.parts) {
        thrown = begun_as_in_serial(below, j) || thrown;
        if (thrown && !s.is_coroutine) break;
      }
      if (thrown && !s.catches) return true;
    }
    return false;
  }

  static void list(const block& b, std::vector<event>& to) {
    for (const step& s : b) {
      if (s.is == step::kind::act) to.push_back(s.what);
      for (const branch& one : s.branches) list(one.body, to);
    }
  }

  void check_times(const std::vector<event>& heard, const judge& j) const {
    std::vector<int> times(drawn_.events);
    for (const event e : heard) times[e] = 1;
    for (event e = 0; e < drawn_.events; ++e)
      j.expect(records_[e].times == times[e], "an event came too often, or not");
  }

  template <class Name>
  void check_names(const Name&, const sp_program& ran, const std::vector<event>& heard, const judge& j) {
    const auto found = [&](event e) -> const Name& { return std::get<Name>(records_[e].name); };
    play<labelled<Name>>(ran, seed_, [&](labelled<Name>& v, event e) {
      j.expect(v.label() == found(e) && to_string(v.label()) == to_string(found(e)), "a label differs");
    });
    const sp_graph graph{ran};
    for (int pairs = heard.empty() ? 0 : 100; pairs != 0; --pairs) {
      const event x = heard[random_() % heard.size()], y = heard[random_() % heard.size()];
      j.expect(right_answers(found(x), found(y), x, y, graph), "two labels do not tell what the graph says");
    }
  }

  void check_vertices(const sp_program& ran, const std::vector<event>& heard, const judge& j) const {
    play<random_stream>(
        ran, seed_, [&](auto& v, event e) { j.expect(v() == records_[e].random, "a random number differs"); },
        random_stream{seed_});
    const auto held = play<space>(ran, seed_, [&](auto& v, event e) { apply(v, changes_[e]); });
    std::vector<change> in_order;
    for (const event e : heard) in_order.push_back(changes_[e]);
    j.expect(space_.profile().serial_peak() == serial_peak(in_order), "S1 differs");
    j.expect(space_.profile().worst_peak() == held.profile().worst_peak(), "S-infinity differs");
    j.expect(space_.profile().held() == held.profile().held(), "what is held at the end differs");
    j.expect(turns_.end() == 0, "a vertex was not started and stopped in turn");
    const auto work = [](auto& v, event e) { v.work += units_of(e), v.span += units_of(e); };
    const auto total = play<loop_tally>(ran, seed_, work);
    j.expect(tally_ == total, "work, span, forks or loops differ");
    if (!has_plain_) return;
    const auto plain = play<loop_tally>({as_it_went{true}.of(all_), drawn_.events}, seed_, work);
    j.expect(plain_ == tally{plain.work, plain.span, plain.forks}, "work, span or forks differ where loops are forks");
  }

  /// Expects that each region in the program has counted the forks and loops below it.
  static void check_regions(const part& p, const as_it_went& view, const judge& j) {
    if (!p.begun) return;
    for (const scene& s : p.body) {
      for (const part& below : s.parts) check_regions(below, view, j);
      if (s.is_region) {
        sp_program inside;
        view.add(inside.root, s);
        const auto counts = play<loop_tally>(inside, 0, [](auto&, event) {});
        const bool same = s.inside.forks == static_cast<std::uint64_t>(counts.forks) &&
                          s.inside.loops == static_cast<std::uint64_t>(counts.loops);
        j.expect(same, "an inner region counts other forks or loops");
      }
      if (lets_out(s)) return;
    }
  }

  const std::uint64_t seed_;
  std::mt19937_64 random_;
  const sp_program drawn_;
  part all_;
  const std::vector<change> changes_;
  std::vector<record> records_;
  const bool has_plain_ = random_() % 4 == 0;
  bool threw_ = false;

  space space_;
  random_stream stream_{seed_};
  loop_tally tally_;
  alternation turns_;
  tally plain_;  ///< if `has_plain_`: the only vertex that knows nothing of loops
  labelled<labels::offset_span> a_;
  labelled<labels::english_hebrew> b_;
  labelled<labels::depa> c_;
  labelled<labels::pedigree> d_;
};

}  // namespace tine::stress
