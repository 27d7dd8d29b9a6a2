#include <oneapi/tbb/concurrent_set.h>  // IWYU pragma: export
