// Random programs, recorded and replayed. A replay in recorded order runs every strand on its worker and in its turn;
// an unordered replay runs every strand on its worker. A relaxed replay gives the right answer, and a record that a
// further replay follows, nearly always exactly: the program prints how often. Replays of wrong schedules (of another
// program, or changed at random) may be slow, but their answers are right and none hangs. After a few strands, signals
// of thieves come after each instruction.
//
// Long form: 10^4 programs at 2, 4 and 8 workers each, and 10^5 changed schedules.
#include "command.hpp"
#include "replay/mutation.hpp"
#include "replay/program.hpp"
#include "settings.hpp"

#include <cstdio>
#include <initializer_list>
#include <optional>

namespace {

using namespace tine::stress;
using tine::replay_mode;

struct outcome {
  std::pair<bool, text> answer;
  journal::entries who;
};

struct tally {
  long programs = 0, steals = 0, again = 0, mutants = 0, refused = 0;
} sum;

/// The circumstances of a replay, for messages.
struct scene {
  const char* setting;
  std::uint64_t seed;
  const char* what;

  [[noreturn]] void fails(const char* why) const {
    fail("%s, seed %llu, %s: %s", setting, static_cast<unsigned long long>(seed), what, why);
  }
};

program program_of(std::uint64_t seed) {
  const std::uint64_t h = mix(seed + 7);
  return {seed,
          2 + static_cast<int>(h % 5),
          {(h >> 8) % 3 != 0 ? 0 : 40 + static_cast<int>((h >> 9) % 200), (h >> 20) % 2 == 0, (h >> 21) % 2 == 0}};
}

template <class Region>
outcome observe(Region region) {
  diary.clear();
  outcome o;
  region(o.answer);
  o.who = diary.get();
  return o;
}

struct followed {
  outcome seen;
  tine::replayed report;
};

followed follow(tine::pool& p, const tine::schedule& s, replay_mode how, const program& what) {
  followed f;
  f.seen = observe(
      [&](auto& answer) { f.report = p.run([&] { return tine::replay(s, how, [&] { answer = what.play(); }); }); });
  return f;
}

/// Returns the number of begins that a report counts: the steals, and the joins after them.
std::size_t begins_in(const tine::schedule& s) {
  const auto is_joined = [](const tine::schedule::step& t) {
    return t.what != tine::schedule::kind::run && t.after.owner != tine::schedule::no_worker;
  };
  return s.steals() + static_cast<std::size_t>(std::ranges::count_if(s.steps(), is_joined));
}

/// Returns true if the program never throws. The strands that an exception stops depend on the time, so programs that
/// throw are compared by their answers alone.
bool is_exact(const scene& where) { return program_of(where.seed).of.throws == 0; }

void check_strict(const followed& f, const outcome& recorded, const tine::schedule& s, const scene& where) {
  if (f.seen.answer != recorded.answer) where.fails("another answer than recorded");
  if (!is_exact(where)) return;
  if (journal::sorted(f.seen.who) != journal::sorted(recorded.who)) where.fails("a strand ran on another worker");
  const tine::replayed& r = f.report;
  if (r.diverged != 0 || r.skipped != 0 || r.matched != begins_in(s)) {
    fail("%s, seed %llu, %s: of %zu begins %llu were followed, %llu were void; it diverged %llu times", where.setting,
         static_cast<unsigned long long>(where.seed), where.what, begins_in(s),
         static_cast<unsigned long long>(r.matched), static_cast<unsigned long long>(r.skipped),
         static_cast<unsigned long long>(r.diverged));
  }
  if (begins_in(f.report.performed) != begins_in(s)) where.fails("something else was performed than recorded");
}

void check_ordered(const followed& f, const outcome& recorded, const tine::schedule& s, const scene& where) {
  check_strict(f, recorded, s, where);
  if (is_exact(where) && f.seen.who != recorded.who) where.fails("a worker ran its strands in another order");
}

tine::schedule through_text(const tine::schedule& s, const scene& where) {
  const tine::schedule again = tine::schedule::from_json(s.to_json());
  if (again != s) where.fails("its text gives another schedule");
  return again;
}

constexpr std::initializer_list<replay_mode> modes{replay_mode::strict_ordered, replay_mode::strict_unordered,
                                                   replay_mode::relaxed};

void follow_wrongly(tine::pool& p, const tine::schedule& s, const program& what, std::pair<bool, text> expected,
                    const scene& where) {
  for (const replay_mode how : modes) {
    if (follow(p, s, how, what).seen.answer != expected) where.fails("a wrong schedule gave a wrong answer");
  }
}

/// Follows a schedule that was changed after its recording in both strict modes. Where a replay doesn't diverge, each
/// strand runs on the same worker every time. `fits`: no replay may diverge. (It may skip joins: without the steals
/// before it a strand comes to a join on another worker, and plain code stays on that.)
void check_repeats(tine::pool& p, const tine::schedule& s, const program& what, std::pair<bool, text> expected,
                   bool fits, const scene& where) {
  std::optional<journal::entries> first;
  for (const replay_mode how :
       {replay_mode::strict_ordered, replay_mode::strict_unordered, replay_mode::strict_ordered}) {
    const followed f = follow(p, s, how, what);
    if (f.seen.answer != expected) where.fails("another answer");
    if (!is_exact(where)) continue;
    const bool differs = f.report.diverged != 0;
    if (differs && fits) where.fails(("it diverged: " + f.report.first_divergence).c_str());
    if (differs) continue;
    const journal::entries who = journal::sorted(f.seen.who);
    if (first && who != *first) where.fails("two replays put a strand on different workers, and neither diverged");
    first = who;
  }
}

void compare(tine::pool& p, std::uint64_t seed, const char* setting, int mutants) {
  const program what = program_of(seed);
  const auto expected = tine::sequential([&] { return what.play(); });
  tine::schedule s;
  const outcome recorded =
      observe([&](auto& answer) { s = p.run([&] { return tine::record([&] { answer = what.play(); }); }); });
  if (recorded.answer != expected) scene{setting, seed, "recording"}.fails("another answer than in serial");
  s = through_text(s, {setting, seed, "saving"});
  check_ordered(follow(p, s, replay_mode::strict_ordered, what), recorded, s, {setting, seed, "in order"});
  check_strict(follow(p, s, replay_mode::strict_unordered, what), recorded, s, {setting, seed, "unordered"});
  const followed relaxed = follow(p, s, replay_mode::relaxed, what);
  if (relaxed.seen.answer != expected) scene{setting, seed, "relaxed"}.fails("another answer than in serial");
  check_repeats(p, relaxed.report.performed, what, expected, true, {setting, seed, "what a relaxed replay performed"});
  tine::schedule fewer = s;
  fewer.prune(static_cast<double>(10 + mix(seed) % 91));
  check_repeats(p, fewer, what, expected, true, {setting, seed, "a pruned schedule"});
  const followed again = follow(p, relaxed.report.performed, replay_mode::strict_ordered, what);
  if (again.seen.answer != expected) scene{setting, seed, "what a relaxed replay performed"}.fails("another answer");
  if (journal::sorted(again.seen.who) == journal::sorted(relaxed.seen.who)) ++sum.again;
  follow_wrongly(p, s, program_of(seed + 1'000'000'007),
                 tine::sequential([&] { return program_of(seed + 1'000'000'007).play(); }),
                 {setting, seed, "another program's schedule"});
  for (int i = 0; i < mutants; ++i) {
    const std::optional<tine::schedule> changed = mutated(s, seed * 31 + static_cast<std::uint64_t>(i));
    if (!changed) {
      ++sum.refused;
      continue;
    }
    ++sum.mutants;
    check_repeats(p, *changed, what, expected, false, {setting, seed, "changed schedule"});
    follow_wrongly(p, *changed, what, expected, {setting, seed, "changed schedule"});
  }
  ++sum.programs;
  sum.steals += static_cast<long>(s.steals());
}

void try_workers(unsigned workers, const command& c, watchdog& dog) {
  sum = {};
  interrupted_strands = c.is_long ? 1'000 : 16'000;
  const long enough = c.is_long ? 10'000 : 80;
  play(
      workers, c, dog, 10, [&](long played) { return played < enough; },
      [&](tine::pool& p, std::uint64_t seed, const char* name, int) { compare(p, seed, name, c.is_long ? 8 : 4); });
  std::printf("%u workers: %ld programs with %ld steals followed exactly, %ld of them again after a relaxed replay; ",
              workers, sum.programs, sum.steals, sum.again);
  std::printf("%ld changed schedules (%ld refused), all answers right\n", sum.mutants, sum.refused);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
  const tine::test::each_instruction stepping{SIGURG, nullptr, 2'000};
  run_test(count, words, "replay", {2, 4, 8}, try_workers);
  std::printf("signals after each of %ld instructions\n", tine::test::each_instruction::steps());
  return 0;
}
