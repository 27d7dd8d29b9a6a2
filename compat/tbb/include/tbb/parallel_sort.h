#include <oneapi/tbb/parallel_sort.h>  // IWYU pragma: export
