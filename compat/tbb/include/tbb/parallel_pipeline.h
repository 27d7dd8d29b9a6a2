#include <oneapi/tbb/parallel_pipeline.h>  // IWYU pragma: export
