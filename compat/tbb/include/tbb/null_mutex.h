#include <oneapi/tbb/null_mutex.h>  // IWYU pragma: export
