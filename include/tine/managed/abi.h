/* The bridge between the runtime and code that a compiler made: the layout of records and hot words, and the slow
 * paths. `tine ir` knows nothing else of the runtime. The header is C, so that other compilers can use it.
 * spork/ir/codegen/README.md describes the code that a compiler emits at a fork and at its join.
 *
 * You may call all functions from any fiber. They have the platform's calling convention, whatever compiler made the
 * runtime. Those in the middle of a fork or join are slow paths. Compiled code calls them through a function of its own
 * that preserves the caller's registers (LLVM's preserve_mostcc), so a fork keeps its values in registers. */
#pragma once

#include <tine/detail/base/macros.hpp>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Offsets into the hot words, which start tine_abi_hot_offset() bytes from the thread pointer: the segment fs on
 * x86-64, tpidr_el0 on aarch64. Their symbol is tine_hot. In a library built with TINE_ARCH=portable it is
 * tine_portable_hot, so code for another library doesn't link with it. A fiber may wake on another thread after each
 * call, so don't use a thread pointer that you read before a call. On other architectures code calls `void*
 * tine_hot_block(void)` for each access. It returns the address of the calling thread's hot words. */
enum {
  tine_abi_top = 0,    /* where the next record goes */
  tine_abi_bot = 8,    /* a record below it has been promoted */
  tine_abi_limit = 64, /* a fork whose record is at or above it takes the slow path */
  /* A word for a front end whose functions need to know what they run for, e.g. the task of OpenMP. It belongs to the
   * fiber: the runtime saves it when a thread leaves the fiber and restores it when a thread comes back. It is zero in
   * a new thread and in a new fiber. A fiber runs one stolen branch after another, so a branch that sets the word puts
   * back what it found. Nothing in the runtime reads it; compat/openmp uses it, so a second front end needs another. */
  tine_abi_own = 208,
};

/* Offsets into a record. The bytes between them belong to the runtime. */
enum {
  tine_abi_kind_of_record = 0, /* const struct tine_abi_kind*, written by the fork */
  tine_abi_payload = 32,       /* cells of 8 bytes: the arguments; after the thief has run, the results */
  tine_abi_most_record = 4096, /* bytes of the longest record */
};

/* The runtime's description of a spork: a constant of the program. */
struct tine_abi_kind {
  uint8_t (*run)(void* record); /* takes the arguments out of the payload, and puts the results there; returns 0 */
  uint32_t size;                /* bytes of the record, a multiple of 8 */
  uint8_t is_range;             /* 0 */
  uint8_t sharing;              /* tokens that go along with a promoted spork: 0 none, 1 half, 2 all */
};

/* Returns the offset of the hot words, which is the same in every thread. */
TINE_API ptrdiff_t tine_abi_hot_offset(void);

/* The slow path of a fork whose record is written and below the top. Returns the value that the join uses for the
 * address of the record. After the call the top is where the next record goes. Outside of every pool the record is gone
 * then, and the join will find it not promoted.
 *
 * On an instrumented strand (an observed one, or one in a recorded or replayed region) the value is less than each
 * address in the shadow stack. So the join finds the record promoted, and takes its slow path.
 *
 * `returns` is the address of the place, mostly a slot of the stack, where the return address of a call in the fork
 * lies; it is not that return address itself. Observers get the return address as the site of the fork: a library that
 * forks for its callers passes the slot of the call in the program's code. It is read, and checked, only on an
 * instrumented strand; a value that can't be such an address then ends the program with a message. */
TINE_API TINE_COLD void* tine_abi_poll(void* record, const void* returns);

/* Makes records of the running strand stealable, the oldest first: as many as idle workers ask for, and up to `more`
 * beyond that. It is for strands with many open records of short branches: a thief then takes one after the other from
 * the worker's queue, and needs no work request for each. And it is for branches that are known to be long enough: fork
 * on demand takes no token for those that idle workers ask for, and doesn't wait for the requests. A strand that joins
 * many records, or runs branches without a fork, calls it when the word tine_abi_limit is 0, which is a work request.
 * Does nothing outside of every pool, and on an instrumented strand. */
TINE_API TINE_COLD void tine_abi_offer(uint32_t more);

/* The slow path of a join whose record was promoted; the caller has moved the top to `record`. Returns 1 if the branch
 * has run: on another worker, or, on an instrumented strand, in this call. Then the results are in the payload of a
 * record at the top. Returns 0 if the record was reclaimed and the branch has not run; the payload of `record` is then
 * what the fork wrote, until the next record is written there. After the call the top is where the record of the fork
 * started. The calling fiber may wake on another thread. */
TINE_API TINE_COLD int tine_abi_join(void* record);

/* The other way to fork doesn't write a record until a worker requests work. The runtime finds the arguments of an open
 * fork in its frame by LLVM's stack maps (version 3). The fork sets a slot in the frame to null; if the runtime makes a
 * record of the fork, it stores the record's address in the slot. A call during which forks of its function are open,
 * and that may lead to a poll, carries a deopt bundle with a group for each of these forks, outermost first:
 *
 *     number of arguments, number of the kind, address of the slot, arguments
 *
 * An argument is the value of a cell, or the address of a cell in the frame that holds the value. Other calls that may
 * lead to a poll carry an empty bundle. The runtime's walk over the frames passes over calls without a bundle if their
 * function has a map at all.
 *
 * Frames have a fixed size ("no-realign-stack"). Locations are relative to the stack pointer. On aarch64 each function
 * also has a frame pointer ("frame-pointer"="all"), and locations may be relative to it. */
struct tine_abi_frames {
  const void* maps;                         /* __LLVM_StackMaps of this module */
  const struct tine_abi_kind* const* kinds; /* indexed by their numbers */
  const void *code, *code_end;              /* a section with this module's functions and no others */
  void* table;                              /* belongs to the runtime; null at first */
};

/* Reads the maps, unless they have been read already. Call it before any code of the module forks. Ends the program
 * with a message if the maps are not as described above. */
TINE_API void tine_abi_open_frames(struct tine_abi_frames* module);
/* Frees what tine_abi_open_frames has read. Call it when none of the module's code runs any more. */
TINE_API void tine_abi_close_frames(struct tine_abi_frames* module);

/* The slow path of such a fork, when the limit is 0 or 1 (the limit of an instrumented strand). The call to it, in code
 * of the module, has a bundle that includes this fork. On x86-64 `returns` is the place on the stack where the return
 * address of that call lies. On aarch64 it points to three words: that return address, and the stack pointer and the
 * frame pointer before that call.
 *
 * Makes records of the open forks of all frames from the frame of that call down to the first frame that is not this
 * module's, the oldest fork first. Then it serves the work request. On an instrumented strand only this fork gets a
 * record, because all others have theirs. */
TINE_API TINE_COLD void tine_abi_poll_frames(struct tine_abi_frames* module, const void* returns);

/* The slow path of such a fork's join, when its slot is not null: takes the record in the slot from the shadow stack.
 * Returns the same values as tine_abi_join; the results are in the payload of the record in the slot. */
TINE_API TINE_COLD int tine_abi_join_frame(void* record);

/* Returns that many cells of 8 bytes, all zero. Ends the program with a message if there is no memory. C's free
 * releases them. */
TINE_API void* tine_abi_alloc(int64_t cells);

/* Ends the program with this message, exit code 1. */
TINE_API __attribute__((noreturn)) void tine_abi_trap(const char* message);

/* The personality of compiled functions with unwind tables, as the Itanium C++ ABI defines it: ends the program with a
 * message. An exception of C++ that left a function of C would otherwise pass through compiled code, whose forks would
 * stay open. */
TINE_API TINE_COLD int tine_abi_personality(int version, int actions, uint64_t exception_class, void* exception,
                                            void* context);

/* Runs program(results) in a pool of that many workers, or, if `workers` is 0, of as many as the default pool has.
 * TINE_PROMOTE names the pool's promotion policy, e.g. heartbeat:500us,30. Throws what tine::pool throws, and
 * std::invalid_argument if TINE_PROMOTE doesn't name a policy. */
TINE_API void tine_abi_run(void (*program)(void* results), void* results, unsigned workers);

/* The main function of a compiled program: runs it as tine_abi_run with 0 workers and prints its results, one cell
 * each. `types` has a letter for each result: `i` for a whole number, `f` for a fraction. Returns the exit code: 2,
 * with a message, if there can be no pool. */
TINE_API int tine_abi_main(void (*program)(void* results), const char* types);

#ifdef __cplusplus
}
#endif
