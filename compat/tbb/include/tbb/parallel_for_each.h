#include <oneapi/tbb/parallel_for_each.h>  // IWYU pragma: export
