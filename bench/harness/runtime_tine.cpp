// tine: a pool with default options but for the number of workers and the stack.
#include "harness/runtime.hpp"

#include <tine/tine.hpp>

namespace bench {
namespace {

class tine_runtime : public runtime {
 public:
  explicit tine_runtime(const runtime_options& options)
      : pool_{{.workers = static_cast<unsigned>(options.workers), .stack_bytes = options.stack_bytes}} {}

  void run(const std::function<void()>& root) override {
    pool_.run([&] { root(); });
  }

  event_counts counts() const override {
    const tine::counters c = pool_.counters();
    return {{"promotions", c.promotions},
            {"signal_promotions", c.signal_promotions},
            {"steals", c.steals},
            {"unstolen", c.unstolen},
            {"suspensions", c.suspensions},
            {"polls", c.polls},
            {"rings", c.rings},
            {"signals", c.signals},
            {"parks", c.parks},
            {"wakes", c.wakes},
            {"fibers", c.fibers},
            {"run_ns", c.run_ns}};
  }

 private:
  tine::pool pool_;
};

}  // namespace

std::unique_ptr<runtime> start_tine(const runtime_options& options) { return std::make_unique<tine_runtime>(options); }

}  // namespace bench
