/* Cancellation. With OMP_CANCELLATION=true constructs end early; otherwise they run to their end. */
#include "cases.h"

static int is_on(void) { return omp_get_cancellation(); }

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define LOOP(name, clause)                                                          \
  CASE(loop_##name) {                                                               \
    int ran = 0, after = 0;                                                         \
    PRAGMA(omp parallel) {                                                          \
      PRAGMA(omp for clause) for (int i = 0; i < 5000; i++) {                       \
        PRAGMA(omp atomic) ran++;                                                   \
        if (i % 1000 == 3) {                                                        \
          PRAGMA(omp cancel for)                                                    \
        }                                                                           \
        PRAGMA(omp cancellation point for)                                          \
      }                                                                             \
      PRAGMA(omp atomic) after++;                                                   \
      PRAGMA(omp barrier)                                                           \
      PRAGMA(omp for clause) for (int i = 0; i < 20; i++) {                            \
        PRAGMA(omp atomic) after += 100;                                               \
      }                                                                             \
    }                                                                               \
    CHECK(after == threads_asked() + 2000 && (is_on() ? ran < 5000 : ran == 5000)); \
  }
LOOP(static, schedule(static))
LOOP(static_2, schedule(static, 2))
LOOP(dynamic, schedule(dynamic))
LOOP(dynamic_7, schedule(dynamic, 7))
LOOP(guided, schedule(guided))
LOOP(runtime, schedule(runtime))

CASE(loop_of_a_combined_construct) {
  int ran = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : ran)
  for (int i = 0; i < 5000; i++) {
    ran++;
    if (i == 10) {
#pragma omp cancel for
    }
#pragma omp cancellation point for
  }
  CHECK(is_on() ? ran <= 5000 : ran == 5000);
}

/* After the cancel, no member starts another chunk; this one's check is exact in a team of one. */
CASE(loop_stops_at_the_cancel) {
  int ran = 0, last = -1;
#pragma omp parallel num_threads(1)
#pragma omp for schedule(dynamic)
  for (int i = 0; i < 100; i++) {
    ran++;
    if (i == 10) {
#pragma omp cancel for
    }
    last = i;
  }
  CHECK(is_on() ? ran == 11 && last == 9 : ran == 100 && last == 99);
}

CASE(if_clauses) {
  int ran = 0;
#pragma omp parallel
#pragma omp for schedule(dynamic)
  for (int i = 0; i < 100; i++) {
#pragma omp atomic
    ran++;
#pragma omp cancel for if (i > 100)
  }
  CHECK(ran == 100);
  ran = 0;
#pragma omp parallel num_threads(1)
#pragma omp for
  for (int i = 0; i < 100; i++) {
    ran++;
#pragma omp cancel for if (cancel : i == 49)
  }
  CHECK(ran == (is_on() ? 50 : 100));
}

CASE(sections) {
  int ran = 0, after = 0;
#pragma omp parallel
  {
#pragma omp sections
    {
#pragma omp section
      {
#pragma omp atomic
        ran++;
#pragma omp cancel sections
#pragma omp atomic
        ran += 1000;
      }
#pragma omp section
      {
#pragma omp atomic
        ran++;
#pragma omp cancellation point sections
      }
#pragma omp section
      {
#pragma omp atomic
        ran++;
#pragma omp cancellation point sections
      }
    }
#pragma omp atomic
    after++;
  }
  CHECK(after == threads_asked() && (is_on() ? ran >= 1 && ran <= 3 : ran == 1003));
}

CASE(region) {
  int came = 0, passed = 0;
#pragma omp parallel
  {
#pragma omp atomic
    came++;
    if (omp_get_thread_num() == omp_get_num_threads() - 1) {
#pragma omp cancel parallel
    }
#pragma omp barrier
#pragma omp atomic
    passed++;
#pragma omp cancellation point parallel
  }
  CHECK(came == threads_asked() && (is_on() ? passed < came : passed == came));
}

/* Those who wait at a barrier already, or in a later loop, leave as well. */
CASE(region_while_others_wait) {
  int passed = 0;
  for (int k = 0; k < 20; k++) {
#pragma omp parallel num_threads(4)
    {
      if (omp_get_thread_num() == k % 4) {
        spin();
#pragma omp cancel parallel
      }
#pragma omp barrier
#pragma omp atomic
      passed++;
    }
  }
  CHECK(passed == (is_on() ? 0 : 80));
}

CASE(region_from_a_loop) {
  int ran = 0, after = 0;
#pragma omp parallel num_threads(3)
  {
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 30; i++) {
#pragma omp atomic
      ran++;
    }
#pragma omp cancel parallel if (omp_get_thread_num() == 0)
#pragma omp cancellation point parallel
#pragma omp barrier
#pragma omp atomic
    after++;
  }
  CHECK(is_on() ? after < 3 : ran == 30 && after == 3);
}

