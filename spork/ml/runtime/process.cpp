// The process: its arguments, clocks, and end.
#include "ml/runtime/ml.h"
#include "ml/runtime/standard_streams.hpp"
#include "ml/runtime/string.hpp"

#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <mutex>

namespace {

int argument_count = 0;  // written by main before the program begins
char** arguments = nullptr;

void* argument(std::int64_t i) { return tine::ml::string_of(i >= 0 && i < argument_count ? arguments[i] : ""); }

std::int64_t nanoseconds(clockid_t clock) noexcept {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

/// Only the first caller returns, and keeps the lock: exit(3) must not be called twice.
void become_the_last() noexcept {
  static std::mutex the_end;
  the_end.lock();
}

}  // namespace

extern "C" {

void tine_ml_set_arguments(int argc, char** argv) {
  argument_count = argc;
  arguments = argv;
}

void tine_ml_begin_main(int argc, char** argv) {
  tine_ml_start();
  tine_ml_set_arguments(argc, argv);
  tine::ml::take_standard_streams();
}

int64_t tine_ml_argument_count() { return argument_count > 0 ? argument_count - 1 : 0; }
void* tine_ml_argument(int64_t i) { return argument(i < 0 ? -1 : i + 1); }
void* tine_ml_program_name() { return argument(0); }

int64_t tine_ml_time_ns() { return nanoseconds(CLOCK_REALTIME); }
int64_t tine_ml_clock_ns() { return nanoseconds(CLOCK_MONOTONIC); }

// exit(3) works in a worker while others run, and the profiler writes its profile then. It writes the buffers of all
// streams.
void tine_ml_exit(int64_t code) {
  become_the_last();
  std::exit(static_cast<int>(code & 255));
}

void tine_ml_uncaught(const void* text) {
  become_the_last();
  std::fflush(stdout);  // first, so that the message is last
  const std::string_view what = tine::ml::text_of(text);
  std::fprintf(stderr, "uncaught exception %.*s\n", static_cast<int>(what.size()), what.data());
  std::exit(1);
}

#define TINE_ML_FUNCTION(name) {#name, reinterpret_cast<void (*)()>(&name)}
const tine_ml_function tine_ml_functions[] = {TINE_ML_FUNCTION(tine_ml_start),
                                              TINE_ML_FUNCTION(tine_ml_allocate),
                                              TINE_ML_FUNCTION(tine_ml_allocate_numbers),
                                              TINE_ML_FUNCTION(tine_ml_add_root),
                                              TINE_ML_FUNCTION(tine_ml_compare_strings),
                                              TINE_ML_FUNCTION(tine_ml_copy_bytes),
                                              TINE_ML_FUNCTION(tine_ml_int_to_string),
                                              TINE_ML_FUNCTION(tine_ml_word_to_string),
                                              TINE_ML_FUNCTION(tine_ml_char_to_string),
                                              TINE_ML_FUNCTION(tine_ml_string_to_string),
                                              TINE_ML_FUNCTION(tine_ml_real_to_text),
                                              TINE_ML_FUNCTION(tine_ml_real_of_string),
                                              TINE_ML_FUNCTION(tine_ml_print),
                                              TINE_ML_FUNCTION(tine_ml_open_in),
                                              TINE_ML_FUNCTION(tine_ml_open_out),
                                              TINE_ML_FUNCTION(tine_ml_open_append),
                                              TINE_ML_FUNCTION(tine_ml_close),
                                              TINE_ML_FUNCTION(tine_ml_output),
                                              TINE_ML_FUNCTION(tine_ml_flush),
                                              TINE_ML_FUNCTION(tine_ml_input_line),
                                              TINE_ML_FUNCTION(tine_ml_input_all),
                                              TINE_ML_FUNCTION(tine_ml_input_n),
                                              TINE_ML_FUNCTION(tine_ml_input_byte),
                                              TINE_ML_FUNCTION(tine_ml_end_of_stream),
                                              TINE_ML_FUNCTION(tine_ml_set_arguments),
                                              TINE_ML_FUNCTION(tine_ml_begin_main),
                                              TINE_ML_FUNCTION(tine_ml_argument_count),
                                              TINE_ML_FUNCTION(tine_ml_argument),
                                              TINE_ML_FUNCTION(tine_ml_program_name),
                                              TINE_ML_FUNCTION(tine_ml_time_ns),
                                              TINE_ML_FUNCTION(tine_ml_clock_ns),
                                              TINE_ML_FUNCTION(tine_ml_exit),
                                              TINE_ML_FUNCTION(tine_ml_uncaught),
                                              {nullptr, nullptr}};
#undef TINE_ML_FUNCTION

}  // extern "C"
