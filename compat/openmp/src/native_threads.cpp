// The native threads of teams, and the choice of the teams that need them.
#include "native_threads.hpp"

#include "fail.hpp"
#include "icvs.hpp"
#include "once.hpp"
#include "team.hpp"

#include <tine/sched/pool.hpp>

#include <link.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace tine::openmp {
namespace {

/// The most threads inside the pool at once.
constexpr unsigned most_callers = 4096;

tine::pool& pool_of_threads() {
  static std::atomic<tine::pool*> made{nullptr};
  return once(made, [] {
    return new tine::pool{
        {.workers = 1, .callers = caller_policy::any_root, .pin = affinity::none, .max_callers = most_callers}};
  });
}

}  // namespace

/// A thread that runs a member, or waits for the next one.
class native_thread {
 public:
  native_thread() : thread_{[this] { serve(); }} {}
  ~native_thread() {
    tell(state::ends);
    thread_.join();
  }
  native_thread(const native_thread&) = delete;
  native_thread& operator=(const native_thread&) = delete;

  bool is_taken = false;  ///< by a region; belongs to the thread that owns this one

  void start(team& t, int number, function call, void* data) {
    job_ = {&t, number, call, data};
    tell(state::works);
  }
  void wait() noexcept { state_.wait(state::works, std::memory_order_acquire); }  // pairs with the release in `tell`

 private:
  enum class state : unsigned { idle, works, ends };
  struct job {
    openmp::team* team;
    int number;
    function call;
    void* data;
  };

  void tell(state s) noexcept {
    state_.store(s, std::memory_order_release);  // pairs with the acquire in `serve` or in `wait`: publishes the job
    state_.notify_one();
  }

  void serve() {
    for (;;) {
      state_.wait(state::idle, std::memory_order_acquire);                // pairs with the release in `tell`
      if (state_.load(std::memory_order_acquire) == state::ends) return;  // as above
      if (job_.team->turns != nullptr) job_.team->turns->begin_thread(static_cast<unsigned>(job_.number));
      call_among_native_threads(
          [](void* at) {
            const job& j = *static_cast<job*>(at);
            run_native_member(*j.team, j.number, j.call, j.data);
          },
          &job_);
      tell(state::idle);
    }
  }

  std::atomic<state> state_{state::idle};
  job job_{};
  std::thread thread_;
};

namespace {

/// The threads that a thread has started for its regions. A child of fork(2) has none of them.
class owned_threads {
 public:
  ~owned_threads() {
    // The process may end inside of a region, so its first thread leaves its threads alone.
    if (::getpid() == ::gettid() || is_lost()) abandon();
  }

  /// The first `count` that no region has taken. A region of a nested team may meet this while an outer one has some.
  std::vector<native_thread*> take(std::size_t count) {
    if (is_lost()) abandon();
    owner_ = ::getpid();
    std::vector<native_thread*> taken;
    taken.reserve(count);
    for (std::size_t i = 0; taken.size() < count; ++i) {
      if (i == all_.size()) all_.push_back(std::make_unique<native_thread>());
      if (!std::exchange(all_[i]->is_taken, true)) taken.push_back(all_[i].get());
    }
    return taken;
  }

 private:
  bool is_lost() const noexcept { return !all_.empty() && owner_ != ::getpid(); }
  void abandon() noexcept {
    for (auto& t : all_) (void)t.release();
    all_.clear();
  }

