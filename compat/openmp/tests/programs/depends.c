/* Dependences between tasks: each kind, on variables, elements and sections, by iterators and by depend objects, and
 * waits for some of them. */
#include "cases.h"

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define IN_TEAM PRAGMA(omp parallel) PRAGMA(omp single)

CASE(chain_of_inout) {
  int x = 0, log[50], n = 0, good = 0;
  IN_TEAM for (int i = 0; i < 50; i++) {
#pragma omp task depend(inout : x) shared(log, n)
    {
      if (i % 5 == 0) spin();
      log[n++] = i;
    }
  }
  for (int i = 0; i < 50; i++) good += log[i] == i;
  CHECK(good == 50);
}

/* Readers follow the writer before them, and run before the next one. */
CASE(readers_and_writers) {
  int x = 0, sum = 0, bad = 0;
  IN_TEAM for (int round = 1; round <= 8; round++) {
#pragma omp task depend(out : x) shared(x)
    {
      spin();
      x = round;
    }
    for (int i = 0; i < 4; i++) {
#pragma omp task depend(in : x) shared(x, sum, bad)
      {
        const int found = x;
        spin();
#pragma omp atomic
        bad += found != round || x != round;
#pragma omp atomic
        sum += found;
      }
    }
  }
  CHECK(bad == 0 && sum == 4 * 36);
}

/* Two readers may run at once: each waits for the other one to come. Tasks must be able to use two threads. */
CASE(readers_are_independent) {
  int x = 0, sum = 0;
  IN_TEAM {
#pragma omp task depend(out : x) shared(x)
    x = 4;
#pragma omp task depend(in : x) shared(x, sum)
    {
#pragma omp atomic
      sum += x;
    }
#pragma omp task depend(in : x) shared(x, sum)
    {
#pragma omp atomic
      sum += 10 * x;
    }
#pragma omp task depend(out : x) shared(x, sum)
    {
      x = 0;
#pragma omp atomic
      sum *= 2;
    }
  }
  CHECK(sum == 88 && x == 0);
}

static long grid[12][12];
CASE(wavefront) {
  for (int i = 0; i < 12; i++) grid[i][0] = grid[0][i] = 1;
  IN_TEAM for (int i = 1; i < 12; i++) for (int j = 1; j < 12; j++) {
#pragma omp task depend(in : grid[i - 1][j], grid[i][j - 1]) depend(out : grid[i][j])
    {
      if ((i + j) % 4 == 0) spin();
      grid[i][j] = grid[i - 1][j] + grid[i][j - 1];
    }
  }
  CHECK(grid[8][8] == 12870 && grid[11][11] == 705432);
}

/* Each task waits at a barrier of its own, so that others would run meanwhile. */
CASE(mutexinoutset_excludes) {
  omp_set_max_active_levels(2);
  int x = 0, y = 0, n = 0, seen = 0, inside = 0, bad = 0;
  IN_TEAM {
#pragma omp task depend(out : x) shared(n)
    {
      spin();
      n = 1;
    }
    for (int i = 0; i < 20; i++) {
#pragma omp task depend(mutexinoutset : x, y) shared(n, inside, bad)
      {
        const int before = n;
        bad += inside++ != 0 || before == 0;
#pragma omp parallel num_threads(2)
        {
          spin();
#pragma omp barrier
        }
        n = before + 1;
        inside--;
      }
    }
#pragma omp task depend(in : x) shared(n, seen)
    seen = n;
  }
  CHECK(bad == 0 && seen == 21);
}

/* With sets on several variables, each pair that shares one excludes each other. */
CASE(mutexinoutset_of_several) {
  int a = 0, b = 0, c = 0, sum_a = 0, sum_b = 0, sum_c = 0;
  IN_TEAM for (int i = 0; i < 15; i++) {
#pragma omp task depend(mutexinoutset : a, b) shared(sum_a, sum_b)
    {
      sum_a++;
      sum_b++;
    }
#pragma omp task depend(mutexinoutset : b, c) shared(sum_b, sum_c)
    {
      sum_b++;
      sum_c++;
    }
#pragma omp task depend(mutexinoutset : c, a) shared(sum_a, sum_c)
    {
      sum_c++;
      sum_a++;
    }
  }
  CHECK(sum_a == 30 && sum_b == 30 && sum_c == 30);
}

#ifdef __clang__ /* gcc 12 doesn't know the kind */
CASE(inoutset) {
  int x = 0, sum = 0, bad = 0;
  IN_TEAM {
#pragma omp task depend(out : x) shared(x)
    {
      spin();
      x = 1;
    }
    for (int i = 0; i < 10; i++) {
#pragma omp task depend(inoutset : x) shared(x, sum, bad)
      {
#pragma omp atomic
        bad += x != 1;
#pragma omp atomic
        sum++;
      }
    }
#pragma omp task depend(in : x) shared(sum, bad)
    {
#pragma omp atomic
      bad += sum != 10;
    }
  }
  CHECK(bad == 0 && sum == 10);
}
#endif

