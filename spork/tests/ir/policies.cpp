// Runs compiled programs under every promotion policy, on one, two and four workers, also observed: then all runs make
// the same graph. `policies FILE...` takes the files that contain an answer, `policies --random SEED COUNT` generates
// programs. All programs run in one process, because the start of a process costs more than most of the programs.
#include "ir/codegen/jit.hpp"
#include "ir/generate.hpp"
#include "ir/interpret.hpp"
#include "ir/load.hpp"
#include "ir/pipeline.hpp"

#include <tine/augment/augment.hpp>
#include <tine/managed/par.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace tine;

struct policy {
  const char* name;
  promotion promote;
};

constexpr policy policies[] = {
    {"on demand", promotion::on_demand()}, {"heartbeat", promotion::heartbeat(20, 4)}, {"eager", promotion::eager()}};

/// The forks of a graph, and the greatest number of forks one after the other.
struct shape {
  unsigned long long forks = 0, height = 0;

  void join(shape& left, shape& right, shape& after) {
    after.forks = forks + left.forks + right.forks + 1;
    after.height = height + std::max(left.height, right.height) + 1;
  }
  friend bool operator==(const shape&, const shape&) = default;
};

/// A pool for each policy and number of workers.
class pools {
 public:
  pools() {
    for (const policy& p : policies) {
      for (unsigned workers : {1u, 2u, 4u}) {
        options o;
        o.workers = workers;
        o.promote = p.promote;
        all_.push_back({p.name, workers, std::make_unique<pool>(o)});
      }
    }
  }

  /// Runs the code without and with an observer. Returns how often a result is not `expected`, or the graph is not
  /// `first`, which the first run sets.
  unsigned wrong_runs(const spork::program& p, spork::jit::entry code, const std::string& expected, const char* how,
                      std::optional<shape>& first) {
    const auto result_of = [&](auto call) { return spork::show(spork::run_compiled(code, p, call)); };
    unsigned wrong = 0;
    for (each& e : all_) {
      shape s;
      const std::string got = result_of([&](spork::jit::entry f, void* results) { e.where->run([=] { f(results); }); });
      const std::string observed = result_of(
          [&](spork::jit::entry f, void* results) { e.where->run([&] { augment_into([=] { f(results); }, s); }); });
      if (!first) first = s;
      if (got == expected && observed == expected && s == *first) continue;
      ++wrong;
      std::printf(
          "%s: %s, %s, %u workers: %s, and %s with %llu forks, height %llu, when observed; not %s, %llu, %llu\n",
          p.name.c_str(), how, e.name, e.workers, got.c_str(), observed.c_str(), s.forks, s.height, expected.c_str(),
          first->forks, first->height);
    }
    return wrong;
  }

 private:
  struct each {
    const char* name;
    unsigned workers;
    std::unique_ptr<pool> where;
  };

  std::vector<each> all_;
};

/// Returns the number of promotions if all forks are promoted, on one worker, where only the program determines this
/// number.
std::uint64_t eager_promotions(const spork::program& p, spork::jit::entry code) {
  options o;
  o.workers = 1;
  o.promote = promotion::eager();
  pool alone{o};
  spork::run_compiled(code, p, [&](spork::jit::entry f, void* results) { alone.run([=] { f(results); }); });
  return alone.counters().promotions;
}

unsigned check(pools& where, const spork::program& p, const std::string& expected) {
  spork::program optimised = p;
  spork::optimise(optimised);
  spork::jit compiler;
  using enum spork::promotion_by;
  const spork::jit::entry plain = compiler.compile(p, {0, stack_map});
  const spork::jit::entry frames = compiler.compile(optimised, {2, stack_map});
  const spork::jit::entry records = compiler.compile(optimised, {2, record});
  std::optional<shape> graph, optimised_graph;
  unsigned wrong = where.wrong_runs(p, plain, expected, "stack maps, level 0", graph) +
                   where.wrong_runs(optimised, frames, expected, "stack maps, level 2", optimised_graph) +
                   where.wrong_runs(optimised, records, expected, "records, level 2", optimised_graph);
  const std::uint64_t by_frames = eager_promotions(optimised, frames),
                      by_records = eager_promotions(optimised, records);
  if (by_frames != by_records) {
    ++wrong;
    std::printf("%s: eager promotion finds %llu forks by stack maps, %llu by records\n", p.name.c_str(),
                static_cast<unsigned long long>(by_frames), static_cast<unsigned long long>(by_records));
  }
  return wrong;
}

/// Finds the text behind "// answer:" in the file. Returns false if it has none.
bool find_answer(const std::string& text, std::string& answer) {
  static constexpr std::string_view mark = "\n// answer:";
  const std::size_t at = text.find(mark);
  if (at == std::string::npos) return false;
  const std::size_t begin = std::min(text.find_first_not_of(' ', at + mark.size()), text.size());
  answer = text.substr(begin, text.find('\n', begin) - begin);
  return true;
}

unsigned check_file(pools& where, const std::string& path, unsigned& checked) {
  std::stringstream text;
  text << std::ifstream{path}.rdbuf();
  std::string expected;
  if (!find_answer(text.str(), expected)) return 0;
  ++checked;
  spork::diagnostics wrong;
  const spork::program p = spork::load(text.str(), path, wrong, spork::loop_form::chunked);
  return check(where, p, expected);
}

unsigned check_random(pools& where, std::uint64_t seed) {
  const spork::program p = spork::generate(seed, 6, spork::some_loop_form(seed));
  const spork::program elided = spork::elide(p);
  const std::string expected =
      spork::show(spork::interpret(spork::semantics{elided}, *spork::make_schedule("none"), 100'000'000));
  return check(where, p, expected);
}

}  // namespace

int main(int count, char** arguments) {
  pools where;
  unsigned wrong = 0, checked = 0;
  if (count == 4 && std::string_view{arguments[1]} == "--random") {
    const std::uint64_t seed = std::strtoull(arguments[2], nullptr, 10);
    for (; checked < std::strtoull(arguments[3], nullptr, 10); ++checked) wrong += check_random(where, seed + checked);
  } else {
    for (int i = 1; i < count; ++i) wrong += check_file(where, arguments[i], checked);
  }
  std::printf("%u programs, %u wrong runs\n", checked, wrong);
  return wrong == 0 && checked != 0 ? 0 : 1;
}
