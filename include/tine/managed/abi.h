/* The bridge between the runtime and code that a compiler made: the layout of records and hot words, and the slow paths. For
 * `tine ir`, which knows nothing else of the runtime; C, so that other compilers can use it. What compiled code does at a fork
 * and at its join is written down in src/spork/codegen/README.md.
 *
 * All functions may be called from any fiber, and have the platform's calling convention, whatever compiler made the runtime.
 * Those in the middle of a fork or join are slow paths: compiled code calls them through a function of its own that preserves the
 * caller's registers (LLVM's preserve_mostcc), so that a fork keeps its values there. */
#pragma once

#include <tine/base/config.hpp>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Offsets into the hot words, which begin tine_abi_hot_offset() bytes from the thread's segment register fs. Each access is one
 * instruction: a fiber may wake on another thread. */
enum {
  tine_abi_top = 0,    /* where the next record goes */
  tine_abi_bot = 8,    /* a record below it has been promoted */
  tine_abi_limit = 64, /* a fork at or above it takes the slow path */
};

/* Offsets into a record. What lies between them is the runtime's. */
enum {
  tine_abi_kind_of_record = 0, /* const struct tine_abi_kind*, written by the fork */
  tine_abi_payload = 32,       /* arguments, and after the thief has run: results. In cells of 8 bytes */
  tine_abi_most_record = 4096, /* bytes of the longest record */
};

/* What the runtime is told of a spork: a constant of the program. */
struct tine_abi_kind {
  uint8_t (*run)(void* record); /* takes the arguments out of the payload, and puts the results there; returns 0 */
  uint32_t size;                /* of the record, a multiple of 8 */
  uint8_t is_range;             /* 0 */
  uint8_t sharing;              /* of tokens: 0 none, 1 half, 2 all */
};

/* Where the hot words are: the same in every thread. */
ptrdiff_t tine_abi_hot_offset(void);

/* The slow path of a fork whose record is written and below the top. Returns 1 if the fork is offered now; 0 if this strand offers
 * nothing (it is outside every pool, or watched): then the record is gone, and the join will find it not promoted. */
TINE_COLD int tine_abi_poll(void* record);

/* The slow path of a join whose record was promoted; the top is back. Returns 1 if somebody else ran it (the results are in its
 * payload), 0 if it was taken back and nobody has. The calling fiber may wake on another thread. */
TINE_COLD int tine_abi_join(void* record);

/* The other way to fork: no record before somebody asks for work. The arguments of an open fork are found in its frame by LLVM's
 * stack maps (version 3), and a slot in the frame, which the fork sets to null, gets the address of its record if one is made
 * of it. A call during which forks of its function are open, and that may lead to a poll, carries a deopt bundle with a group for
 * each of them, outermost first:
 *
 *     number of arguments, number of the kind, address of the slot, arguments
 *
 * where an argument is a cell itself, or the address of a cell in the frame that holds it.
 * Other calls that may lead to a poll carry an empty one; those without a bundle are passed if their function has a map at all.
 * Frames have a fixed size and locations relative to the stack pointer ("no-realign-stack"). */
struct tine_abi_frames {
  const void* maps;                         /* __LLVM_StackMaps of this module */
  const struct tine_abi_kind* const* kinds; /* by their numbers */
  const void *code, *code_end;              /* a section with this module's functions, and nobody else's */
  void* table;                              /* the runtime's; null at first */
};

/* Reads the maps, if nobody has yet; before any code of the module forks. Ends the program with a message if they are not as above. */
void tine_abi_open_frames(struct tine_abi_frames* module);
/* Forgets what was read; when none of the module's code runs any more. */
void tine_abi_close_frames(struct tine_abi_frames* module);

/* The slow path of such a fork, when the limit is 0: its call, by code of the module, has a bundle that holds this fork, too.
 * `returns` is where the return address of that call lies on the stack. Makes records of the open forks of all frames from that
 * call's on down to the first that is not this module's, the oldest first, and offers them. */
TINE_COLD void tine_abi_poll_frames(struct tine_abi_frames* module, const void* returns);

/* The slow path of such a fork's join, when its slot is not null: takes the record there from the shadow stack. Returns as
 * tine_abi_join. */
TINE_COLD int tine_abi_join_frame(void* record);

/* So many cells of 8 bytes, all zero. Ends the program with a message if there is no memory. Pairs with C's free. */
void* tine_abi_alloc(int64_t cells);

/* Ends the program with this message, exit code 1. */
__attribute__((noreturn)) void tine_abi_trap(const char* message);

/* Runs program(results) in a pool of so many workers, 0: in the default pool. Throws what tine::pool throws. */
void tine_abi_run(void (*program)(void* results), void* results, unsigned workers);

/* The main of a compiled program: runs it in the default pool and prints its results, one cell each; `types` says which are
 * whole numbers, `i`, and which fractions, `f`. Returns the exit code: 2, with a message,
 * if there can be no pool. */
int tine_abi_main(void (*program)(void* results), const char* types);

#ifdef __cplusplus
}
#endif
