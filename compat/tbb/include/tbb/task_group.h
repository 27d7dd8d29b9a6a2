#include <oneapi/tbb/task_group.h>  // IWYU pragma: export
