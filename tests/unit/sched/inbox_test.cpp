// Tests of a worker's inbox without a worker.
#include "sched/inbox.hpp"

#include <doctest/doctest.h>

namespace {

using tine::sched::inbox;
using tine::sched::submission;
using tine::sched::task;

struct every_worker {
  static bool accepts(const task*) { return true; }
};

void put(inbox& box, submission& s, inbox::claim as) {
  box.put(s, as, [](inbox::claim) {});
}

TEST_CASE("pinned submissions are taken in the order of their arrival, bound or not") {
  inbox box;
  box.open();
  submission all[4]{{nullptr}, {nullptr}, {nullptr}, {nullptr}};
  all[1].is_bound = all[2].is_bound = true;
  for (submission& s : all) put(box, s, inbox::claim::pinned);
  for (submission& s : all) CHECK(box.take_pinned() == &s);
  CHECK(!box.has_pinned());
}

TEST_CASE(
    "bound submissions wait for their worker, however they were submitted; the others become shared when it leaves") {
  inbox box;
  box.open();
  submission named{nullptr}, kept{nullptr}, bound{nullptr}, later{nullptr}, unbound{nullptr};
  bound.is_bound = later.is_bound = true;
  put(box, named, inbox::claim::pinned);
  put(box, bound, inbox::claim::affine);
  put(box, kept, inbox::claim::affine);
  CHECK(box.close() == 2);
  put(box, later, inbox::claim::shared);
  put(box, unbound, inbox::claim::pinned);
  const every_worker all;
  for (const submission* s : {&named, &kept, &unbound}) CHECK(box.take_shared(all) == s);
  CHECK(box.take_shared(all) == nullptr);
  CHECK(box.take_affine(all) == nullptr);
  box.open();
  CHECK(box.take_pinned() == &bound);
  CHECK(box.take_pinned() == &later);
  CHECK(box.take_pinned() == nullptr);
}

}  // namespace
