#include <oneapi/tbb/queuing_mutex.h>  // IWYU pragma: export
