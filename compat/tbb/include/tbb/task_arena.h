#include <oneapi/tbb/task_arena.h>  // IWYU pragma: export
