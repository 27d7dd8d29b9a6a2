#include <oneapi/tbb/task.h>  // IWYU pragma: export
