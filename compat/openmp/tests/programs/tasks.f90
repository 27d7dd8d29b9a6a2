! Fortran: tasks, dependences, groups, taskloops and their reductions, events, and cancellation of groups.
#include "cases.inc"

module task_cases
  use cases
  implicit none
contains
  recursive integer function fib(n) result(r)
    integer, intent(in) :: n
    integer :: a, b
    if (n < 2) then
      r = n
      return
    end if
    !$omp task shared(a)
    a = fib(n - 1)
    !$omp end task
    !$omp task shared(b) final(n < 5) mergeable
    b = fib(n - 2)
    !$omp end task
    !$omp taskwait
    r = a + b
  end function

  subroutine fibonacci
    integer :: f
    f = 0
    !$omp parallel
    !$omp single
    f = fib(12)
    !$omp end single
    !$omp end parallel
    CHECK(f == 144)
  end subroutine

  subroutine each_once
    integer :: ran(1000), i
    ran = 0
    !$omp parallel
    !$omp single
    do i = 1, 1000
      !$omp task untied priority(1)
      ran(i) = ran(i) + 1
      !$omp end task
    end do
    !$omp end single
    !$omp end parallel
    CHECK(all(ran == 1))
  end subroutine

  subroutine data_of_tasks
    integer :: i, good, a(5), outside
    integer, allocatable :: list(:)
    character(len=10) :: text
    good = 0
    outside = 0
    allocate (list(4))
    !$omp parallel num_threads(3)
    !$omp single
    do i = 1, 10
      a = i
      list = i
      write (text, "(i0)") i
      !$omp task firstprivate(a, list, text) shared(good, outside)
      !$omp atomic
      good = good + merge(1, 0, all(a == i) .and. all(list == i) .and. size(list) == 4)
      a = 0
      list = 0
      !$omp atomic
      outside = outside + i
      !$omp end task
    end do
    !$omp end single
    !$omp end parallel
    CHECK(good == 10 .and. outside == 55)
  end subroutine

  subroutine waits_and_groups
    integer :: k, i, done, bad
    bad = 0
    !$omp parallel private(i, k)
    !$omp single
    do k = 1, 20
      done = 0
      do i = 1, 5
        !$omp task shared(done)
        !$omp atomic
        done = done + 1
        !$omp end task
      end do
      !$omp taskwait
      bad = bad + merge(0, 1, done == 5)
      !$omp taskgroup
      do i = 1, 5
        !$omp task shared(done)
        !$omp task shared(done)
        !$omp atomic
        done = done + 1
        !$omp end task
        !$omp end task
      end do
      !$omp end taskgroup
      bad = bad + merge(0, 1, done == 10)
    end do
    !$omp end single
    !$omp end parallel
    CHECK(bad == 0)
  end subroutine

  subroutine undeferred_and_final
    integer :: x, bad
    x = 0
    bad = 0
    !$omp parallel
    !$omp single
    !$omp task if(.false.) shared(x)
    x = 1
    !$omp end task
    bad = bad + merge(0, 1, x == 1)
    !$omp task final(.true.) shared(x, bad)
    bad = bad + merge(0, 1, omp_in_final())
    !$omp task shared(x)
    x = x + merge(10, 100, omp_in_final())
    !$omp end task
    bad = bad + merge(0, 1, x == 11)
    !$omp end task
    !$omp taskwait
    !$omp taskyield
    !$omp end single
    !$omp end parallel
    CHECK(bad == 0 .and. x == 11)
  end subroutine

  subroutine dependences
    integer :: x, y, log(30), n, i, j, bad
    integer(8) :: grid(0:8, 0:8)
    n = 0
    x = 0
    y = 0
    bad = 0
    grid = 1
    !$omp parallel private(i, j)
    !$omp single
    do i = 1, 30
      !$omp task depend(inout: x) shared(log, n)
      n = n + 1
      log(n) = i
      !$omp end task
    end do
    do i = 1, 8
      do j = 1, 8
        !$omp task depend(in: grid(i - 1, j), grid(i, j - 1)) depend(out: grid(i, j))
        grid(i, j) = grid(i - 1, j) + grid(i, j - 1)
        !$omp end task
      end do
    end do
    !$omp taskwait
    !$omp task depend(out: y) shared(y)
    y = 1
    !$omp end task
    do i = 1, 10
      !$omp task depend(mutexinoutset: y) shared(y)
      y = y + 1
      !$omp end task
    end do
    !$omp task depend(in: y) shared(y, bad)
    bad = bad + merge(0, 1, y == 11)
    !$omp end task
    !$omp taskwait depend(in: y)
    bad = bad + merge(0, 1, y == 11)
    !$omp end single
    !$omp end parallel
    CHECK(bad == 0 .and. all(log == [(i, i=1, 30)]) .and. grid(8, 8) == 12870)
  end subroutine

  subroutine depend_objects
    integer :: x, seen, i
    integer(omp_depend_kind) :: d
    x = 0
    seen = 0
    !$omp parallel private(i)
    !$omp single
    !$omp depobj(d) depend(inout: x)
    do i = 1, 5
      !$omp task depend(depobj: d) shared(x)
      x = x * 2 + 1
      !$omp end task
    end do
    !$omp depobj(d) update(in)
    !$omp task depend(depobj: d) shared(x, seen)
    seen = x
    !$omp end task
    !$omp taskwait
    !$omp depobj(d) destroy
    !$omp end single
    !$omp end parallel
    CHECK(x == 31 .and. seen == 31)
  end subroutine

  subroutine detached
    integer :: x, after, k, bad
    integer(omp_event_handle_kind) :: event
    bad = 0
    !$omp parallel num_threads(3) private(k)
    !$omp single
    do k = 1, 10
      x = 0
      after = 0
      !$omp task detach(event) depend(out: x) shared(x)
      x = 1
      !$omp end task
      !$omp task depend(in: x) shared(x, after)
      after = x + 1
      !$omp end task
      !$omp task firstprivate(event)
      call omp_fulfill_event(event)
      !$omp end task
      !$omp taskwait
      bad = bad + merge(0, 1, after == 2)
    end do
    !$omp end single
    !$omp end parallel
    CHECK(bad == 0)
  end subroutine

  subroutine taskloops
    integer :: times(200), i, j, last, total
    integer(8) :: wide
    times = 0
    total = 0
    last = 0
    !$omp parallel
    !$omp single
    !$omp taskloop
    do i = 1, 200
      times(i) = times(i) + 1
    end do
    !$omp end taskloop
    !$omp taskloop grainsize(7) lastprivate(last)
    do i = 200, 1, -1
      times(i) = times(i) + 1
      last = i
    end do
    !$omp taskloop num_tasks(9) collapse(2)
    do i = 0, 9
      do j = 1, 20
        times(i * 20 + j) = times(i * 20 + j) + 1
      end do
    end do
    !$omp taskloop nogroup
    do wide = 1, 200
      times(wide) = times(wide) + 1
    end do
    !$omp taskwait
    !$omp taskloop reduction(+: total) grainsize(strict: 6)
    do i = 1, 100
      total = total + i
    end do
    !$omp end single
    !$omp end parallel
    CHECK(all(times == 4) .and. last == 1 .and. total == 5050)
  end subroutine

  subroutine task_reductions
    integer :: total, i, low
    real(8) :: product(2)
    total = 3
    low = 100
    product = 1
    !$omp parallel private(i)
    !$omp single
    !$omp taskgroup task_reduction(+: total) task_reduction(*: product) task_reduction(min: low)
    do i = 1, 12
      !$omp task in_reduction(+: total) in_reduction(*: product) in_reduction(min: low)
      total = total + i
      product(1 + mod(i, 2)) = product(1 + mod(i, 2)) * i
      low = min(low, 50 - i)
      !$omp end task
    end do
    !$omp taskloop in_reduction(+: total)
    do i = 1, 10
      total = total + 100
    end do
    !$omp end taskgroup
    !$omp end single
    !$omp end parallel
    CHECK(total == 3 + 78 + 1000 .and. product(1) == 46080 .and. product(2) == 10395 .and. low == 38)
  end subroutine

  subroutine reductions_with_modifier
    integer :: total, loop, i
    total = 0
    loop = 0
    !$omp parallel num_threads(4) reduction(task, +: total)
    !$omp task in_reduction(+: total)
    total = total + 5
    !$omp end task
    !$omp do reduction(task, +: loop)
    do i = 1, 20
      !$omp task in_reduction(+: loop)
      loop = loop + i
      !$omp end task
    end do
    !$omp end parallel
    CHECK(total == 20 .and. loop == 210)
  end subroutine

  subroutine cancelled_groups
    integer :: ran, late, i
    ran = 0
    late = 0
    !$omp parallel num_threads(3) private(i)
    !$omp single
    !$omp taskgroup
    do i = 1, 300
      !$omp task shared(ran)
      !$omp atomic
      ran = ran + 1
      !$omp cancel taskgroup
      !$omp end task
    end do
    !$omp end taskgroup
    !$omp task shared(late)
    late = 1
    !$omp end task
    !$omp end single
    !$omp end parallel
    CHECK(late == 1 .and. merge(ran >= 1, ran == 300, omp_get_cancellation()))
  end subroutine

  subroutine locks_in_tasks
    integer(omp_lock_kind) :: lock
    integer(omp_nest_lock_kind) :: nested
    integer :: total, i, many
    call omp_init_lock(lock)
    call omp_init_nest_lock(nested)
    total = 0
    many = 0
    !$omp parallel num_threads(4) private(i)
    !$omp single
    do i = 1, 50
      !$omp task
      call omp_set_lock(lock)
      total = total + i
      call omp_unset_lock(lock)
      !$omp end task
    end do
    !$omp end single
    call omp_set_nest_lock(nested)
    if (omp_test_nest_lock(nested) == 2) many = many + 1
    call omp_unset_nest_lock(nested)
    call omp_unset_nest_lock(nested)
    !$omp end parallel
    CHECK(total == 1275 .and. many == 4 .and. omp_test_lock(lock))
    CHECK(.not. omp_test_lock(lock))
    call omp_unset_lock(lock)
    call omp_destroy_lock(lock)
    call omp_destroy_nest_lock(nested)
  end subroutine
end module

program main
  use task_cases
  implicit none
  call start_cases
  CASE(fibonacci)
  CASE(each_once)
  CASE(data_of_tasks)
  CASE(waits_and_groups)
  CASE(undeferred_and_final)
  CASE(dependences)
  CASE(depend_objects)
  CASE(detached)
  CASE(taskloops)
  CASE(task_reductions)
  CASE(reductions_with_modifier)
  CASE(cancelled_groups)
  CASE(locks_in_tasks)
  call end_cases
end program
