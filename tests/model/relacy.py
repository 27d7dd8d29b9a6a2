"""Makes a copy of Relacy with the corrections that the models need."""

import os
import shutil

# Relacy is older than C++20, and its schedules are all alike. Each correction is a file, the old text, the new text,
# and the number of times that the old text must occur.
RELACY_CORRECTIONS = [
    # C++20 took the same-thread part out of release sequences: a relaxed store no longer carries the release of an
    # earlier store by its thread.
    ("thread.hpp", "prev.busy_ && (rmw || (index_ == prev.thread_id_));", "prev.busy_ && rmw;", 1),
    # C++17 lets the order of a failed compare-exchange be stronger than that of a successful one.
    ("atomic.hpp", "                RL_VERIFY(mo_relaxed == failure_mo);\n"
     "                return compare_swap_impl<spurious_failures, mo_release, &thread_info_base::atomic_rmw_release,",
     "                if (mo_acquire == failure_mo) return compare_swap_impl<spurious_failures, mo_release, "
     "&thread_info_base::atomic_rmw_release, mo_acquire, &thread_info_base::atomic_load_acquire_rmw>(cmp, xchg, info);\n"
     "                return compare_swap_impl<spurious_failures, mo_release, &thread_info_base::atomic_rmw_release,",
     1),
    # A thread runs for 1, 4, 16 or 64 steps on average, depending on the schedule's number. Uniformly drawn steps
    # hardly ever let one thread stand still while another one gets far, which most mistakes in a protocol need.
    ("random_scheduler.hpp", "        thread_id_t const running_thread_count = this->running_threads_count;\n",
     "        thread_id_t const running_thread_count = this->running_threads_count;\n"
     "        unsigned const steps = 1u << (2 * (this->iter_ % 4));\n"
     "        if (!yield && this->thread_ && this->thread_->state_ == thread_state_running && rand_.rand() % steps != 0)\n"
     "        {\n            reason = unpark_reason_normal;\n            return this->thread_->index_;\n        }\n", 1),
    ("random_scheduler.hpp", "unsigned /*yield*/)", "unsigned yield)", 1),
    # A destructor writes the mark of freed memory last. A compiler may omit that write, unless the mark is volatile.
    ("signature.hpp", "    unsigned magic_;", "    unsigned volatile magic_;", 1),
]


class Failure(Exception):
    """The models cannot be built or run; the text says why."""


def corrected_relacy(build):
    for where in ("/usr/include/relacy", "/usr/local/include/relacy"):
        if os.path.isdir(where):
            break
    else:
        raise Failure("Relacy is not installed: the Debian package is relacy-dev")
    target = build / "relacy" / "relacy"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(where, target)
    for name, old, new, times in RELACY_CORRECTIONS:
        text = (target / name).read_text()
        if text.count(old) != times:
            raise Failure(f"this Relacy differs from the one the models know: {name} has not {times} times: {old}")
        (target / name).write_text(text.replace(old, new))
    return target.parent
