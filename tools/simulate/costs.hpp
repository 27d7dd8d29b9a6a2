// The costs of the scheduler's steps, in nanoseconds.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tine::simulate {

/// The costs that `tine calibrate` measures have its key; the others are usual values. The policies of the scheduler,
/// such as the time for which a thief looks in vain, are no costs: stealing.cpp has them.
struct costs {
  double promotion = 60;   ///< the owner promotes a record
  double reclaim = 25;     ///< the owner joins a promoted record that no thief has stolen
  double search = 150;     ///< a thief looks at one victim
  double steal = 400;      ///< from the moment at which a thief has found a task to its first instruction
  double join = 100;       ///< the owner joins a stolen record that is finished
  double suspend = 300;    ///< the owner leaves a fiber whose join has to wait
  double resume = 1000;    ///< from the end of a stolen task to the continuation of the join that waits for it
  double poll = 60;        ///< an owner acknowledges a work request
  double wake = 2000;      ///< a worker wakes another one: the caller's part
  double wake_up = 40000;  ///< from there until the other one looks for work
  double signal = 5000;    ///< from a signal to the handler in the owner
  std::vector<double>
      transfer;  ///< additional cost of a steal, by distance from 1 on; the last one holds for all greater distances

  double transfer_at(unsigned distance) const noexcept {
    if (transfer.empty()) return 0;
    return transfer[distance <= transfer.size() ? distance - 1 : transfer.size() - 1];
  }
};

/// A cost with the name by which users set it and `tine calibrate` writes it.
struct named_cost {
  std::string_view name;
  double costs::* value;
  bool is_calibrated;
};

inline constexpr named_cost named_costs[] = {
    {"promotion", &costs::promotion, true}, {"reclaim", &costs::reclaim, false}, {"search", &costs::search, false},
    {"steal", &costs::steal, true},         {"join", &costs::join, false},       {"suspend", &costs::suspend, false},
    {"resume", &costs::resume, true},       {"poll", &costs::poll, false},       {"wake", &costs::wake, false},
    {"wake_up", &costs::wake_up, true},     {"signal", &costs::signal, false},
};

}  // namespace tine::simulate
