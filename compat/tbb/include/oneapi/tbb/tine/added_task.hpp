// Adds a task to a group, for code that a cancelled context doesn't end by an exception. Any thread may call it.
#pragma once

#include <tine/managed/task_group.hpp>

#include <utility>

namespace tbb::detail::on_tine {

/// Adds a task that calls `f`, unless the calling strand is to stop: then the task isn't needed, and the strand's next
/// fork or loop ends it.
template <class F>
void add_task(tine::task_group& g, F&& f) {
  try {
    g.run(std::forward<F>(f));
  } catch (const tine::stopped&) {
  }
}

}  // namespace tbb::detail::on_tine
