#include <oneapi/tbb/combinable.h>  // IWYU pragma: export
