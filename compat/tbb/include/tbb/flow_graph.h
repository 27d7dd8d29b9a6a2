#include <oneapi/tbb/flow_graph.h>  // IWYU pragma: export
