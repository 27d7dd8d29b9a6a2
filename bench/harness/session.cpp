// See session.hpp.
#include "harness/session.hpp"

#include "harness/peak_memory.hpp"

#include <chrono>
#include <istream>
#include <ostream>

namespace bench {
namespace {

runtime_options options_for(const program& program, const request& request) {
  const bool shallow = request.chosen->runtime == runtime_kind::tine_tasks;
  return {.workers = request.workers,
          .stack_bytes = shallow ? shallow_stack_bytes : program.stack_bytes(),
          .resume = request.resume};
}

}  // namespace

session::session(const program& program, const request& request)
    : program_{program},
      variant_{*request.chosen},
      passes_{request.passes},
      base_rss_kib_{make_inputs()},
      runtime_{start_runtime(request.chosen->runtime, options_for(program, request))} {
  pass_and_examine();
}

std::int64_t session::make_inputs() const {
  program_.reset();
  return peak_memory_kib();
}

double session::pass_and_examine() {
  program_.reset();
  runtime_->run(variant_.prepare);
  const auto began = std::chrono::steady_clock::now();
  runtime_->run(variant_.run);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;

  // After a mistake the result keeps the wrong answer.
  if (!result_.verified()) return took.count();
  finding found = program_.examine();
  result_.answer = found.answer;
  result_.mistake = std::move(found.mistake);
  return took.count();
}

double session::run() {
  double seconds = 0;
  for (int i = 0; i < passes_; ++i) seconds += pass_and_examine();
  result_.seconds.push_back(seconds);
  return seconds;
}

void session::serve(std::istream& orders, std::ostream& out) {
  out << "ready" << std::endl;
  for (std::string order; std::getline(orders, order);) out << format("{:.9f}", run()) << std::endl;
}

result session::results() const {
  result r = result_;
  r.counts = runtime_->counts();
  if (r.verified()) r.mistake = runtime_->broken_promise();
  r.base_rss_kib = base_rss_kib_;
  return r;
}

}  // namespace bench
