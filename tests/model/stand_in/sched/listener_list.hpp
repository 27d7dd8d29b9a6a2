// The listeners of a pool: a model has none.
#pragma once

namespace tine::sched {

struct told_listeners {
  unsigned version = 0;
};

class listener_list {
 public:
  unsigned version() const noexcept { return 0; }
};

}  // namespace tine::sched
