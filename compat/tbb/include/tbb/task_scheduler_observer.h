#include <oneapi/tbb/task_scheduler_observer.h>  // IWYU pragma: export
