! gfortran's entry points, whose names have a trailing underscore.
program main
  use omp_lib
  implicit none
  integer :: i, asked, total, ordered_last
  integer(8) :: many
  integer(omp_lock_kind) :: lock
  integer(omp_nest_lock_kind) :: nested
  integer(omp_sched_kind) :: kind
  integer :: chunk
  real(8) :: a(100), start
  character(len=8) :: text

  call get_environment_variable("OMP_NUM_THREADS", text)
  read (text, *) asked
  start = omp_get_wtime()
  total = 0
  !$omp parallel reduction(+:total)
  total = total + omp_get_num_threads() + omp_get_thread_num()
  !$omp end parallel
  call check(total == asked * asked + asked * (asked - 1) / 2, 1)
  !$omp parallel workshare
  a = 1.5d0
  !$omp end parallel workshare
  !$omp parallel do schedule(dynamic, 3)
  do i = 1, 100
    a(i) = a(i) * i
  end do
  call check(sum(a) == 7575d0, 2)
  call omp_init_lock(lock)
  call omp_init_nest_lock(nested)
  total = 0
  many = 0
  !$omp parallel
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
  !$omp critical(name)
  many = many + 10
  !$omp end critical(name)
  !$omp end parallel
  call check(total == 1275 .and. many == 11 * asked, 3)
  call omp_destroy_lock(lock)
  call omp_destroy_nest_lock(nested)
  ordered_last = 0
  !$omp parallel do ordered
  do i = 1, 40
    !$omp ordered
    call check(ordered_last == i - 1, 4)
    ordered_last = i
    !$omp end ordered
  end do
  call omp_set_schedule(omp_sched_dynamic, 4)
  call omp_get_schedule(kind, chunk)
  call check(iand(kind, 15) == omp_sched_dynamic .and. chunk == 4, 5)
  call omp_set_num_threads(3_8)
  call check(omp_get_max_threads() == 3 .and. .not. omp_in_parallel() .and. omp_get_wtime() >= start, 6)
contains
  subroutine check(holds, number)
    logical, intent(in) :: holds
    integer, intent(in) :: number
    if (.not. holds) then
      print *, "not true: check", number
      call exit(1)
    end if
  end subroutine
end program
