#include <oneapi/tbb/spin_rw_mutex.h>  // IWYU pragma: export
