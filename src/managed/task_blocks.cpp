// The memory of tasks in groups: blocks of one size, of which each thread keeps some. A task may end on another thread
// than the one that made it, so threads exchange batches of blocks through the depot. Blocks of ended tasks stay there
// for later ones, so tine keeps memory for as many tasks as ever waited at once.
#include <tine/detail/managed/group_state.hpp>

#include <mutex>
#include <new>
#include <utility>

namespace tine::detail {
namespace {

/// Tasks up to this size are all in blocks of this size.
constexpr std::size_t block_bytes = 192;
constexpr std::size_t blocks_per_batch = 64;

/// A block that holds no task.
struct free_block {
  free_block* next;        // in its batch
  free_block* next_batch;  // of the first block of a batch in the depot
  std::size_t count;       // of the first block of a batch: the blocks of the batch, some `blocks_per_batch`
};

/// Batches that no thread keeps. A thread doesn't wait for the lock, because a child of fork(2) may find it taken for
/// ever.
struct block_depot {
  std::mutex lock;
  free_block* batches = nullptr;

  bool put(free_block* batch) noexcept {
    const std::unique_lock guard{lock, std::try_to_lock};
    if (!guard.owns_lock()) return false;
    batch->next_batch = std::exchange(batches, batch);
    return true;
  }
  /// Returns null if there is no batch.
  free_block* take() noexcept {
    const std::unique_lock guard{lock, std::try_to_lock};
    if (!guard.owns_lock() || batches == nullptr) return nullptr;
    return std::exchange(batches, batches->next_batch);
  }
};

constinit block_depot depot;

/// The blocks that one thread keeps. A thread that takes and frees blocks in turn goes to the depot at most once a
/// batch.
struct block_list {
  free_block* newest = nullptr;   // the blocks that it has freed last
  std::size_t count = 0;          // the number of these
  free_block* batch = nullptr;    // a whole batch; null: it has none
  bool ends_with_thread = false;  // the thread gives them to the depot when it ends
};

// No function that may change threads touches it: those that take and free blocks do nothing else.
[[gnu::tls_model("initial-exec")]] constinit thread_local block_list free_here{};

struct at_thread_end {
  ~at_thread_end() {
    if (free_here.batch != nullptr) depot.put(free_here.batch);
    if (free_here.newest != nullptr) {
      free_here.newest->count = free_here.count;
      depot.put(free_here.newest);
    }
    free_here = {.ends_with_thread = true};
  }
};

TINE_NOINLINE void give_back_at_end() {
  thread_local at_thread_end gives_back;
  static_cast<void>(gives_back);
  free_here.ends_with_thread = true;
}

free_block* new_batch() {
  auto* const memory = static_cast<std::byte*>(::operator new(blocks_per_batch * block_bytes));
  free_block* newest = nullptr;
  for (std::size_t i = blocks_per_batch; i-- > 0;) {
    newest = ::new (static_cast<void*>(memory + i * block_bytes)) free_block{newest, nullptr, blocks_per_batch};
  }
  return newest;
}

/// The thread's newest blocks are used up.
TINE_NOINLINE void refill() {
  if (!free_here.ends_with_thread) give_back_at_end();
  free_block* batch = std::exchange(free_here.batch, nullptr);
  if (batch == nullptr) batch = depot.take();
  if (batch == nullptr) batch = new_batch();
  free_here.newest = batch;
  free_here.count = batch->count;
}

/// The thread's newest blocks are a batch. They stay where they are if the depot is taken.
TINE_NOINLINE void move_batch() noexcept {
  if (free_here.batch != nullptr && !depot.put(free_here.batch)) return;
  free_here.newest->count = std::exchange(free_here.count, 0);
  free_here.batch = std::exchange(free_here.newest, nullptr);
}

}  // namespace

// AddressSanitizer finds uses of tasks that have ended only if their memory goes back to the heap.

void* group_task::operator new(std::size_t bytes) {
  if (TINE_ASAN || bytes > block_bytes) return ::operator new(bytes);
  if (free_here.newest == nullptr) [[unlikely]]
    refill();
  block_list& mine = free_here;
  --mine.count;
  return std::exchange(mine.newest, mine.newest->next);
}

void group_task::operator delete(void* block, std::size_t bytes) noexcept {
  if (TINE_ASAN || bytes > block_bytes) return ::operator delete(block);
  block_list& mine = free_here;
  mine.newest = ::new (block) free_block{mine.newest, nullptr, 0};
  if (!mine.ends_with_thread) [[unlikely]]
    give_back_at_end();
  if (++mine.count >= blocks_per_batch) [[unlikely]]
    move_batch();
}

}  // namespace tine::detail
