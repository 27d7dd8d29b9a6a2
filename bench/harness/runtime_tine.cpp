// tine: a pool with default options except for the number of workers, the stack, and the policies of resuming and
// promotion.
#include "harness/runtime.hpp"

#include "harness/value.hpp"

#include <tine/tine.hpp>

namespace bench {
namespace {

tine::promotion policy_of(runtime_kind kind) {
  if (kind == runtime_kind::tine_heartbeat) return tine::promotion::heartbeat();
  if (kind == runtime_kind::tine_eager) return tine::promotion::eager();
  return tine::promotion::on_demand();
}

class tine_runtime : public runtime {
 public:
  tine_runtime(runtime_kind kind, const runtime_options& options)
      : kind_{kind},
        pool_{{.workers = static_cast<unsigned>(options.workers),
               .resume = static_cast<tine::resume_policy>(options.resume),
               .promote = policy_of(kind),
               .stack_bytes = options.stack_bytes}} {}

  void run(const std::function<void()>& root) override {
    pool_.run([&] { root(); });
  }

  event_counts counts() const override {
    const tine::counters c = pool_.counters();
    return {{"promotions", c.promotions},
            {"signal_promotions", c.signal_promotions},
            {"steals", c.steals},
            {"reclaimed", c.reclaimed},
            {"suspensions", c.suspensions},
            {"polls", c.polls},
            {"requests", c.requests},
            {"signals", c.signals},
            {"vain_in_scheduler", c.vain.in_scheduler},
            {"vain_nothing_pending", c.vain.nothing_pending},
            {"vain_no_demand", c.vain.no_demand},
            {"vain_no_token", c.vain.no_token},
            {"parks", c.parks},
            {"wakes", c.wakes},
            {"fibers", c.fibers},
            {"run_ns", c.run_ns}};
  }

  /// Run time pays for promotions: for one in each 16 us on demand, and for thirty in each 500 us by heartbeat. Each
  /// worker may make thirty more.
  std::string broken_promise() const override {
    const tine::counters c = pool_.counters();
    const double beat_ns = kind_ == runtime_kind::tine_heartbeat ? 500e3 / 30 : 16e3;
    const double allowed = static_cast<double>(c.run_ns) / beat_ns + 30.0 * pool_.workers();
    if (kind_ == runtime_kind::tine_eager || static_cast<double>(c.promotions) <= allowed) return {};
    return format("{} promotions are more than the {:.0f} that the run time pays for", c.promotions, allowed);
  }

 private:
  runtime_kind kind_;
  tine::pool pool_;
};

}  // namespace

std::unique_ptr<runtime> start_tine(runtime_kind kind, const runtime_options& options) {
  return std::make_unique<tine_runtime>(kind, options);
}

}  // namespace bench