  std::vector<std::unique_ptr<native_thread>> all_;
  ::pid_t owner_ = 0;
};

thread_local owned_threads own_threads;

/// Returns true for libgomp, libomp, libiomp5, tine's own library, and the renamed ones of Python's wheels.
bool names_openmp(std::string_view library) noexcept {
  return library.starts_with("libgomp") || library.starts_with("libomp") || library.starts_with("libiomp") ||
         library.starts_with("libtine_omp");
}

/// Returns true if an object needs such a library, or if it is an executable that contains this one.
bool has_openmp_code(const dl_phdr_info& object) noexcept {
  const auto* const end = object.dlpi_phdr + object.dlpi_phnum;
  const auto* const segment = std::find_if(object.dlpi_phdr, end, [](const auto& h) { return h.p_type == PT_DYNAMIC; });
  const bool is_executable = object.dlpi_name[0] == '\0';
  if (segment == end) return is_executable;
  const auto here = reinterpret_cast<std::uintptr_t>(&has_openmp_code) - object.dlpi_addr;
  if (is_executable && std::any_of(object.dlpi_phdr, end, [here](const auto& h) {
        return h.p_type == PT_LOAD && h.p_vaddr <= here && here < h.p_vaddr + h.p_memsz;
      }))
    return true;
  const auto* const entries = reinterpret_cast<const ElfW(Dyn)*>(object.dlpi_addr + segment->p_vaddr);
  const char* names = nullptr;
  for (const auto* e = entries; e->d_tag != DT_NULL; ++e) {
    if (e->d_tag != DT_STRTAB) continue;
    // glibc has relocated the address, except in objects whose dynamic section is read-only
    const auto at = static_cast<std::uintptr_t>(e->d_un.d_ptr);
    names = reinterpret_cast<const char*>(at < object.dlpi_addr ? object.dlpi_addr + at : at);
  }
  for (const auto* e = entries; names != nullptr && e->d_tag != DT_NULL; ++e) {
    if (e->d_tag == DT_NEEDED && names_openmp(names + e->d_un.d_val)) return true;
  }
  return false;
}

bool has_thread_locals(const dl_phdr_info& object) noexcept {
  return std::any_of(object.dlpi_phdr, object.dlpi_phdr + object.dlpi_phnum,
                     [](const auto& h) { return h.p_type == PT_TLS && h.p_memsz != 0; });
}

/// Returns true if a loaded object has both OpenMP code and thread-local variables. Which of these are threadprivate,
/// the compiler doesn't tell.
bool may_have_threadprivate() noexcept {
  const auto look = [](dl_phdr_info* object, std::size_t, void*) {
    return has_thread_locals(*object) && has_openmp_code(*object) ? 1 : 0;
  };
  const std::lock_guard guard{once_lock};  // glibc holds a lock meanwhile, which no child of fork(2) would get
  return ::dl_iterate_phdr(look, nullptr) != 0;
}

}  // namespace

/// The answer may become "yes" when a library is loaded, so we look once for each new function. It never becomes "no".
bool looks_native(function call) noexcept {
  static std::atomic<bool> is_native{false};
  // relaxed, here and below: the answer guards nothing
  if (is_native.load(std::memory_order_relaxed)) return true;
  const thread_kind asked = process().threads_are;
  if (asked == thread_kind::native || (asked == thread_kind::as_needed && may_have_threadprivate())) {
    if (!is_native.exchange(true, std::memory_order_relaxed) && process().is_recorded) {
      warn(
          "this program runs on native threads, because it has thread-local variables or TINE_OMP_THREADS says so. A replay may differ from its recording.");
    }
    return true;
  }
  const auto place = reinterpret_cast<std::uintptr_t>(call) / 4 % std::size(native::seen);
  native::seen[place].store(call, std::memory_order_relaxed);
  return false;
}

native_members::native_members(team& t, function call, void* data) {
  try {
    threads_ = own_threads.take(t.size - 1);
  } catch (const std::system_error& e) {
    fail("a parallel region asks for %u native threads, and the system gives no more (%s): lower OMP_NUM_THREADS.",
         t.size, e.what());
  }
  for (std::size_t i = 0; i < threads_.size(); ++i) threads_[i]->start(t, static_cast<int>(i) + 1, call, data);
}

native_members::~native_members() {
  for (native_thread* const thread : threads_) {
    thread->wait();
    thread->is_taken = false;
  }
}

void run_native_member(team& t, int number, function call, void* data) noexcept {
  const auto before = hot::load<tine_abi_own>();
  {
    member me{t, t.met_by, number};
    set_current(&me);
    t.numbers.bind(number);
    if (t.turns != nullptr) t.turns->begin(static_cast<unsigned>(number), __builtin_frame_address(0));
    call(data);
    end_member(me);
    t.turns != nullptr ? t.turns->end(static_cast<unsigned>(number)) : wait_for_members(t);
  }
  hot::store<tine_abi_own>(before);
}

void call_among_native_threads(void (*f)(void*), void* argument) {
  try {
    pool_of_threads().run([=] { f(argument); });
  } catch (const std::exception& e) {  // the pool can't start
    fail("%s", e.what());
  }
}

}  // namespace tine::openmp
