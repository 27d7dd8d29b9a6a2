// Cases for `tine race`: `races NAME` runs the form without a race, `races NAME racy` the one with a race. Without
// arguments it lists the names. races_test.py runs them.
#include <cstdio>
#include <cstring>

extern "C" {
int omp_get_thread_num();
struct lock_word {
  void* word;
};
void omp_init_lock(lock_word*);
void omp_set_lock(lock_word*);
void omp_unset_lock(lock_word*);
}

namespace {

constexpr int n = 64;
int x, y, values[n + 1], others[n + 1];
int own;
#pragma omp threadprivate(own)

void loop(bool racy) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) values[i] = (racy ? values : others)[i + 1];
}

void dynamic_loop(bool racy) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; ++i) values[racy ? i / 2 : i] = i;
}

void barrier(bool racy) {
#pragma omp parallel
  {
    values[omp_get_thread_num()] = 1;
    if (!racy) {
#pragma omp barrier
    }
    others[omp_get_thread_num()] = values[omp_get_thread_num() == 0 ? 1 : 0];
  }
}

void loop_behind_a_loop(bool racy) {
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < n; ++i) values[i] = i;
    if (!racy) {
#pragma omp barrier
    }
#pragma omp for
    for (int i = 0; i < n; ++i) others[i] = values[n - 1 - i];
  }
}

void single(bool racy) {
#pragma omp parallel
  {
#pragma omp single
    x = 1;
    if (racy) x = 2;
#pragma omp single
    y = x;
  }
}

void copyprivate(bool racy) {
#pragma omp parallel
  {
    int mine;
#pragma omp single copyprivate(mine)
    mine = 7;
    (racy ? x : values[omp_get_thread_num()]) = mine;
  }
}

void master(bool racy) {
#pragma omp parallel
  {
#pragma omp master
    x = 1;
    if (!racy) {
#pragma omp barrier
    }
    values[omp_get_thread_num()] = x;
  }
}

void critical(bool racy) {
#pragma omp parallel
  {
#pragma omp critical(one)
    ++x;
    if (racy) {
#pragma omp critical(other)
      ++x;
    }
  }
}

void lock(bool racy) {
  lock_word l;
  omp_init_lock(&l);
#pragma omp parallel
  {
    omp_set_lock(&l);
    if (!racy) ++x;
    omp_unset_lock(&l);
    if (racy) ++x;
  }
}

void atomic(bool racy) {
#pragma omp parallel
  {
    if (racy) {
      ++x;
    } else {
#pragma omp atomic
      ++x;
    }
  }
}

void reduction(bool racy) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i) {
    sum += i;
    if (racy) y = i;
  }
  x = sum;
}

void sections(bool racy) {
#pragma omp parallel sections
  {
#pragma omp section
    x = 1;
#pragma omp section
    (racy ? x : y) = 2;
  }
}

void ordered(bool racy) {
#pragma omp parallel for ordered schedule(dynamic)
  for (int i = 0; i < n; ++i) {
    if (racy) ++x;
#pragma omp ordered
    ++x;
  }
}

void nested(bool racy) {
#pragma omp parallel num_threads(2)
  {
    const int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2)
    values[racy ? 0 : 2 * outer + omp_get_thread_num()] = outer;
  }
}

void threadprivate(bool racy) {
#pragma omp parallel
  ++(racy ? x : own);
}

void taskwait(bool racy) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    x = 1;
    if (!racy) {
#pragma omp taskwait
    }
    x = 2;
  }
}

// The value that a task gets is its own.
void values_of_tasks(bool racy) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < n; ++i) {
#pragma omp task firstprivate(i)
    {
      ++i;
      values[racy ? 0 : i] = i;
    }
  }
}

// A taskwait waits for the task's own children only, and the end of a taskgroup for all.
void descendants(bool racy) {
#pragma omp parallel
#pragma omp single
  {
    if (racy) {
#pragma omp task
      {
#pragma omp task
        x = 1;
      }
#pragma omp taskwait
    } else {
#pragma omp taskgroup
      {
#pragma omp task
        {
#pragma omp task
          x = 1;
        }
      }
    }
    x = 2;
  }
}

void tasks_and_a_barrier(bool racy) {
#pragma omp parallel
  {
#pragma omp single nowait
    {
#pragma omp task
      x = 1;
    }
    if (!racy) {
#pragma omp barrier
    }
#pragma omp master
    x = 2;
  }
}

