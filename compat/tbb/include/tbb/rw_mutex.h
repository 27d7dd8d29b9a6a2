#include <oneapi/tbb/rw_mutex.h>  // IWYU pragma: export
