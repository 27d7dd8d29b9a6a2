/* The functions of C that compiled programs of Parallel ML call. The header is C, so that a compiler needs no C++.
 *
 * A string is a pointer to its length in bytes, an int64_t, behind which its bytes are; then follow one to eight bytes
 * of zero, up to a multiple of eight. Functions that return a string allocate it; they never return null. A char, a
 * word and a truth value are int64_t.
 *
 * All functions may be called by any thread, at once, from any fiber; none of them forks. A function that allocates may
 * collect garbage. Functions that get no memory end the program with a message and exit code 1, as tine_abi_trap
 * does. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- memory */

/* Starts the collector, unless it runs. The first call must come before the program makes a pool; otherwise it ends the
 * program with a message. */
void tine_ml_start(void);
/* Returns that many cells of 8 bytes, all zero. They exist as long as the program can reach them from a stack, from the
 * records of open forks, from static data, from what tine_ml_add_root has declared, or from other such memory. A
 * pointer to any byte of them, or just behind the last one, keeps them. Memory of malloc and thread-local variables
 * keep nothing. */
void* tine_ml_allocate(int64_t cells);
/* Like tine_ml_allocate, for cells that hold numbers only: a pointer in them keeps nothing. */
void* tine_ml_allocate_numbers(int64_t cells);
/* Declares cells outside of the collected memory in which the program stores pointers to it. They must exist to the
 * program's end. */
void tine_ml_add_root(void* begin, int64_t cells);

/* --- strings */

/* Returns -1, 0 or 1 if the first string is less than, equal to, or greater than the second, byte by byte. */
int64_t tine_ml_compare_strings(const void* a, const void* b);
/* Copies n bytes from the byte `from_offset` of one string to the byte `to_offset` of another, or of the same one: they
 * may overlap. */
void tine_ml_copy_bytes(void* to, int64_t to_offset, const void* from, int64_t from_offset, int64_t n);
/* Int.toString, Word.toString and Word8.toString: `~5`; `FF`. */
void* tine_ml_int_to_string(int64_t i);
void* tine_ml_word_to_string(int64_t w);
/* Char.toString and String.toString: with the escapes of SML. */
void* tine_ml_char_to_string(int64_t c);
void* tine_ml_string_to_string(const void* s);
/* Real.fmt: the digits are those behind the point in SCI and FIX, from 0 on, and all in GEN, from 1 on. There are at
 * most 10,000; other numbers count as the nearest of these. The numbers of the forms are known to basis.sml. */
enum { TINE_ML_SCI, TINE_ML_FIX, TINE_ML_GEN, TINE_ML_EXACT };
void* tine_ml_real_to_text(int64_t form, int64_t digits, double x);
/* Real.fromString: returns 1, and stores the value, if the string begins with a number in SML's syntax, perhaps after
 * blanks; otherwise 0. */
int64_t tine_ml_real_of_string(const void* s, double* value);

/* --- files. A handle is a small number; 0, 1 and 2 are standard input, output and error. Reads and writes continue
 * after an interruption by a signal. Each call is one step for other threads: two outputs to one file do not mix. */

/* TextIO.print: writes the string to standard output, through a buffer that is written when the program ends in any
 * usual way, by a trap, or by the functions below. */
void tine_ml_print(const void* s);
/* Open a file with that name for reading, or for writing; `append` keeps what is in the file. Return its handle, or -1
 * if that is not possible. */
int64_t tine_ml_open_in(const void* name);
int64_t tine_ml_open_out(const void* name);
int64_t tine_ml_open_append(const void* name);
/* Return 1; 0 if the handle is not open, or if not everything could be written. */
int64_t tine_ml_close(int64_t handle);
int64_t tine_ml_output(int64_t handle, const void* s);
int64_t tine_ml_flush(int64_t handle);
/* Returns the next line with its newline character; a last line without one gets one. At the end of the file: the empty
 * string. */
void* tine_ml_input_line(int64_t handle);
/* Returns the rest of the file. */
void* tine_ml_input_all(int64_t handle);
/* Returns at most n bytes; fewer only at the end of the file. */
void* tine_ml_input_n(int64_t handle, int64_t n);
/* Returns the next byte, from 0 to 255; -1 at the end of the file, or if the handle is not open for reading. */
int64_t tine_ml_input_byte(int64_t handle);
/* Returns 1 if no byte is left, 0 otherwise. May wait for input. */
int64_t tine_ml_end_of_stream(int64_t handle);

/* --- the process */

/* The main function of a program in Parallel ML calls this first, with its arguments, which must stay. Calls
 * tine_ml_start and tine_ml_set_arguments, and gives the standard streams of C new buffers that lose nothing when a
 * signal interrupts a write. (Without the call, a handler without SA_RESTART can make a write to standard output lose
 * bytes, as in C.) */
void tine_ml_begin_main(int argc, char** argv);
/* Sets the program's arguments, which must stay. */
void tine_ml_set_arguments(int argc, char** argv);
/* The number of arguments without the program's name; an argument by its index from 0, the empty string if there is
 * none; the name. */
int64_t tine_ml_argument_count(void);
void* tine_ml_argument(int64_t i);
void* tine_ml_program_name(void);
/* Nanoseconds since 1970, and nanoseconds of a clock that never goes back. */
int64_t tine_ml_time_ns(void);
int64_t tine_ml_clock_ns(void);
/* Writes all buffers and ends the program with that exit code, of which the lowest 8 bits count. Any worker may call it
 * in the middle of a parallel program; of several calls at once the first one ends it. */
__attribute__((noreturn)) void tine_ml_exit(int64_t code);
/* Like tine_ml_exit with code 1, after `uncaught exception TEXT` on standard error. */
__attribute__((noreturn)) void tine_ml_uncaught(const void* text);

/* --- for a compiler in this process: the functions above by their names; the last name is null */
struct tine_ml_function {
  const char* name;
  void (*address)(void);
};
extern const struct tine_ml_function tine_ml_functions[];

#ifdef __cplusplus
}
#endif