/* The region after a cancelled one, and the one around it, are whole. */
CASE(regions_around) {
  int outer = 0, next = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(3)
  {
#pragma omp parallel num_threads(2)
    {
#pragma omp cancel parallel
    }
#pragma omp barrier
#pragma omp atomic
    outer++;
  }
#pragma omp parallel num_threads(3)
  {
#pragma omp barrier
#pragma omp atomic
    next++;
  }
  CHECK(outer == 3 && next == 3);
}

CASE(taskgroup) {
  int ran = 0, others = 0, late = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(others)
    others++;
#pragma omp taskgroup
    for (int i = 0; i < 1000; i++) {
#pragma omp task shared(ran)
      {
#pragma omp atomic
        ran++;
#pragma omp cancel taskgroup
      }
      if (i % 100 == 99) {
#pragma omp task
        {
#pragma omp cancellation point taskgroup
        }
      }
    }
#pragma omp taskgroup
    {
#pragma omp task shared(late)
      late++;
    }
  }
  CHECK(others == 1 && late == 1 && ran >= 1 && (is_on() ? ran < 1000 : ran == 1000));
}

/* A task that has started runs to its next cancellation point; descendants in the group are cancelled as well. */
CASE(taskgroup_with_descendants) {
  int before = 0, after = 0, outside = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp task shared(before, after, outside)
      {
        before++;
#pragma omp cancel taskgroup
#pragma omp task shared(after)
        after++;
        after++;
      }
#pragma omp taskwait
    }
#pragma omp task shared(outside)
    outside++;
  }
  CHECK(before == 1 && after == (is_on() ? 0 : 2) && outside == 1);
}

/* Only the innermost group is cancelled. */
CASE(taskgroups_in_each_other) {
  int inner = 0, outer = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
  {
#pragma omp task shared(inner, outer)
    {
#pragma omp taskgroup
      {
#pragma omp task shared(inner)
        {
#pragma omp cancel taskgroup
          inner++;
        }
      }
#pragma omp atomic
      outer++;
    }
    for (int i = 0; i < 10; i++) {
#pragma omp task shared(outer)
      {
#pragma omp atomic
        outer++;
      }
    }
  }
  CHECK(inner == !is_on() && outer == 11);
}

/* Cancelled tasks count as ended: those that depend on them, and waits, go on. A busy team gives tasks back to their
   parent, so we do it often. */
CASE(dependences_of_cancelled_tasks) {
  for (int k = 0; k < 100; k++) {
    int x = 0, ran = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup
      {
#pragma omp task depend(inout : x) shared(ran)
        {
          ran++;
#pragma omp cancel taskgroup
        }
        for (int i = 0; i < 20; i++) {
#pragma omp task depend(inout : x) shared(ran)
          ran++;
        }
      }
#pragma omp task depend(inout : x) shared(ran)
      ran += 100;
    }
    CHECK(ran == (is_on() ? 101 : 121));
  }
}

/* The event of a cancelled task is never fulfilled if the task would have done it. Its parent may still do it. */
static void cancel_detached_tasks(int by_task) {
  for (int k = 0; k < 20; k++) {
    int x = 0, ran = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup
      {
#pragma omp task depend(inout : x) shared(ran)
        {
          ran++;
#pragma omp cancel taskgroup
        }
        for (int i = 0; i < 5; i++) {
          omp_event_handle_t event;
#pragma omp task detach(event) depend(inout : x) shared(ran) firstprivate(by_task)
          {
            ran++;
            if (by_task) omp_fulfill_event(event);
          }
          if (!by_task) omp_fulfill_event(event);
        }
      }
#pragma omp task depend(inout : x) shared(ran)
      ran += 100;
    }
    CHECK(ran == (is_on() ? 101 : 106));
  }
}
CASE(events_of_cancelled_tasks) { cancel_detached_tasks(1); }
CASE(events_fulfilled_after_a_cancel) { cancel_detached_tasks(0); }

CASE(taskloop) {
  int ran = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
  {
#pragma omp taskloop nogroup grainsize(1) shared(ran)
    for (int i = 0; i < 500; i++) {
#pragma omp atomic
      ran++;
#pragma omp cancel taskgroup
    }
  }
  CHECK(is_on() ? ran >= 1 && ran <= 500 : ran == 500);
}

CASE(queries) {
  const char* const variable = getenv("OMP_CANCELLATION");
  CHECK(is_on() == (variable != NULL && strcmp(variable, "true") == 0));
}
