#include <oneapi/tbb/parallel_reduce.h>  // IWYU pragma: export
