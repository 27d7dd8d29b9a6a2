#include <oneapi/tbb/parallel_invoke.h>  // IWYU pragma: export