void dependences(bool racy) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : x)
    x = 1;
#pragma omp task depend(in : x)
    values[0] = x;
#pragma omp task depend(in : x)
    values[racy ? 0 : 1] = x;
#pragma omp task depend(inout : x)
    x = values[0];
#pragma omp taskwait
    y = x;
  }
}

void without_a_dependence(bool racy) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : x)
    x = 1;
#pragma omp task depend(out : y)
    (racy ? x : y) = 2;
  }
}

void undeferred(bool racy) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task if (racy)
    x = 1;
    x = 2;
  }
}

void taskloop(bool racy) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop grainsize(4)
    for (int i = 0; i < n; ++i) values[racy ? 0 : i] = i;
    x = values[0];
  }
}

void reduction_of_tasks(bool racy) {
  int sum = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop reduction(+ : sum) grainsize(4)
  for (int i = 0; i < n; ++i) {
    sum += i;
    if (racy) y = i;
  }
  x = sum;
}

/// Both flags are set under a lock, and one thread looks for each of them.
void look_under_a_lock(bool racy) {
  bool is_set = false, is_seen = false;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    for (bool done = false; !done;) {
#pragma omp critical
      done = is_set;
    }
    x = 1;
#pragma omp critical
    is_seen = true;
  } else {
    x = 2;
#pragma omp critical
    is_set = true;
    if (racy) x = 3;
    for (bool done = false; !done;) {
#pragma omp critical
      done = is_seen;
    }
    x = 4;
  }
}

void look_at_an_atomic(bool racy) {
  int turn = 0;
#pragma omp parallel num_threads(3)
  {
    const int me = 2 - omp_get_thread_num();
    for (int now = -1; now != me;) {
#pragma omp atomic read acquire
      now = turn;
    }
    x = me;
#pragma omp atomic write release
    turn = me + 1;
    if (racy) x = -me;
  }
}

void wait_for_a_lock(bool racy) {
  lock_word of_first, of_last;
  omp_init_lock(&of_first);
  omp_init_lock(&of_last);
#pragma omp parallel num_threads(2)
  {
    const bool is_first = omp_get_thread_num() == 0;
    omp_set_lock(is_first ? &of_first : &of_last);
#pragma omp barrier
    if (is_first || racy) x = 1;
    omp_unset_lock(is_first ? &of_first : &of_last);
    omp_set_lock(is_first ? &of_last : &of_first);
    if (!is_first) x = 2;
    omp_unset_lock(is_first ? &of_last : &of_first);
  }
}

void steps_in_order(bool racy) {
#pragma omp parallel for ordered(1) schedule(static, 1)
  for (int i = 1; i < n; ++i) {
    if (racy) x = i;
#pragma omp ordered depend(sink : i - 1)
    values[i] = values[i - 1] + 1;
#pragma omp ordered depend(source)
  }
}

const struct {
  const char* name;
  void (*run)(bool racy);
} cases[] = {
    {"loop", loop},
    {"dynamic_loop", dynamic_loop},
    {"barrier", barrier},
    {"loop_behind_a_loop", loop_behind_a_loop},
    {"single", single},
    {"copyprivate", copyprivate},
    {"master", master},
    {"critical", critical},
    {"lock", lock},
    {"atomic", atomic},
    {"reduction", reduction},
    {"sections", sections},
    {"ordered", ordered},
    {"nested", nested},
    {"threadprivate", threadprivate},
    {"taskwait", taskwait},
    {"values_of_tasks", values_of_tasks},
    {"descendants", descendants},
    {"tasks_and_a_barrier", tasks_and_a_barrier},
    {"dependences", dependences},
    {"without_a_dependence", without_a_dependence},
    {"undeferred", undeferred},
    {"taskloop", taskloop},
    {"reduction_of_tasks", reduction_of_tasks},
    {"look_under_a_lock", look_under_a_lock},
    {"look_at_an_atomic", look_at_an_atomic},
    {"wait_for_a_lock", wait_for_a_lock},
    {"steps_in_order", steps_in_order},
};

}  // namespace

int main(int count, char** words) {
  for (const auto& c : cases) {
    if (count == 1) std::puts(c.name);
    if (count > 1 && std::strcmp(c.name, words[1]) == 0) c.run(count > 2);
  }
}
