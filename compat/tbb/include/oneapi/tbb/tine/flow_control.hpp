// flow_control: with it the first filter of a pipeline says that there is no more input. One call of the filter uses
// it.
//
// The input nodes of oneTBB's flow graph have it, too. So it has the same place, the same member, and the include guard
// of the header that has oneTBB's.
#ifndef __TBB_parallel_filters_H
#define __TBB_parallel_filters_H

namespace tbb {
namespace detail {
namespace d1 {

class flow_control {
 public:
  void stop() { is_pipeline_stopped = true; }
  bool is_pipeline_stopped = false;
};

}  // namespace d1
}  // namespace detail

inline namespace v1 {
using detail::d1::flow_control;
}
}  // namespace tbb

#endif
