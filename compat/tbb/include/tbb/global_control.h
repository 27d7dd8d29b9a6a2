#include <oneapi/tbb/global_control.h>  // IWYU pragma: export
