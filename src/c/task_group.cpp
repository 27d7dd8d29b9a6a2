// Task groups of the C interface. Any thread may add tasks.
#include <tine/c/task_group.h>

#include "c/status_of.hpp"

#include <tine/managed/task_group.hpp>

#include <utility>

struct tine_task_group {
  tine::task_group tasks;
};

namespace {

using tine::detail::c::branch;
using tine::detail::c::refuse;
using tine::detail::c::status_of;
using tine::detail::c::status_of_call;

int refuse_group() noexcept {
  return refuse("the task group is a null pointer: tine_task_group_create has not made it, or it is destroyed.");
}

}  // namespace

int tine_task_group_create(tine_task_group** created) {
  if (created == nullptr) return refuse("tine_task_group_create: the place for the group is a null pointer.");
  *created = nullptr;
  return status_of([=] { *created = new tine_task_group; });
}

int tine_task_group_run(tine_task_group* group, tine_function f, void* data) {
  if (group == nullptr) return refuse_group();
  return status_of_call(f, data, [group](branch b) { group->tasks.run(b); });
}

int tine_task_group_wait(tine_task_group* group) {
  if (group == nullptr) return refuse_group();
  return status_of([=] { group->tasks.wait(); });
}

int tine_task_group_destroy(tine_task_group** group) {
  if (group == nullptr || *group == nullptr) return refuse_group();
  const int status = tine_task_group_wait(*group);
  delete std::exchange(*group, nullptr);  // only now: the tasks may have added tasks by this pointer
  return status;
}