CASE(sections_of_arrays) {
  int a[40] = {0}, bad = 0, n = 10;
  IN_TEAM {
    for (int k = 0; k < 4; k++) {
#pragma omp task depend(out : a[10 * k : n]) shared(a)
      {
        spin();
        for (int i = 0; i < 10; i++) a[10 * k + i] = k + 1;
      }
    }
    for (int k = 0; k < 4; k++) {
#pragma omp task depend(inout : a[10 * k : n]) shared(a, bad)
      {
        int wrong = 0;
        for (int i = 0; i < 10; i++) wrong += a[10 * k + i]++ != k + 1;
#pragma omp atomic
        bad += wrong;
      }
    }
  }
  for (int i = 0; i < 40; i++) bad += a[i] != i / 10 + 2;
  CHECK(bad == 0);
}

CASE(iterators) {
  int a[16], sum = 0, late = 0;
  memset(a, 0, sizeof a);
  IN_TEAM {
    for (int k = 0; k < 16; k++) {
#pragma omp task depend(out : a[k]) shared(a)
      {
        if (k % 3 == 0) spin();
        a[k] = k + 1;
      }
    }
#pragma omp task depend(iterator(i = 0 : 16), in : a[i]) shared(a, sum)
    for (int k = 0; k < 16; k++) sum += a[k];
#pragma omp task depend(iterator(i = 0 : 16 : 2), out : a[i]) depend(iterator(int j = 1 : 16 : 2), inout : a[j]) \
    shared(a)
    for (int k = 0; k < 16; k++) a[k] = -1;
#pragma omp task depend(in : a[15]) shared(a, late)
    late = a[0] + a[15];
  }
  CHECK(sum == 136 && late == -2);
}

CASE(iterators_of_two_dimensions) {
  static int g[5][6];
  int sum = 0;
  memset(g, 0, sizeof g);
  IN_TEAM {
    for (int i = 0; i < 5; i++)
      for (int j = 0; j < 6; j++) {
#pragma omp task depend(out : g[i][j])
        g[i][j] = 1;
      }
#pragma omp task depend(iterator(i = 0 : 5, j = 0 : 6), in : g[i][j]) shared(sum)
    for (int i = 0; i < 30; i++) sum += g[i / 6][i % 6];
  }
  CHECK(sum == 30);
}

CASE(depend_objects) {
  int x = 0, seen = 0, undone = 0;
  IN_TEAM {
    omp_depend_t d, none;
#pragma omp depobj(d) depend(inout : x)
    for (int i = 0; i < 5; i++) {
#pragma omp task depend(depobj : d) shared(x)
      {
        spin();
        x = x * 2 + 1;
      }
    }
#pragma omp depobj(d) update(in)
#pragma omp task depend(depobj : d) shared(x, seen)
    seen = x;
#pragma omp task depend(depobj : d) depend(out : undone) shared(x, undone)
    undone = x;
#pragma omp depobj(d) update(mutexinoutset)
#pragma omp task depend(depobj : d) shared(x)
    x++;
#pragma omp depobj(none) depend(in : undone)
#pragma omp task depend(depobj : d, none) shared(undone)
    undone++;
#pragma omp taskwait
#pragma omp depobj(none) destroy
#pragma omp depobj(d) destroy
  }
  CHECK(x == 32 && seen == 31 && undone == 32);
}

CASE(taskwait_for_some) {
  int bad = 0;
  IN_TEAM for (int k = 0; k < 20; k++) {
    int x = 0, y = 0;
#pragma omp task depend(out : x) shared(x)
    {
      spin();
      x = 1;
    }
#pragma omp task depend(inout : x) shared(x)
    x++;
#pragma omp task depend(out : y) shared(y)
    {
      spin();
      y = 1;
    }
#pragma omp taskwait depend(in : x)
    bad += x != 2;
#pragma omp task depend(in : x) shared(x, bad)
    {
#pragma omp atomic
      bad += x < 2;
    }
#pragma omp taskwait depend(inout : x, y)
    bad += x != 2 || y != 1;
#pragma omp taskwait
  }
  CHECK(bad == 0);
}

CASE(undeferred_waits) {
  int bad = 0;
  IN_TEAM for (int k = 0; k < 20; k++) {
    int y = 0;
#pragma omp task depend(out : y) shared(y)
    {
      spin();
      y = 1;
    }
#pragma omp task if (0) depend(inout : y) shared(y)
    y++;
    bad += y != 2;
#pragma omp task final(1) depend(inout : y) shared(y)
    y++;
#pragma omp taskwait
    bad += y != 3;
  }
  CHECK(bad == 0);
}

