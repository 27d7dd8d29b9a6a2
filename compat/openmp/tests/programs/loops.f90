! Fortran: regions, worksharing, data-sharing, reductions and atomic operations.
#include "cases.inc"

module loop_cases
  use cases
  implicit none
  type point
    real(8) :: x = 0, y = 0
  end type
  !$omp declare reduction(add: point: omp_out = sum_of(omp_out, omp_in)) initializer(omp_priv = point(0, 0))
contains
  type(point) function sum_of(a, b)
    type(point), intent(in) :: a, b
    sum_of = point(a%x + b%x, a%y + b%y)
  end function

  subroutine teams_of_threads
    integer :: total, n
    n = threads_asked()
    total = 0
    !$omp parallel reduction(+: total)
    total = total + omp_get_num_threads() + omp_get_thread_num()
    !$omp end parallel
    CHECK(total == n * n + n * (n - 1) / 2)
    total = 0
    !$omp parallel num_threads(5) if(n > 0) reduction(+: total)
    total = total + 1
    !$omp end parallel
    CHECK(total == 5)
  end subroutine

  subroutine schedules
    integer :: times(100), owner(100), i, k, n
    n = threads_asked()
    times = 0
    !$omp parallel do schedule(static, 3)
    do i = 1, 100
      times(i) = times(i) + 1
      owner(i) = omp_get_thread_num()
    end do
    !$omp end parallel do
    CHECK(all(times == 1))
    CHECK(all(owner == [(mod((i - 1) / 3, n), i=1, 100)]))
    !$omp parallel do schedule(dynamic, 4)
    do i = 100, 1, -1
      times(i) = times(i) + 1
    end do
    !$omp parallel do schedule(guided)
    do i = 1, 100
      times(i) = times(i) + 1
    end do
    do k = 1, 4
      call omp_set_schedule(int(k, omp_sched_kind), 2)
      !$omp parallel do schedule(runtime)
      do i = 1, 100, 1
        times(i) = times(i) + 1
      end do
    end do
    CHECK(all(times == 7))
  end subroutine

  subroutine bounds_of_loops
    integer :: i, ran
    integer(8) :: j
    ran = 0
    !$omp parallel do reduction(+: ran) schedule(dynamic)
    do i = 5, 4
      ran = ran + 1
    end do
    !$omp parallel do reduction(+: ran)
    do i = huge(i) - 10, huge(i) - 1
      ran = ran + 1
    end do
    !$omp parallel do reduction(+: ran) schedule(dynamic, 3)
    do j = -huge(j), -huge(j) + 20, 5
      ran = ran + 1
    end do
    !$omp parallel do reduction(+: ran) schedule(guided)
    do j = 10, -10, -7
      ran = ran + 1
    end do
    CHECK(ran == 10 + 5 + 3)
  end subroutine

  subroutine collapsed
    integer :: i, j, k, times(4, 5, 6)
    times = 0
    !$omp parallel do collapse(3) schedule(dynamic, 7)
    do i = 1, 4
      do j = 5, 1, -1
        do k = 1, 6
          times(i, j, k) = times(i, j, k) + 1
        end do
      end do
    end do
    CHECK(all(times == 1))
  end subroutine

  subroutine private_variables
    integer :: x, first, last, i, bad
    x = 5
    first = 7
    bad = 0
    !$omp parallel num_threads(4) private(x) firstprivate(first) reduction(+: bad)
    x = omp_get_thread_num()
    bad = bad + merge(0, 1, first == 7)
    first = first + x
    !$omp barrier
    bad = bad + merge(0, 1, x == omp_get_thread_num() .and. first == 7 + x)
    !$omp end parallel
    CHECK(bad == 0 .and. x == 5 .and. first == 7)
    !$omp parallel do lastprivate(last) firstprivate(first) schedule(dynamic)
    do i = 1, 50
      last = i * first
    end do
    CHECK(last == 350)
    !$omp parallel do lastprivate(conditional: last) schedule(dynamic, 3)
    do i = 1, 50
      if (mod(i, 13) == 0) last = i
    end do
    CHECK(last == 39)
  end subroutine

  subroutine linear_variables
    integer :: position, i, bad
    position = 10
    bad = 0
    !$omp parallel do linear(position: 3) reduction(+: bad)
    do i = 0, 29
      bad = bad + merge(0, 1, position == 10 + 3 * i)
      position = position + 3
    end do
    CHECK(bad == 0 .and. position == 100)
  end subroutine

  subroutine allocatable_variables
    integer, allocatable :: a(:), none(:)
    real(8), allocatable :: s
    integer :: bad
    allocate (a(2:11))
    a = 3
    s = 1.5d0
    bad = 0
    !$omp parallel num_threads(4) firstprivate(a, s, none) reduction(+: bad)
    bad = bad + merge(0, 1, lbound(a, 1) == 2 .and. size(a) == 10 .and. all(a == 3) .and. s == 1.5d0)
    bad = bad + merge(1, 0, allocated(none))
    a(5) = omp_get_thread_num()
    !$omp barrier
    bad = bad + merge(0, 1, a(5) == omp_get_thread_num())
    deallocate (a)
    allocate (a(3))
    a = 1
    !$omp end parallel
    CHECK(bad == 0 .and. size(a) == 10 .and. all(a == 3))
    !$omp parallel num_threads(4) private(a) reduction(+: bad)
    bad = bad + merge(0, 1, allocated(a) .and. size(a) == 10)
    !$omp end parallel
    CHECK(bad == 0)
    !$omp parallel num_threads(4) reduction(+: a)
    a = a + 1
    !$omp end parallel
    CHECK(all(a == 7))
  end subroutine

  subroutine automatic_arrays
    call with_length(1)
    call with_length(500)
  end subroutine
  subroutine with_length(n)
    integer, intent(in) :: n
    integer :: a(n), bad
    character(len=n) :: text
    a = 4
    text = repeat("x", n)
    bad = 0
    !$omp parallel num_threads(3) firstprivate(a, text) reduction(+: bad)
    bad = bad + merge(0, 1, all(a == 4) .and. text == repeat("x", n) .and. len(text) == n)
    a = omp_get_thread_num()
    !$omp barrier
    bad = bad + merge(0, 1, all(a == omp_get_thread_num()))
    !$omp end parallel
    CHECK(bad == 0 .and. all(a == 4))
  end subroutine

  subroutine integer_reductions
    integer :: i, plus, minus, times, low, high, ands, ors, xors
    plus = 1
    minus = 100
    times = 3
    low = 1000
    high = -5
    ands = 127
    ors = 64
    xors = 16
    !$omp parallel do reduction(+: plus) reduction(-: minus) reduction(*: times) reduction(min: low) &
    !$omp   reduction(max: high) reduction(iand: ands) reduction(ior: ors) reduction(ieor: xors) schedule(dynamic, 3)
    do i = 1, 60
      plus = plus + i
      minus = minus - 1
      if (mod(i, 20) == 0) times = times * 2
      low = min(low, 50 - i)
      high = max(high, i * 2)
      if (i == 9) ands = iand(ands, 109)
      ors = ior(ors, ishft(1, mod(i, 4)))
      xors = ieor(xors, merge(33, 0, i == 3 .or. i == 30))
    end do
    CHECK(plus == 1831 .and. minus == 40 .and. times == 24 .and. low == -10 .and. high == 120)
    CHECK(ands == 109 .and. ors == 79 .and. xors == 16)
  end subroutine

  subroutine logical_reductions
    logical :: every, any_one, same, differs
    integer :: i
    every = .true.
    any_one = .false.
    same = .true.
    differs = .false.
    !$omp parallel do reduction(.and.: every) reduction(.or.: any_one) reduction(.eqv.: same) reduction(.neqv.: differs)
    do i = 1, 60
      every = every .and. i <= 60
      any_one = any_one .or. i == 33
      same = same .eqv. i /= 7
      differs = differs .neqv. mod(i, 2) == 0
    end do
    CHECK(every .and. any_one .and. .not. same .and. .not. differs)
  end subroutine

  subroutine real_and_complex_reductions
    real(4) :: s
    real(8) :: d, high
    complex(8) :: c
    integer :: i
    s = 0
    d = 1
    high = -huge(high)
    c = (1d0, 0d0)
    !$omp parallel do reduction(+: s, c) reduction(*: d) reduction(max: high)
    do i = 1, 64
      s = s + 0.5
      d = d * merge(2d0, 0.5d0, mod(i, 2) == 0)
      high = max(high, 0.25d0 * i)
      c = c + (0d0, 1d0)
    end do
    CHECK(s == 32 .and. d == 1 .and. high == 16 .and. c == (1d0, 64d0))
  end subroutine

  subroutine array_reductions
    integer :: a(10), grid(3, 4), i
    a = 1
    grid = 0
    !$omp parallel do reduction(+: a, grid)
    do i = 0, 119
      a(1 + mod(i, 10)) = a(1 + mod(i, 10)) + 1
      grid(1 + mod(i, 3), 1 + mod(i, 4)) = grid(1 + mod(i, 3), 1 + mod(i, 4)) + 1
    end do
    CHECK(all(a == 13) .and. all(grid == 10))
  end subroutine

  subroutine declared_reductions
    type(point) :: p
    integer :: i
    p = point(1, 2)
    !$omp parallel do reduction(add: p)
    do i = 1, 40
      p%x = p%x + i
      p%y = p%y - 1
    end do
    CHECK(p%x == 821 .and. p%y == -38)
  end subroutine

  subroutine scans
    integer :: i, x, a(50), b(50)
    x = 0
    !$omp parallel do reduction(inscan, +: x)
    do i = 1, 50
      x = x + i
      !$omp scan inclusive(x)
      a(i) = x
    end do
    CHECK(x == 1275 .and. all(a == [(i * (i + 1) / 2, i=1, 50)]))
    x = 0
    !$omp parallel do reduction(inscan, +: x)
    do i = 1, 50
      b(i) = x
      !$omp scan exclusive(x)
      x = x + i
    end do
    CHECK(all(b == [(i * (i - 1) / 2, i=1, 50)]))
  end subroutine

  subroutine workshares
    real(8) :: a(200), b(200), total
    logical :: mask(200)
    integer :: i, k
    !$omp parallel
    !$omp workshare
    a = 1.5d0
    b = a * 2
    mask = [(mod(i, 2) == 0, i=1, 200)]
    where (mask)
      b = 0
    elsewhere
      b = b + 1
    end where
    forall (k=1:200, mask(k)) a(k) = k
    !$omp end workshare
    !$omp end parallel
    total = 0
    !$omp parallel workshare
    total = sum(a) + sum(b)
    !$omp end parallel workshare
    CHECK(a(1) == 1.5d0 .and. a(200) == 200 .and. b(1) == 4 .and. b(2) == 0)
    CHECK(total == 100 * 1.5d0 + 10100 + 400)
  end subroutine

  subroutine sections_and_single
    integer :: ran(5), copied, k, bad
    ran = 0
    bad = 0
    !$omp parallel num_threads(3) private(copied) reduction(+: bad)
    !$omp sections
    !$omp section
    ran(1) = ran(1) + 1
    !$omp section
    ran(2) = ran(2) + 1
    !$omp section
    ran(3) = ran(3) + 1
    !$omp end sections
    do k = 1, 10
      !$omp single
      ran(4) = ran(4) + 1
      copied = k * 3
      !$omp end single copyprivate(copied)
      bad = bad + merge(0, 1, copied == k * 3 .and. ran(4) == k)
      !$omp barrier
    end do
    !$omp masked
    ran(5) = ran(5) + 1
    !$omp end masked
    !$omp end parallel
    CHECK(bad == 0 .and. all(ran == [1, 1, 1, 10, 1]))
  end subroutine

  subroutine ordered_and_doacross
    integer :: i, j, next, bad, line(0:60), grid(0:12, 0:12)
    next = 1
    bad = 0
    !$omp parallel do ordered schedule(dynamic, 2) reduction(+: bad)
    do i = 1, 40
      !$omp ordered
      bad = bad + merge(0, 1, next == i)
      next = next + 1
      !$omp end ordered
    end do
    line = 0
    !$omp parallel do ordered(1) schedule(static, 1)
    do i = 1, 60
      !$omp ordered depend(sink: i - 1)
      line(i) = line(i - 1) + i
      !$omp ordered depend(source)
    end do
    grid = 1
    !$omp parallel do ordered(2) schedule(dynamic)
    do i = 1, 12
      do j = 1, 12
        !$omp ordered depend(sink: i - 1, j) depend(sink: i, j - 1)
        grid(i, j) = grid(i - 1, j) + grid(i, j - 1)
        !$omp ordered depend(source)
      end do
    end do
    CHECK(bad == 0 .and. next == 41 .and. line(60) == 1830 .and. grid(8, 8) == 12870)
  end subroutine

  subroutine atomic_updates
    integer :: i, n, captured, low
    integer(8) :: bits
    real(8) :: x
    complex(8) :: c
    logical :: l
    n = 0
    bits = 0
    x = 0
    c = 0
    l = .true.
    low = 1000
    captured = 0
    !$omp parallel do num_threads(4) reduction(+: captured)
    do i = 1, 100
      block
        integer :: v
        !$omp atomic
        n = n + 1
        !$omp atomic update
        bits = ior(bits, ishft(1_8, mod(i, 40)))
        !$omp atomic
        x = x + 0.5d0
        !$omp atomic
        c = c + (1d0, -1d0)
        !$omp atomic
        low = min(low, i)
        !$omp atomic
        l = l .and. i > 0
        !$omp atomic read
        v = n
        captured = captured + merge(1, 0, v >= 1 .and. v <= 100)
      end block
    end do
    CHECK(n == 100 .and. bits == ishft(1_8, 40) - 1 .and. x == 50 .and. c == (100d0, -100d0) .and. low == 1 .and. l)
    CHECK(captured == 100)
    captured = 0
    !$omp parallel do num_threads(4) reduction(+: captured)
    do i = 1, 100
      block
        integer :: v
        !$omp atomic capture
        v = n
        n = n + 1
        !$omp end atomic
        captured = captured + v
      end block
    end do
    !$omp atomic write
    x = 2.5d0
    CHECK(captured == 14950 .and. x == 2.5d0)
  end subroutine

  subroutine critical_sections
    integer :: n, other
    n = 0
    other = 0
    !$omp parallel num_threads(4)
    !$omp critical
    n = n + 1
    !$omp end critical
    !$omp critical (second) hint(omp_sync_hint_contended)
    other = other + 1
    !$omp end critical (second)
    !$omp flush
    !$omp end parallel
    CHECK(n == 4 .and. other == 4)
  end subroutine

  subroutine nested_regions
    integer :: leaves, bad
    leaves = 0
    bad = 0
    call omp_set_max_active_levels(2)
    !$omp parallel num_threads(3) reduction(+: leaves, bad)
    !$omp parallel num_threads(2) reduction(+: leaves, bad)
    leaves = leaves + 1
    bad = bad + merge(0, 1, omp_get_level() == 2 .and. omp_get_team_size(1) == 3)
    bad = bad + merge(0, 1, omp_get_ancestor_thread_num(1) < 3)
    !$omp end parallel
    !$omp end parallel
    CHECK(leaves == 6 .and. bad == 0)
  end subroutine

  subroutine cancelled_loops
    integer :: i, ran
    ran = 0
    !$omp parallel num_threads(3)
    !$omp do schedule(dynamic)
    do i = 1, 1000
      !$omp atomic
      ran = ran + 1
      !$omp cancel do if (i == 5)
      !$omp cancellation point do
    end do
    !$omp end do
    !$omp end parallel
    CHECK(merge(ran < 1000 .or. .true., ran == 1000, omp_get_cancellation()))
  end subroutine

  subroutine target_and_teams
    integer :: a(20), i, total
    a = [(i, i=1, 20)]
    total = 0
    !$omp target map(tofrom: a)
    a = a * 2
    !$omp end target
    !$omp target teams distribute parallel do map(tofrom: a)
    do i = 1, 20
      a(i) = a(i) + 1
    end do
    !$omp teams num_teams(3) reduction(+: total)
    total = total + omp_get_num_teams()
    !$omp end teams
    CHECK(all(a == [(2 * i + 1, i=1, 20)]) .and. total == 9)
  end subroutine
end module

program main
  use loop_cases
  implicit none
  call start_cases
  CASE(teams_of_threads)
  CASE(schedules)
  CASE(bounds_of_loops)
  CASE(collapsed)
  CASE(private_variables)
  CASE(linear_variables)
  CASE(allocatable_variables)
  CASE(automatic_arrays)
  CASE(integer_reductions)
  CASE(logical_reductions)
  CASE(real_and_complex_reductions)
  CASE(array_reductions)
  CASE(declared_reductions)
  CASE(scans)
  CASE(workshares)
  CASE(sections_and_single)
  CASE(ordered_and_doacross)
  CASE(atomic_updates)
  CASE(critical_sections)
  CASE(nested_regions)
  CASE(cancelled_loops)
  CASE(target_and_teams)
  call end_cases
end program
