#include <oneapi/tbb.h>  // IWYU pragma: export