CASE(in_groups) {
  int bad = 0;
  IN_TEAM for (int k = 0; k < 20; k++) {
    int x = 0, before = 0;
#pragma omp task depend(out : before) shared(before)
    before = 1;
#pragma omp taskgroup
    {
#pragma omp task depend(inout : x) depend(in : before) shared(x, before)
      {
        x = before;
#pragma omp task shared(x)
        {
          spin();
#pragma omp atomic
          x += 10;
        }
      }
    }
    bad += x != 11;
  }
  CHECK(bad == 0);
}

/* Dependences order siblings. A child has an order of its own, and ends after its children when others wait for it. */
CASE(of_siblings_only) {
  int x = 0, log = 0;
  IN_TEAM {
#pragma omp task depend(inout : x) shared(x, log)
    {
#pragma omp task depend(inout : x) shared(x)
      {
        spin();
        x = 1;
      }
#pragma omp task depend(inout : x) shared(x)
      x = x * 3;
#pragma omp taskwait
      log = x;
    }
#pragma omp task depend(inout : x) shared(x)
    x += 4;
  }
  CHECK(log == 3 && x == 7);
}

CASE(several_kinds_at_once) {
  int a = 0, b = 0, c = 0, bad = 0;
  IN_TEAM for (int k = 0; k < 15; k++) {
#pragma omp task depend(out : a) shared(a)
    a = k;
#pragma omp task depend(in : a) depend(out : b) shared(a, b)
    b = a + 1;
#pragma omp task depend(in : a, b) depend(inout : c) shared(a, b, c, bad)
    {
      bad += a != k || b != k + 1;
      c += b;
    }
  }
  CHECK(bad == 0 && c == 120);
}

CASE(one_address_twice) {
  int x = 0, n = 0;
  IN_TEAM for (int k = 0; k < 10; k++) {
#pragma omp task depend(in : x) depend(out : x) shared(n)
    n++;
#pragma omp task depend(inout : x, x) shared(n)
    n++;
  }
  CHECK(n == 20);
}

CASE(outside_of_regions) {
  int x = 0, log[10], n = 0;
  for (int i = 0; i < 10; i++) {
#pragma omp task depend(inout : x) shared(log, n)
    log[n++] = i;
  }
#pragma omp taskwait
  for (int i = 0; i < 10; i++) CHECK(log[i] == i);
}

CASE(by_every_member) {
  int bad = 0;
#pragma omp parallel reduction(+ : bad)
  {
    int x = 0;
    for (int i = 1; i < 20; i++) {
#pragma omp task depend(inout : x) shared(x)
      x = x * 2 % 1009 + i;
    }
#pragma omp taskwait
    int expected = 0;
    for (int i = 1; i < 20; i++) expected = expected * 2 % 1009 + i;
    bad += x != expected;
  }
  CHECK(bad == 0);
}

CASE(many_variables) {
  static int v[500];
  int good = 0;
  memset(v, 0, sizeof v);
  IN_TEAM for (int k = 0; k < 3; k++) for (int i = 0; i < 500; i++) {
#pragma omp task depend(inout : v[i])
    v[i] = v[i] * 10 + k + 1;
  }
  for (int i = 0; i < 500; i++) good += v[i] == 123;
  CHECK(good == 500);
}

CASE(long_list) {
  int v[30] = {0}, n = 0;
  IN_TEAM {
    for (int i = 0; i < 30; i++) {
#pragma omp task depend(out : v[i]) shared(v)
      v[i] = 1;
    }
#pragma omp task depend(in : v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12], v[13], \
                            v[14], v[15]) depend(inout : v[16], v[17], v[18], v[19], v[20])                          \
    depend(mutexinoutset : v[21], v[22], v[23]) shared(v, n)
    for (int i = 0; i < 24; i++) n += v[i];
  }
  CHECK(n == 24);
}

/* A region's own reads are ordered against tasks of the loop around it by the group that holds them. */
CASE(blocked_product) {
  enum { b = 4, size = 4 };
  static int m[b][b][size];
  int bad = 0;
  memset(m, 0, sizeof m);
  IN_TEAM for (int k = 0; k < b; k++) for (int i = 0; i < b; i++) for (int j = 0; j < b; j++) {
#pragma omp task depend(inout : m[i][j][0]) depend(in : m[k][k][0])
    for (int e = 0; e < size; e++) m[i][j][e] += k + 1;
  }
  for (int i = 0; i < b * b; i++) bad += m[i / b][i % b][size - 1] != 10;
  CHECK(bad == 0);
}
