// Runs the parallel loops of OpenCV as loops of tine.
#include <tine/tine.hpp>

#include <opencv2/core.hpp>
#include <opencv2/core/parallel/parallel_backend.hpp>

#include <atomic>
#include <cstdio>
#include <memory>

class tine_backend : public cv::parallel::ParallelForAPI {
 public:
  void parallel_for(int tasks, FN_parallel_for_body_cb_t body, void* data) override {
    tine::par_for_chunks(0, tasks, [=](int begin, int end) { body(begin, end, data); });
  }
  int getThreadNum() const override { return tine::this_worker() ? static_cast<int>(tine::worker_index()) : 0; }
  int getNumThreads() const override { return static_cast<int>(tine::worker_count()); }
  int setNumThreads(int) override { return getNumThreads(); }  // TINE_NUM_THREADS decides
  const char* getName() const override { return "tine"; }
};

int main() {
  cv::parallel::setParallelForBackend(std::make_shared<tine_backend>());
  std::atomic<long> rows{0}, elsewhere{0};
  tine::par_for(0, 8, [&](int) {
    cv::parallel_for_(cv::Range(0, 1000), [&](const cv::Range& r) {
      rows += r.size();
      if (!tine::this_worker()) ++elsewhere;
    });
  });
  std::printf("%ld rows, %ld of them outside of tine\n", rows.load(), elsewhere.load());
}
